/** Which entries a summary stands for: from where up, what is left out at the beginning, and where it ends. */

import type { Entry } from "../../session/turns";

/** A turn's own summary and an anchor's by their node; that of a compaction or a branch by its entry. */
export interface SummaryPlace {
  readonly kind: "turn" | "anchor" | "entry";
  readonly id: string;
  /** The nodes of the path on which it is read: what happened on another branch ends where that leaves this path. */
  readonly path: readonly string[];
}

export interface Range {
  /** The entry to read from, upwards; null: nothing, or nothing more. */
  readonly from: string | null;
  /** Everything down to this entry is left out: a compaction keeps it. */
  readonly skipTo: string | null;
  readonly stopAt: ReadonlySet<string>;
}

const NOWHERE: ReadonlySet<string> = new Set();

export function rangeOfAnchor(nodeId: string): Range {
  return { from: nodeId, skipTo: null, stopAt: NOWHERE };
}

/** path: see SummaryPlace. */
export function rangeOfEntry(entry: Entry, path: readonly string[]): Range {
  const above = { from: entry.parentId ?? null, skipTo: null, stopAt: NOWHERE };
  if (entry.__typename === "CompactionEntry") {
    // One that keeps nothing names itself.
    const keeps = entry.firstKeptEntryId !== entry.id;
    return keeps ? { ...above, skipTo: entry.firstKeptEntryId } : above;
  }
  if (entry.__typename === "BranchSummaryEntry" && entry.scope === "BRANCH")
    return { from: entry.fromId, skipTo: null, stopAt: new Set(path) };
  return above;
}

/** What of a page of entries, nearest first, is in a range, and the range of the pages after it. */
export function cut(page: readonly Entry[], range: Range): { entries: Entry[]; rest: Range } {
  const entries: Entry[] = [];
  let { skipTo } = range;
  for (const entry of page) {
    if (skipTo !== null) {
      if (entry.id === skipTo) skipTo = null;
      continue;
    }
    if (range.stopAt.has(entry.id)) return { entries, rest: { ...range, from: null, skipTo } };
    entries.push(entry);
  }
  return { entries, rest: { ...range, skipTo } };
}
