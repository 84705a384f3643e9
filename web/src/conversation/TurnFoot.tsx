/** Below an answer: what can be done with the turn, and what answering took. */

import { BookOpenText, Ellipsis, GitFork, Layers2, Link2, RotateCcw, Tag } from "lucide-react";
import { useMemo } from "react";
import { usePanels } from "../app/panels";
import { pathOf } from "../app/route";
import { shortCount } from "../i18n/texts";
import { forkAt } from "../session/actions";
import { useSessionStore } from "../session/context";
import { questionOf, type Turn } from "../session/turns";
import { IconButton } from "../ui/Button";
import { copyAndTell } from "../ui/clipboard";
import { Menu } from "../ui/Menu";
import { toastError } from "../ui/toasts";
import { announce } from "./announce";
import { CopyAction } from "./CopyAction";
import { focusComposer } from "./focus";
import { answerParts, answerText, usageOf } from "./parts";
import { words } from "./texts";
import { useRegenerate } from "./useRegenerate";

interface FootProps {
  turn: Turn;
  isRunning: boolean;
  isNear: boolean;
}

export function TurnFoot({ turn, isRunning, isNear }: FootProps) {
  const text = words.use();
  return (
    <div className="turn-foot">
      {isRunning ? (
        <span className="writing">
          <span className="dots" aria-hidden>
            <i />
            <i />
            <i />
          </span>
          {text.writing}
        </span>
      ) : (
        isNear && turn.nodeId !== null && <Actions turn={turn} nodeId={turn.nodeId} />
      )}
      {!isRunning && isNear && <UsageLine turn={turn} />}
    </div>
  );
}

function Actions({ turn, nodeId }: { turn: Turn; nodeId: string }) {
  const text = words.use();
  const store = useSessionStore();
  const [regenerate, isBusy] = useRegenerate(nodeId);
  const parts = useMemo(() => answerParts(turn.entries), [turn.entries]);
  const hasQuestion = questionOf(turn) !== undefined;
  const fork = (summarize: boolean) =>
    forkAt(store, nodeId, summarize).then(() => {
      announce(text.forked);
      focusComposer();
    }, toastError);
  const copyLink = () => {
    const link = new URL(pathOf(store.id, nodeId), window.location.href).href;
    void copyAndTell(link, text.linkCopied);
  };
  return (
    <div className="turn-actions">
      {parts.some((it) => it.kind === "text") && (
        <CopyAction label={text.copyAnswer} text={() => answerText(parts)} />
      )}
      {hasQuestion && (
        <IconButton label={text.regenerate} disabled={isBusy} onClick={regenerate}>
          <RotateCcw />
        </IconButton>
      )}
      <IconButton label={text.forkHere} onClick={() => void fork(false)}>
        <GitFork />
      </IconButton>
      <IconButton label={text.setLabel} onClick={() => usePanels.setState({ labelling: nodeId })}>
        <Tag />
      </IconButton>
      <Menu
        label={text.moreActions}
        items={[
          {
            label: text.summaries,
            icon: <BookOpenText aria-hidden />,
            onSelect: () => usePanels.setState({ details: nodeId }),
          },
          { label: text.copyLink, icon: <Link2 aria-hidden />, onSelect: copyLink },
          { label: text.forkSummary, icon: <Layers2 aria-hidden />, onSelect: () => void fork(true) },
        ]}
      >
        <Ellipsis />
      </Menu>
    </div>
  );
}

function UsageLine({ turn }: { turn: Turn }) {
  const text = words.use();
  const usage = useMemo(() => usageOf(turn.entries), [turn.entries]);
  if (!usage) return null;
  const sent = shortCount(usage.inputTokens);
  const answered = shortCount(usage.outputTokens);
  return (
    <p className="usage-line">
      {usage.model && <bdi>{usage.model}</bdi>}
      {usage.inputTokens + usage.outputTokens > 0 && (
        <span title={text.tokens(sent, answered)}>{text.usage(sent, answered)}</span>
      )}
      {usage.costUsd !== null && usage.costUsd > 0 && <span>{dollars(usage.costUsd)}</span>}
    </p>
  );
}

function dollars(amount: number): string {
  return amount < 0.01 ? "< $0.01" : `$${amount.toFixed(2)}`;
}
