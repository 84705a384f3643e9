/** Finding nodes by words of their question or label. */

import type { OutlineNode } from "../session/outline";

/** Indexes of the nodes that hold all the words, in any case and any width of letters, in the order of creation. */
export function findNodes(nodes: readonly OutlineNode[], text: string): number[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found: number[] = [];
  nodes.forEach((node, index) => {
    const content = contentOf(node);
    if (words.every((word) => content.includes(word))) found.push(index);
  });
  return found;
}

/** The next hit, or the one before, around the end; `at` is the place among the hits, -1 before the first. */
export function nextHit(count: number, at: number, step: 1 | -1): number {
  if (count === 0) return -1;
  if (at === -1) return step === 1 ? 0 : count - 1;
  return (at + step + count) % count;
}

/** Nodes never change, so this is asked once for each, not with each letter typed. */
const contents = new WeakMap<OutlineNode, string>();

function contentOf(node: OutlineNode): string {
  let content = contents.get(node);
  if (content === undefined) {
    content = plain(node.label === null ? node.question : `${node.label}\n${node.question}`);
    contents.set(node, content);
  }
  return content;
}

function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
