/**
 * The blocks of an answer in groups, each of which is parsed when it comes near the part of the page that is seen.
 * Text that is appended leaves all groups but the last ones the very same objects.
 */

import { type Block, extendBlocks } from "./blocks";
import { definitions, preamble } from "./references";

export interface Part {
  block: Block;
  /** Definitions that the block uses, to be parsed before it. */
  preamble: string;
}

export interface Page {
  parts: readonly Part[];
  /** What it may measure before it is parsed, in pixels. */
  height: number;
}

const PAGE_CHARACTERS = 4_000;
const PAGE_BLOCKS = 24;
const LINE_CHARACTERS = 80;
const LINE = 24;
const CODE_LINE = 20;
const TALLEST = 900;

/** A function from the text of an answer to its pages, that remembers the last text it was given. */
export function pager(): (text: string) => readonly Page[] {
  let known = "";
  let blocks: readonly Block[] = [];
  let pages: readonly Page[] = [];
  const parts = new WeakMap<Block, Part>();

  const partOf = (block: Block, before: string): Part => {
    const last = parts.get(block);
    if (last?.preamble === before) return last;
    const part = { block, preamble: before };
    parts.set(block, part);
    return part;
  };

  return (text) => {
    if (text === known) return pages;
    blocks = extendBlocks(blocks, known, text);
    known = text;
    const all = definitions(blocks);
    pages = grouped(
      blocks.map((it) => partOf(it, preamble(it, all))),
      pages,
    );
    return pages;
  };
}

function grouped(parts: readonly Part[], known: readonly Page[]): Page[] {
  const pages: Page[] = [];
  let group: Part[] = [];
  let characters = 0;
  const close = () => {
    const last = known[pages.length];
    const same = last?.parts.length === group.length && group.every((it, index) => it === last.parts[index]);
    pages.push(same ? last : { parts: group, height: group.reduce((sum, it) => sum + height(it.block), 0) });
    group = [];
    characters = 0;
  };
  for (const part of parts) {
    group.push(part);
    characters += part.block.text.length;
    if (characters >= PAGE_CHARACTERS || group.length >= PAGE_BLOCKS) close();
  }
  if (group.length > 0) close();
  return pages;
}

function height({ kind, text }: Block): number {
  let lines = 0;
  for (const line of text.trimEnd().slice(0, 20_000).split("\n"))
    lines += Math.max(1, Math.ceil(line.length / LINE_CHARACTERS));
  return kind === "code" ? Math.min(TALLEST, lines * CODE_LINE + 40) : lines * LINE + 12;
}
