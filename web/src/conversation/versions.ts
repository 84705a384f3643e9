/** A turn among those that stand beside it: other answers, and the question in other words. */

import type { Outline } from "../session/outline";

export interface Versions {
  /** From 1. */
  readonly number: number;
  readonly count: number;
  readonly previous: string | null;
  readonly next: string | null;
}

/** Null: the node has none beside it, or is not known. */
export function versionsOf(outline: Outline, nodeId: string): Versions | null {
  const all = outline.siblings(nodeId);
  const at = all.indexOf(nodeId);
  if (at < 0 || all.length < 2) return null;
  return { number: at + 1, count: all.length, previous: all[at - 1] ?? null, next: all[at + 1] ?? null };
}
