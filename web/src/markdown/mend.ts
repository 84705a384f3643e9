/**
 * The end of an answer that still streams, so that it does not flicker: what would be read as something else until
 * the next characters come is held back, and open emphasis, code and links are shown as if they were closed.
 */

/** A last line that may become a list item, a rule, a fence or the line under a heading. */
const UNDECIDED_LINE = /(?:^|[\n\r])[ \t>]*(?:[-=+*_~`#]+|\d{1,9}[.)]?|\||\|[ \t:|-]*)[ \t]*$/;
const TABLE_HEAD = /(?:^|[\n\r])([ \t]*\|[^\n\r]*)(?:(?:\n|\r\n?)[ \t|:-]*)?$/;
/** Emphasis does not reach over these. */
const SEGMENT_START = /[\n\r](?:[ \t]*[\n\r]|[ \t]*(?:[-+*>#|]|\d{1,9}[.)]))/g;
const OPEN_ADDRESS = /!?\[([^[\]]*)\]\([^()\s]*$/;

/** Of code in a list or quote. */
const FENCE = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^`]*)$/;

export function mend(text: string): string {
  if (endsInCode(text)) return text.replace(/([\n\r])[ \t>]*(?:`{1,2}|~{1,2})?$/, "$1");
  const decided = withoutTableHead(text).replace(UNDECIDED_LINE, "");
  let start = 0;
  for (const match of decided.matchAll(SEGMENT_START)) start = match.index + 1;
  return decided.slice(0, start) + closed(decided.slice(start).replace(OPEN_ADDRESS, "$1"));
}

function endsInCode(text: string): boolean {
  let open = "";
  for (const line of text.split(/[\n\r]/)) {
    const [, fence, rest] = FENCE.exec(line) ?? [];
    if (!fence) continue;
    if (open === "") open = fence;
    else if (fence.startsWith(open) && rest?.trim() === "") open = "";
  }
  return open !== "";
}

/** The head of a table is held back until the line below it shows that it is one. */
function withoutTableHead(text: string): string {
  const match = TABLE_HEAD.exec(text);
  if (!match) return text;
  const before =
    text
      .slice(0, match.index)
      .split(/[\n\r]/)
      .at(-1) ?? "";
  return before.trimStart().startsWith("|") ? text : text.slice(0, match.index);
}

interface Opener {
  mark: string;
  size: number;
}

/** A piece of running text with its open code span, or open emphasis, closed at the end. */
function closed(text: string): string {
  const open: Opener[] = [];
  let index = 0;
  while (index < text.length) {
    const mark = text[index] as string;
    if (mark === "\\") {
      index += 2;
      continue;
    }
    if (mark !== "`" && mark !== "*" && mark !== "_" && mark !== "~") {
      index += 1;
      continue;
    }
    let end = index + 1;
    while (text[end] === mark) end += 1;
    const run = text.slice(index, end);
    if (mark === "`") {
      const close = closingTicks(text, end, run.length);
      if (close < 0)
        return end === text.length ? finished(text.slice(0, index), open) : closedCode(text, run, open);
      index = close + run.length;
      continue;
    }
    if (end === text.length && !open.some((it) => it.mark === mark))
      return finished(text.slice(0, index), open);
    follow(open, run, text[index - 1] ?? " ", text[end] ?? " ");
    index = end;
  }
  return finished(text, open);
}

function closingTicks(text: string, from: number, size: number): number {
  for (const match of text.slice(from).matchAll(/`+/g))
    if (match[0].length === size) return from + match.index;
  return -1;
}

function closedCode(text: string, ticks: string, open: Opener[]): string {
  // A closing run of which only the first ticks have come.
  const code = ticks.length > 1 ? text.replace(/([^`])`+$/, "$1") : text;
  return finished(code + ticks, open);
}

function follow(open: Opener[], run: string, before: string, after: string): void {
  const mark = run[0] as string;
  let size = run.length;
  const word = /[\p{L}\p{N}]/u;
  const opens = /\S/.test(after) && !(mark === "_" && word.test(before));
  const closes = /\S/.test(before) && !(mark === "_" && word.test(after));
  for (let last = open.at(-1); closes && size > 0 && last?.mark === mark; last = open.at(-1)) {
    const used = Math.min(size, last.size);
    size -= used;
    last.size -= used;
    if (last.size > 0) break;
    open.pop();
  }
  if (opens && size > 0 && size <= 3 && open.length < 20) open.push({ mark, size });
}

function finished(text: string, open: Opener[]): string {
  if (open.length === 0) return text;
  return (
    text.trimEnd() +
    open
      .reverse()
      .map((it) => it.mark.repeat(it.size))
      .join("")
  );
}
