import { CircleAlert, CircleQuestionMark, CircleStop, RotateCcw, Zap } from "lucide-react";
import { useMemo } from "react";
import type { NodeStatus } from "../graphql/generated/graphql";
import type { Turn } from "../session/turns";
import { Button } from "../ui/Button";
import { endingOf } from "./parts";
import { words } from "./texts";
import { useRegenerate } from "./useRegenerate";

/** Why an answer is not all that it should be, and the way to another one. Nothing where it is. */
export function TurnEnding({ turn, status }: { turn: Turn; status: NodeStatus }) {
  const text = words.use();
  const { stopReason, error } = useMemo(() => endingOf(turn.entries), [turn.entries]);
  const [regenerate, isBusy] = useRegenerate(turn.nodeId);

  if (status === "DONE") {
    const note = { length: text.cutOff, refusal: text.refused }[stopReason ?? ""];
    return note ? <p className="ending ending-note">{note}</p> : null;
  }
  const isError = status === "FAILED" || status === "INTERRUPTED";
  const [Icon, reason] = {
    FAILED: [CircleAlert, [text.failed, error].filter(Boolean).join(" ")] as const,
    INTERRUPTED: [Zap, text.interrupted] as const,
    CANCELLED: [CircleStop, text.cancelled] as const,
    UNANSWERED: [CircleQuestionMark, text.unanswered] as const,
    RUNNING: [CircleQuestionMark, ""] as const,
  }[status];
  return (
    <div className={isError ? "ending ending-error" : "ending"}>
      <Icon aria-hidden />
      <bdi className="ending-reason">{reason}</bdi>
      <Button onClick={regenerate} disabled={isBusy}>
        <RotateCcw aria-hidden />
        {status === "UNANSWERED" ? text.getAnswer : text.tryAgain}
      </Button>
    </div>
  );
}
