/**
 * The last word on a parsed block before it becomes elements: a remark plugin. It works on the tree without
 * recursion, for the tree may be deep.
 */

import { DEEPEST } from "./limits";
import { visibleOverrides } from "./visible";

interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hProperties?: Record<string, unknown> };
  position?: { start: { offset?: number } };
}

export class TooDeep extends Error {}

export interface TidyOptions {
  /** Definitions written before the block, which are not of it: their length. */
  skip: number;
}

export function tidy({ skip }: TidyOptions) {
  return (root: Node, file: { toString(): string }): void => {
    const source = String(file);
    const startOf = (node: Node) => node.position?.start.offset ?? -1;
    if (skip > 0) {
      // Link definitions stay: references are looked up in the tree. They show nothing.
      root.children = root.children?.filter((it) => it.type === "definition" || startOf(it) >= skip) ?? [];
    }

    const waiting: [Node, number][] = [[root, 0]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [node, depth] = next;
      if (depth > DEEPEST) throw new TooDeep();
      if (node.type === "text") node.value = visibleOverrides(node.value ?? "");
      if (node.type === "inlineMath") display(node, source.slice(startOf(node), startOf(node) + 2));
      if (!node.children) continue;
      for (const child of node.children) waiting.push([child, depth + 1]);
    }
  };
}

/** `$$` and `\[` show their formula on a line of its own wherever they stand. */
function display(node: Node, opening: string): void {
  if (opening === "$$" || opening === "\\[") {
    node.data = { ...node.data, hProperties: { className: ["language-math", "math-display"] } };
  }
}
