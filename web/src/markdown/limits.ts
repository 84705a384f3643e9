/**
 * What is too much for the parser. Its time grows with the marks of a text, with the square of those for emphasis in
 * a paragraph, and its stack with the depth of quotes and lists; such a text, and one too long to be looked at as a
 * whole, is shown as it is written. The numbers keep the worst of texts near a tenth of a second.
 */

const LONGEST_BLOCK = 50_000;
const LONGEST_LINE = 20_000;
const MOST_MARKS = 4_000;
const MOST_EMPHASIS = 1_000;
const MOST_CONTAINERS = 20;
/** Of a list item, in columns: lists in lists. */
const DEEPEST_INDENT = 40;
/** Of the parsed tree: emphasis in emphasis, lists in lists. */
export const DEEPEST = 60;

const NEWLINE = 10;
const RETURN = 13;
const codes = (characters: string) => new Set(Array.from(characters, (it) => it.charCodeAt(0)));
const MARKS = codes("*_~`[]<&|$\\!\n");
const EMPHASIS = codes("*_~");
const CONTAINER = /([ \t]*)(>|(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n]|$))/y;

export function tooHard(text: string): boolean {
  if (text.length > LONGEST_BLOCK || hasLongLine(text)) return true;
  let marks = 0;
  let emphasis = 0;
  let last = NEWLINE;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (last === NEWLINE || last === RETURN) {
      const { count, item } = containers(text, index);
      if (count > MOST_CONTAINERS) return true;
      marks += 2 * count;
      // A paragraph ends at the next item, or at a blank line.
      if (item || code === NEWLINE) emphasis = 0;
    }
    if (code !== last || code === NEWLINE) {
      if (MARKS.has(code)) marks += 1;
      if (EMPHASIS.has(code)) emphasis += 1;
    }
    if (marks > MOST_MARKS || emphasis > MOST_EMPHASIS) return true;
    last = code;
  }
  return false;
}

export function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    if ((end < 0 ? text.length : end) - start > LONGEST_LINE) return true;
    if (end < 0) break;
    start = end + 1;
  }
  return false;
}

/** How many quotes and list items a line opens, `> - 1. > text`, and whether an item is among them. */
function containers(text: string, from: number): { count: number; item: boolean } {
  let count = 0;
  let item = false;
  CONTAINER.lastIndex = from;
  while (count <= MOST_CONTAINERS) {
    const [, indent, mark] = CONTAINER.exec(text) ?? [];
    if (mark === undefined) break;
    if (count === 0 && (indent ?? "").replaceAll("\t", "    ").length > DEEPEST_INDENT)
      return { count: Infinity, item };
    count += 1;
    item ||= mark !== ">";
  }
  return { count, item };
}
