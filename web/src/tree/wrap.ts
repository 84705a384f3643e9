/** A question in two lines of a painted card. Widths are estimated, as it is done for a thousand cards in a frame. */

import type { OutlineNode } from "../session/outline";

/** In halves of a wide letter; so many narrow ones fit into a card. */
const LINE = 24;
/** From here on letters are wide: Chinese, Japanese, Korean, emoji. */
const WIDE_FROM = 0x2e80;

/** Nodes never change, so this is done once for each. */
const wrapped = new WeakMap<OutlineNode, readonly string[]>();

export function linesOf(node: OutlineNode): readonly string[] {
  let lines = wrapped.get(node);
  if (!lines) {
    lines = wrap(node.question.trim().replace(/\s+/g, " "));
    wrapped.set(node, lines);
  }
  return lines;
}

export function wrap(text: string): string[] {
  const first = fittingLength(text);
  if (first === text.length) return [text];
  // Between words, unless a word is longer than half the line.
  const space = text.lastIndexOf(" ", first);
  const end = space > first / 2 ? space : first;
  const rest = text.slice(end).trim();
  const second = fittingLength(rest);
  if (second === rest.length) return [text.slice(0, end), rest];
  const letters = [...rest.slice(0, second)];
  return [text.slice(0, end), `${letters.slice(0, -1).join("").trimEnd()}…`];
}

export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width;
}

function letterWidth(letter: string): number {
  return (letter.codePointAt(0) as number) >= WIDE_FROM ? 2 : 1;
}

function fittingLength(text: string): number {
  let width = 0;
  let length = 0;
  for (const letter of text) {
    width += letterWidth(letter);
    if (width > LINE) return length;
    length += letter.length;
  }
  return length;
}
