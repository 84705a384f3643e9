/** What the keys mean while a node has the focus. */

import { type Layout, NOWHERE } from "./layout";

export type Command =
  | "go"
  | "fork"
  | "label"
  | "compare"
  | "merge"
  | "details"
  | "fold"
  | "menu"
  | "find"
  | "zoomIn"
  | "zoomOut"
  | "fit"
  | "parent"
  | "child"
  | "previous"
  | "next"
  | "root"
  | "tip";

const PLAIN: Readonly<Record<string, Command>> = {
  Enter: "go",
  " ": "fold",
  ContextMenu: "menu",
  ArrowUp: "parent",
  ArrowDown: "child",
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "root",
  End: "tip",
  "/": "find",
  "+": "zoomIn",
  "=": "zoomIn",
  "-": "zoomOut",
  "0": "fit",
  f: "fork",
  l: "label",
  c: "compare",
  m: "merge",
  s: "details",
};

interface Key {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** Null: not ours, the browser's. */
export function commandOf(event: Key): Command | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  if (event.shiftKey && event.key === "F10") return "menu";
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return Object.hasOwn(PLAIN, key) ? (PLAIN[key] as Command) : null;
}

export interface Ways {
  readonly layout: Layout;
  /** 1: on the way to where one is. */
  readonly onPath: Uint8Array;
  /** Indexes of the children, from left to right; of `NOWHERE`: of the roots. */
  children(index: number): readonly number[];
}

/** The node that one comes to from another; itself where there is none. */
export function moved(ways: Ways, from: number, command: Command): number {
  const { parents, ordinals } = ways.layout;
  const parent = parents[from] as number;
  switch (command) {
    case "parent":
      return parent === NOWHERE ? from : parent;
    case "child":
      return ways.children(from)[0] ?? from;
    case "previous":
      return ways.children(parent)[(ordinals[from] as number) - 1] ?? from;
    case "next":
      return ways.children(parent)[(ordinals[from] as number) + 1] ?? from;
    case "root": {
      let root = from;
      for (let up = parent; up !== NOWHERE; up = parents[up] as number) root = up;
      return root;
    }
    case "tip":
      return tip(ways, from);
    default:
      return from;
  }
}

/** The end of a branch: where the ways part, that to where one is, else the newest. */
function tip(ways: Ways, from: number): number {
  for (let at = from; ; ) {
    const children = ways.children(at);
    const next = children.find((child) => ways.onPath[child]) ?? children.at(-1);
    if (next === undefined) return at;
    at = next;
  }
}
