/**
 * The horizontal parts of edges. All edges from a node to its children share one: the span, in the gap below the
 * node's row, from the node's column to that of its furthest child.
 *
 * Spans of one gap that overlap lie in different lanes where there are enough, so that one can tell whose child is
 * whose. Spans are found by where they pass, not only by where they end: one may cross the view with both ends outside.
 */

import type { Cells } from "./layout";

export const LANES = 4;
/** Columns are searched by the bucket. */
const BUCKET = 64;

export interface Span {
  /** Index of the node that it starts from. */
  readonly node: number;
  readonly row: number;
  left: number;
  right: number;
  lane: number;
}

type Buckets = Map<number, Span[]>;

export class Spans {
  private readonly byNode = new Map<number, Span>();
  private readonly byRow: Buckets[] = [];

  of(node: number): Span | undefined {
    return this.byNode.get(node);
  }

  /** A node in some row and column has got a child in another column. */
  reach(node: number, row: number, own: number, column: number): void {
    let span = this.byNode.get(node);
    if (!span) {
      span = { node, row, left: own, right: own, lane: 0 };
      this.byNode.set(node, span);
      this.widen(span, Math.min(own, column), Math.max(own, column), true);
    } else {
      this.widen(span, Math.min(span.left, column), Math.max(span.right, column), false);
    }
  }

  /** Visit the spans that pass through some cells, each once; costs no more than all the spans. */
  each(cells: Cells, visit: (span: Span) => void): void {
    const top = Math.max(cells.top, 0);
    const bottom = Math.min(cells.bottom, this.byRow.length - 1);
    const first = bucketOf(Math.max(cells.left, 0));
    const last = bucketOf(cells.right);
    if ((bottom - top + 1) * (last - first + 1) >= this.byNode.size) {
      for (const span of this.byNode.values())
        if (span.row >= top && span.row <= bottom && meets(span, cells.left, cells.right)) visit(span);
      return;
    }
    for (let row = top; row <= bottom; row += 1) {
      const buckets = this.byRow[row] as Buckets;
      if (buckets.size === 0) continue;
      for (let bucket = first; bucket <= last; bucket += 1)
        // It is in all the buckets that it passes: only the first of them that is asked counts.
        for (const span of buckets.get(bucket) ?? [])
          if (bucket === Math.max(first, bucketOf(span.left)) && meets(span, cells.left, cells.right))
            visit(span);
    }
  }

  private widen(span: Span, left: number, right: number, isNew: boolean): void {
    while (this.byRow.length <= span.row) this.byRow.push(new Map());
    const buckets = this.byRow[span.row] as Buckets;
    const isCrossed =
      isNew ||
      this.lanesMet(span, left, span.left - 1).has(span.lane) ||
      this.lanesMet(span, span.right + 1, right).has(span.lane);
    const [oldFirst, oldLast] = [bucketOf(span.left), bucketOf(span.right)];
    for (let bucket = bucketOf(left); bucket <= bucketOf(right); bucket += 1) {
      if (!isNew && bucket >= oldFirst && bucket <= oldLast) continue;
      const list = buckets.get(bucket);
      if (list) list.push(span);
      else buckets.set(bucket, [span]);
    }
    span.left = left;
    span.right = right;
    if (isCrossed) this.chooseLane(span);
  }

  private chooseLane(span: Span): void {
    const met = this.lanesMet(span, span.left, span.right);
    for (let lane = 0; lane < LANES; lane += 1) {
      if (met.has(lane)) continue;
      span.lane = lane;
      return;
    }
  }

  /** The lanes of other spans of the gap that pass these columns; the search ends when that is all of them. */
  private lanesMet(span: Span, left: number, right: number): Set<number> {
    const met = new Set<number>();
    for (let bucket = bucketOf(left); bucket <= bucketOf(right); bucket += 1)
      for (const other of this.byRow[span.row]?.get(bucket) ?? []) {
        if (other !== span && meets(other, left, right)) met.add(other.lane);
        if (met.size === LANES) return met;
      }
    return met;
  }
}

function bucketOf(column: number): number {
  return Math.floor(column / BUCKET);
}

function meets(span: Span, left: number, right: number): boolean {
  return span.left <= right && span.right >= left;
}
