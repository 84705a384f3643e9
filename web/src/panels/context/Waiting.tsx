import { Hourglass } from "lucide-react";
import { useSession, useSessionStore } from "../../session/context";
import type { Outline } from "../../session/outline";
import type { PathItem } from "../../session/turns";
import { RetryButton } from "../shared/SummaryState";
import { words } from "./texts";

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

/** Summaries that are not there: until they are, what they would stand for is sent as it was written. */
export function Waiting({ path }: { path: readonly string[] }) {
  const text = words.use();
  const { outline } = useSessionStore();
  const { items } = useSession((it) => ({ items: it.items, version: it.version }));
  const { pending, failed } = summaryStates(path, items, outline);
  return (
    <>
      {pending > 0 && (
        <p className="pn-state">
          <Hourglass aria-hidden />
          {text.pendingOnPath(pending)}
        </p>
      )}
      {failed.length > 0 && (
        <div className="pn-problem" role="alert">
          <span>{text.failedOnPath(failed.length)}</span>
          <RetryButton ids={failed} onRetried={() => undefined} />
        </div>
      )}
    </>
  );
}
