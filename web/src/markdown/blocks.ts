/**
 * Cutting an answer into top-level blocks, so that each is parsed alone: once when it is complete, and while an
 * answer streams only the last one again.
 *
 * A cut is made only where Markdown surely begins something new: before an unindented line after a blank one (but
 * not between the items of a list), and around fenced code and display maths that stand at the left margin. Where it
 * is not sure, nothing is cut; a longer block is only slower. What follows a cut never depends on what precedes it,
 * but for reference definitions (see references.ts).
 */

export interface Block {
  /** Code, maths and HTML are shown by their text; only "markdown" goes through the parser. */
  kind: "markdown" | "code" | "maths" | "html";
  /** The exact slice of the answer, with the blank lines that follow. */
  text: string;
  /** Code or maths whose closing line has not come. */
  open: boolean;
}

const LINE_END = /\r\n?|\n/g;
const BLANK = /^[ \t]*$/;
const LIST_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
const FENCE = /^( {0,3})(?:(`{3,})([^`]*)|(~{3,})(.*))$/;

/** HTML that runs to an end of its own, over blank lines. */
const HTML_WITH_END: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];
const HTML_TAG_ALONE = /^ {0,3}<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?>[ \t]*$/i;
const HTML_BLOCK_TAG = new RegExp(
  "^ {0,3}</?(?:address|article|aside|base|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt" +
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu" +
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)" +
    "(?=[\\s/>]|$)",
  "i",
);

/** What a line opens, if the line begins a block. */
type Opening =
  | { kind: "code"; marker: string }
  | { kind: "maths"; end: string; form: "alone" | "complete" | "begun" }
  | { kind: "html"; end: RegExp | null; ended: boolean };

function codeOpening(line: string): Opening | null {
  const match = FENCE.exec(line);
  return match ? { kind: "code", marker: match[2] ?? match[4] ?? "" } : null;
}

function mathsOpening(line: string): Opening | null {
  const begin = /^ {0,3}(\$\$|\\\[)/.exec(line);
  if (!begin) return null;
  const end = begin[1] === "$$" ? "$$" : "\\]";
  const rest = line.slice(begin[0].length).trimEnd();
  if (rest === "") return { kind: "maths", end, form: "alone" };
  const at = rest.indexOf(end);
  if (at < 0) return { kind: "maths", end, form: "begun" };
  return at > 0 && at === rest.length - 2 ? { kind: "maths", end, form: "complete" } : null;
}

function htmlOpening(line: string): Opening | null {
  for (const [begin, end] of HTML_WITH_END) {
    const match = begin.exec(line);
    if (match) return { kind: "html", end, ended: end.test(line.slice(match[0].length)) };
  }
  return HTML_BLOCK_TAG.test(line) || HTML_TAG_ALONE.test(line)
    ? { kind: "html", end: null, ended: false }
    : null;
}

function opening(line: string): Opening | null {
  switch (line.trimStart()[0]) {
    case "`":
    case "~":
      return codeOpening(line);
    case "$":
    case "\\":
      return mathsOpening(line);
    case "<":
      return htmlOpening(line);
    default:
      return null;
  }
}

function closesCode(line: string, marker: string): boolean {
  const rest = line.trim();
  return (
    /^ {0,3}[`~]/.test(line) &&
    rest.length >= marker.length &&
    rest === (marker[0] as string).repeat(rest.length)
  );
}

/** The block that begins at the start of `text`, and where it ends. */
function firstBlock(text: string, from: number, mathsAllowed: boolean): [Block, number] {
  let block: Opening | null = null;
  let done = false;
  let afterBlank = false;
  let list = false;
  let position = from;

  while (position < text.length) {
    LINE_END.lastIndex = position;
    const ending = LINE_END.exec(text);
    const next = ending ? LINE_END.lastIndex : text.length;
    const line = text.slice(position, ending ? ending.index : text.length);
    const blank = BLANK.test(line);

    if (position === from) {
      // Blank lines at the start of an answer are a block of their own.
      if (blank) done = true;
      else block = opening(line);
      if (block?.kind === "maths" && block.form !== "alone" && !mathsAllowed) block = null;
      if (block?.kind === "maths") done = block.form === "complete";
      if (block?.kind === "html") done = block.ended;
      list = !block && LIST_ITEM.test(line);
    } else if (done) {
      if (!blank) break;
    } else if (block?.kind === "code") {
      done = closesCode(line, block.marker);
    } else if (block?.kind === "maths") {
      // A formula that begins on its opening line ends before a blank one, or is none. (A last line of spaces only
      // may yet grow.)
      if (blank && ending && block.form === "begun") return firstBlock(text, from, false);
      done = line.trimEnd().endsWith(block.end);
    } else if (block?.kind === "html") {
      done = block.end ? block.end.test(line) : blank;
      if (!block.end && opening(line)?.kind === "code") break;
    } else if (!blank) {
      if (interrupts(line, list) || (afterBlank && beginsAnew(line, list))) break;
      list ||= LIST_ITEM.test(line);
    }
    afterBlank = blank;
    position = next;
  }

  const kind = block?.kind ?? "markdown";
  return [
    { kind, text: text.slice(from, position), open: !done && (kind === "code" || kind === "maths") },
    position,
  ];
}

/** Code and maths end a paragraph, and a list when they stand left of the text of its items. */
function interrupts(line: string, list: boolean): boolean {
  if (list && /^ {2}/.test(line)) return false;
  const found = opening(line);
  return found?.kind === "code" || (found?.kind === "maths" && found.form !== "begun");
}

function beginsAnew(line: string, list: boolean): boolean {
  return line[0] !== " " && line[0] !== "\t" && !(list && LIST_ITEM.test(line));
}

/** The blocks of a text; joined, they are the text. */
export function splitBlocks(text: string, from = 0): Block[] {
  const blocks: Block[] = [];
  let position = from;
  while (position < text.length) {
    const [block, end] = firstBlock(text, position, true);
    blocks.push(block);
    position = end;
  }
  return blocks;
}

/** As splitBlocks, but what an appended text left as it was is kept, the very objects: all but the last two. */
export function extendBlocks(known: readonly Block[], knownText: string, text: string): readonly Block[] {
  if (text === knownText) return known;
  if (known.length <= 2 || !text.startsWith(knownText)) return splitBlocks(text);
  const kept = known.slice(0, -2);
  const end = knownText.length - (known.at(-1)?.text.length ?? 0) - (known.at(-2)?.text.length ?? 0);
  return [...kept, ...splitBlocks(text, end)];
}

/** The language and the code of a block of kind "code". */
export function codeOf(block: Block): { language: string; code: string } {
  const lines = block.text.split(/\r\n?|\n/);
  const match = FENCE.exec(lines[0] ?? "");
  const indent = match?.[1]?.length ?? 0;
  const body = lines.slice(1);
  while (body.length > 0 && BLANK.test(body.at(-1) as string) && (!block.open || body.at(-1) === ""))
    body.pop();
  if (!block.open) body.pop();
  const strip = new RegExp(`^ {0,${indent}}`);
  return {
    language: (match?.[3] ?? match?.[5] ?? "").trim().split(/\s/, 1)[0] ?? "",
    code: (indent ? body.map((line) => line.replace(strip, "")) : body).join("\n"),
  };
}

/** The formula of a block of kind "maths". */
export function formulaOf(block: Block): string {
  const text = block.text.trim().slice(2);
  return (block.open ? text : text.slice(0, -2)).trim();
}
