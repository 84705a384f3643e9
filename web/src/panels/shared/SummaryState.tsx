import { CircleCheck, Hourglass, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { SummaryState } from "../../graphql/generated/graphql";
import { retrySummary } from "../../session/actions";
import { useSessionStore } from "../../session/context";
import { Button } from "../../ui/Button";
import { toastError } from "../../ui/toasts";
import { words } from "../texts";
import { Problem } from "./Problem";

interface SummaryStateProps {
  state: SummaryState;
  error: string | null;
  /** The node's, or the branch summary's entry. */
  id: string;
  onRetried: () => void;
}

/** Where the making of a summary stands, in words; one that failed can be tried again. */
export function SummaryStateLine({ state, error, id, onRetried }: SummaryStateProps) {
  const text = words.use();
  if (state === "FAILED")
    return (
      <div className="pn-failed">
        <Problem message={error ? text.summaryFailedWith(error) : text.summaryFailed} />
        <RetryButton ids={[id]} onRetried={onRetried} />
      </div>
    );
  return (
    <p className="pn-state" role="status">
      {state === "DONE" ? <CircleCheck aria-hidden /> : state === "NONE" ? null : <Hourglass aria-hidden />}
      {state === "DONE" ? text.summaryDone : state === "NONE" ? text.summaryNone : text.summaryPending}
    </p>
  );
}

/** Tries failed summaries again. */
export function RetryButton({ ids, onRetried }: { ids: readonly string[]; onRetried?: () => void }) {
  const text = words.use();
  const store = useSessionStore();
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    try {
      for (const id of ids) {
        const node = await retrySummary(id);
        if (node) store.learn(node);
      }
      onRetried?.();
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <Button disabled={busy} onClick={() => void retry()}>
      <RotateCcw aria-hidden />
      {text.retrySummary}
    </Button>
  );
}
