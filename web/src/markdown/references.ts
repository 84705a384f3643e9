/**
 * References between blocks that are parsed alone: `[text][label]` and `[^label]` need the definition of their label
 * in the same text. Each block that uses labels is handed the definitions, written before it.
 *
 * Found are definitions of a single line at the head of a block (for footnotes: on any of its lines), which is how
 * models write them. One whose title stands on a line of its own works within its block only.
 */

import type { Block } from "./blocks";

interface Found {
  /** Normalised label (those of footnotes begin with ^) → what to write before a block that uses it. */
  defined: ReadonlyMap<string, string>;
  used: readonly string[];
}

const NOTHING: Found = { defined: new Map(), used: [] };
const LABEL = /\[((?:[^[\]\\]|\\.){1,200})\]/g;
const FOOTNOTE = /^ {0,3}\[(\^[^\s[\]\\]{1,200})\]:/;
const LINK =
  /^ {0,3}\[((?:[^[\]\\^]|\\.)(?:[^[\]\\]|\\.){0,199})\]:[ \t]*(?:<([^<>\\]*)>|([^\s<>()\\]+(?:\([^\s<>()\\]*\)[^\s<>()\\]*)*))[ \t]*("[^"\\]*"|'[^'\\]*'|\([^()\\]*\))?[ \t]*$/;

const found = new WeakMap<Block, Found>();

function normalised(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, " ")
    .trim()
    .toLowerCase()
    .toUpperCase();
}

function look(block: Block): Found {
  if (block.kind !== "markdown" || !block.text.includes("[")) return NOTHING;
  const known = found.get(block);
  if (known) return known;
  const defined = new Map<string, string>();
  const define = (label: string, definition: string) => {
    const key = normalised(label);
    if (key !== "" && !defined.has(key)) defined.set(key, definition);
  };
  let head = true;
  for (const line of block.text.split(/\r\n?|\n/)) {
    const footnote = FOOTNOTE.exec(line);
    if (footnote) define(footnote[1] as string, `[${footnote[1]}]: .\n\n`);
    const link: RegExpExecArray | null = head && !footnote ? LINK.exec(line) : null;
    if (link)
      define(link[1] as string, `[${link[1]}]: <${link[2] ?? link[3]}>${link[4] ? ` ${link[4]}` : ""}\n\n`);
    head &&= footnote !== null || link !== null;
  }
  const used = [...new Set(Array.from(block.text.matchAll(LABEL), (it) => normalised(it[1] as string)))];
  const result = { defined, used };
  found.set(block, result);
  return result;
}

/** All definitions of an answer; of two for one label the first counts. */
export function definitions(blocks: readonly Block[]): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const block of blocks) {
    for (const [label, definition] of look(block).defined) if (!all.has(label)) all.set(label, definition);
  }
  return all;
}

/** What to write before a block so that its references are understood; empty for nearly all. */
export function preamble(block: Block, all: ReadonlyMap<string, string>): string {
  // An indented start would continue the footnote written before it.
  if (all.size === 0 || /^[ \t]/.test(block.text)) return "";
  const { defined, used } = look(block);
  let text = "";
  for (const label of used) {
    const definition = all.get(label);
    if (definition && defined.get(label) !== definition) text += definition;
  }
  return text;
}

/** The labels of the footnotes that a block defines. */
export function footnotesOf(block: Block): string[] {
  return [...look(block).defined.keys()].filter((it) => it.startsWith("^")).map((it) => it.slice(1));
}
