import { Hourglass } from "lucide-react";
import { useSession, useSessionStore } from "../../session/context";
import { RetryButton } from "../shared/SummaryState";
import { summaryStates } from "./states";
import { words } from "./texts";

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
        <div className="pn-problem">
          <span>{text.failedOnPath(failed.length)}</span>
          <RetryButton ids={failed} />
        </div>
      )}
    </>
  );
}
