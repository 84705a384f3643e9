import type { Outline } from "../../session/outline";
import type { PathItem } from "../../session/turns";

export interface SummaryStates {
  /** How many are being written, or will be. */
  readonly pending: number;
  /** Nodes, and entries of branch summaries, whose summaries have failed. */
  readonly failed: readonly string[];
}

/** Where the summaries of a path stand. */
export function summaryStates(
  path: readonly string[],
  items: readonly PathItem[],
  outline: Outline,
): SummaryStates {
  const states = path.map((id) => [id, outline.get(id)?.summaryState] as const);
  for (const item of items)
    if (item.kind === "between" && item.entry.__typename === "BranchSummaryEntry")
      states.push([item.entry.id, item.entry.summaryState]);
  return {
    pending: states.filter(([, state]) => state === "PENDING" || state === "RUNNING").length,
    failed: states.filter(([, state]) => state === "FAILED").map(([id]) => id),
  };
}
