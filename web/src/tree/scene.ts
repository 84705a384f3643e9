/**
 * What there is to draw: the outline and its layout, with what follows from the folds and from where one is. Made anew
 * when one of these changes, in one pass over the nodes; a frame of panning only reads it.
 */

import type { Outline, OutlineNode } from "../session/outline";
import { type Layout, NOWHERE } from "./layout";
import { type Box, boxOf, cardBox } from "./viewport";

export interface Scene {
  readonly outline: Outline;
  readonly version: number;
  readonly layout: Layout;
  /** How many nodes there are; the layout may have got more since. */
  readonly size: number;
  /** By index, as all that follows. */
  readonly nodes: readonly OutlineNode[];
  /** 1: a fold above hides it. */
  readonly hidden: Uint8Array;
  /** 1: its subtree is folded. */
  readonly folded: Uint8Array;
  /** How many nodes lie below. */
  readonly below: Int32Array;
  /** 1: on the way from the root to where one is. */
  readonly onPath: Uint8Array;
  /** On that way: the child by which it goes on, else `NOWHERE`. */
  readonly onward: Int32Array;
  /** Indexes, or `NOWHERE`. */
  readonly current: number;
  readonly leaf: number;
  /** The box in the world of all, hidden or not. */
  readonly box: Box;
}

export function makeScene(
  outline: Outline,
  version: number,
  layout: Layout,
  folds: ReadonlySet<string>,
  currentId: string | null,
  leafId: string | null,
): Scene {
  layout.grow();
  const size = layout.size;
  const nodes = layout.ids.map((id) => outline.get(id) as OutlineNode);
  const hidden = new Uint8Array(size);
  const folded = new Uint8Array(size);
  const below = new Int32Array(size);
  const onPath = new Uint8Array(size);
  const onward = new Int32Array(size).fill(NOWHERE);

  for (const id of folds) {
    const index = layout.indexOf(id);
    if (index !== NOWHERE && layout.childCounts[index]) folded[index] = 1;
  }
  // A parent's index is less than its children's: one pass down, one up.
  for (let index = 0; index < size; index += 1) {
    const parent = layout.parents[index] as number;
    if (parent !== NOWHERE && (folded[parent] || hidden[parent])) hidden[index] = 1;
  }
  for (let index = size - 1; index >= 0; index -= 1) {
    const parent = layout.parents[index] as number;
    if (parent !== NOWHERE) below[parent] = (below[parent] as number) + (below[index] as number) + 1;
  }
  const current = layout.indexOf(currentId);
  for (let index = current; index !== NOWHERE; ) {
    onPath[index] = 1;
    const parent = layout.parents[index] as number;
    if (parent !== NOWHERE) onward[parent] = index;
    index = parent;
  }

  return {
    outline,
    version,
    layout,
    size,
    nodes,
    hidden,
    folded,
    below,
    onPath,
    onward,
    current,
    leaf: layout.indexOf(leafId),
    box: boxOf({
      top: 0,
      bottom: Math.max(layout.height - 1, 0),
      left: 0,
      right: Math.max(layout.width - 1, 0),
    }),
  };
}

/** The node itself, or the fold that hides it. */
export function shownFor(scene: Scene, index: number): number {
  let at = index;
  while (at !== NOWHERE && scene.hidden[at]) at = scene.layout.parents[at] as number;
  return at;
}

export function boxAt(scene: Scene, index: number): Box {
  return cardBox(scene.layout.rows[index] as number, scene.layout.columns[index] as number);
}

/** The box of what no fold hides. */
export function shownBox(scene: Scene): Box {
  const cells = { top: Infinity, bottom: 0, left: Infinity, right: 0 };
  for (let index = 0; index < scene.size; index += 1) {
    if (scene.hidden[index]) continue;
    const row = scene.layout.rows[index] as number;
    const column = scene.layout.columns[index] as number;
    cells.top = Math.min(cells.top, row);
    cells.bottom = Math.max(cells.bottom, row);
    cells.left = Math.min(cells.left, column);
    cells.right = Math.max(cells.right, column);
  }
  return scene.size === 0 ? scene.box : boxOf(cells);
}
