/**
 * Where each node of the tree stands: a cell of a grid, given when the node is first seen and never changed, so that
 * what a person has learnt to find in a place stays in that place.
 *
 * The row is the node's depth. A first child stands straight below its parent; a further child opens a branch in the
 * nearest column to the right that has some room, so that branches are straight lines as a rule. Where a branch comes
 * upon another it bends to the nearest column with room, one cell before they touch: right above a node stands its
 * parent or nothing, so that no node seems to be the child of a stranger.
 *
 * All of it is told by the order of creation alone: taken at once or bit by bit, the result is the same. Work is
 * proportional to the nodes that are new (the search for a column jumps over what is taken).
 */

import type { Outline, OutlineNode } from "../session/outline";
import { Spans } from "./spans";

/** Free rows that a branch wants below its first cell: with fewer it would soon have to bend. */
const ROOM_BELOW = 3;
/** Free rows that it wants above: the branch that ends there may go on. */
const ROOM_ABOVE = 1;
/** How far to the left a bend is tried; to the right there is always room in the end. */
const BEND_LEFT = 3;
/** Columns from one root to the next, at least. */
const ROOM_BESIDE_ROOT = 2;

export const NOWHERE = -1;

/** Cells from `top` to `bottom` and from `left` to `right`, all of them included. */
export interface Cells {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Nodes are known by their index: the order in which they were placed; a parent's is less than its children's. */
export class Layout {
  readonly ids: string[] = [];
  readonly rows: number[] = [];
  readonly columns: number[] = [];
  /** `NOWHERE` for a root. */
  readonly parents: number[] = [];
  /** The place among its siblings, from 0. Siblings stand from left to right in that order. */
  readonly ordinals: number[] = [];
  readonly childCounts: number[] = [];
  /** The horizontal parts of edges. */
  readonly spans = new Spans();
  /** How many rows and columns are in use. */
  height = 0;
  width = 0;
  rootCount = 0;

  private readonly indexes = new Map<string, number>();
  /** By row: the node in a column. */
  private readonly taken: Map<number, number>[] = [];
  /** By row: for each column where no branch can begin, one further right where it perhaps can. */
  private readonly crowded: Map<number, number>[] = [];
  /** By node: the column of the last child. */
  private readonly lastColumns: number[] = [];
  /** Nodes whose parent has not been seen, by that parent. */
  private readonly waiting = new Map<string, OutlineNode[]>();
  private readonly source: Iterator<OutlineNode>;
  private seen = 0;
  private lastRootColumn = NOWHERE;

  constructor(private readonly outline: Outline) {
    // Asked only for as many as there are, the iterator never comes to its end, and so it goes on with what is added.
    this.source = outline.all()[Symbol.iterator]();
  }

  get size(): number {
    return this.ids.length;
  }

  /** Place what the outline has got since. */
  grow(): void {
    for (; this.seen < this.outline.size; this.seen += 1) {
      const node = this.source.next().value as OutlineNode;
      if (node.parentId === null || this.indexes.has(node.parentId)) this.place(node);
      else append(this.waiting, node.parentId, node);
    }
  }

  /** `NOWHERE` if the node is not known. */
  indexOf(id: string | null): number {
    return id === null ? NOWHERE : (this.indexes.get(id) ?? NOWHERE);
  }

  at(row: number, column: number): number {
    return this.taken[row]?.get(column) ?? NOWHERE;
  }

  /** Visit the nodes in some cells; costs no more than the cells, nor than the nodes. */
  each(cells: Cells, visit: (index: number) => void): void {
    const top = Math.max(cells.top, 0);
    const bottom = Math.min(cells.bottom, this.height - 1);
    const left = Math.max(cells.left, 0);
    const right = Math.min(cells.right, this.width - 1);
    if (top > bottom || left > right) return;
    if ((bottom - top + 1) * (right - left + 1) >= this.size) {
      for (let index = 0; index < this.size; index += 1) {
        const row = this.rows[index] as number;
        const column = this.columns[index] as number;
        if (row >= top && row <= bottom && column >= left && column <= right) visit(index);
      }
      return;
    }
    for (let row = top; row <= bottom; row += 1) {
      const taken = this.taken[row] as Map<number, number>;
      if (taken.size <= right - left) {
        for (const [column, index] of taken) if (column >= left && column <= right) visit(index);
      } else {
        for (let column = left; column <= right; column += 1) {
          const index = taken.get(column);
          if (index !== undefined) visit(index);
        }
      }
    }
  }

  private place(first: OutlineNode): void {
    const ready = [first];
    for (let node = ready.pop(); node; node = ready.pop()) {
      this.put(node);
      const freed = this.waiting.get(node.id);
      if (!freed) continue;
      this.waiting.delete(node.id);
      for (const child of freed.reverse()) ready.push(child);
    }
  }

  private put(node: OutlineNode): void {
    const parent = this.indexOf(node.parentId);
    const row = parent === NOWHERE ? 0 : (this.rows[parent] as number) + 1;
    const column = parent === NOWHERE ? this.rootColumn() : this.childColumn(parent, row);
    const index = this.size;

    this.ids.push(node.id);
    this.rows.push(row);
    this.columns.push(column);
    this.parents.push(parent);
    this.childCounts.push(0);
    this.lastColumns.push(NOWHERE);
    this.indexes.set(node.id, index);
    this.height = Math.max(this.height, row + 1);
    this.width = Math.max(this.width, column + 1);
    at(this.taken, row).set(column, index);

    if (parent === NOWHERE) {
      this.ordinals.push(this.rootCount);
      this.rootCount += 1;
      this.lastRootColumn = column;
      this.crowd(row, row + ROOM_ABOVE, column);
      return;
    }
    this.ordinals.push(this.childCounts[parent] as number);
    this.childCounts[parent] = (this.childCounts[parent] as number) + 1;
    this.lastColumns[parent] = column;
    if (column === this.columns[parent]) {
      // The parent, straight above, has crowded all the other rows already.
      this.crowd(row + ROOM_ABOVE, row + ROOM_ABOVE, column);
    } else {
      this.crowd(row - ROOM_BELOW, row + ROOM_ABOVE, column);
      this.spans.reach(parent, row - 1, this.columns[parent] as number, column);
    }
  }

  private rootColumn(): number {
    if (this.rootCount === 0) return 0;
    return nextFree(at(this.crowded, 0), this.lastRootColumn + ROOM_BESIDE_ROOT);
  }

  private childColumn(parent: number, row: number): number {
    const own = this.columns[parent] as number;
    const crowded = at(this.crowded, row);
    if (this.childCounts[parent] === 0) {
      if (this.at(row, own) === NOWHERE && this.at(row + 1, own) === NOWHERE) return own;
      const right = nextFree(crowded, own + 1);
      const furthest = Math.max(own - BEND_LEFT, own - (right - own) + 1, 0);
      for (let left = own - 1; left >= furthest; left -= 1) if (!crowded.has(left)) return left;
      return right;
    }
    // A column that was no good for an earlier child is none for this one: cells are taken, never given back.
    return nextFree(crowded, Math.max(own, this.lastColumns[parent] as number) + 1);
  }

  /** No branch begins in these rows of a column from now on. */
  private crowd(top: number, bottom: number, column: number): void {
    for (let row = Math.max(top, 0); row <= bottom; row += 1) {
      const crowded = at(this.crowded, row);
      if (!crowded.has(column)) crowded.set(column, column + 1);
    }
  }
}

/** The first column from `column` on that is not in the map; shortens the way for whoever asks next. */
function nextFree(crowded: Map<number, number>, column: number): number {
  let free = column;
  for (let next = crowded.get(free); next !== undefined; next = crowded.get(free)) free = next;
  for (let step = column; step !== free; ) {
    const next = crowded.get(step) as number;
    crowded.set(step, free);
    step = next;
  }
  return free;
}

function at(rows: Map<number, number>[], row: number): Map<number, number> {
  while (rows.length <= row) rows.push(new Map());
  return rows[row] as Map<number, number>;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
