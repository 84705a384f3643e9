/** What stands between turns: changes, compactions, summaries of branches, messages of applications. */

import { Brain, Cpu, FoldVertical, GitMerge, History, MessageSquareText, Wrench } from "lucide-react";
import { type ReactNode, useState } from "react";
import { count } from "../i18n/texts";
import { Markdown, PlainText } from "../markdown/Markdown";
import { retrySummary } from "../session/actions";
import { useSession, useSessionStore } from "../session/context";
import type { Entry } from "../session/turns";
import { Button } from "../ui/Button";
import { words as common } from "../ui/texts";
import { toastError } from "../ui/toasts";
import { Fold } from "./Fold";
import { levelName } from "./levels";
import { PictureView } from "./PartView";
import { picturesOf, textOf } from "./parts";
import { words } from "./texts";

export function BetweenView({ entry }: { entry: Entry }) {
  const text = words.use();
  switch (entry.__typename) {
    case "ModelChangeEntry":
      return (
        <Line icon={<Cpu aria-hidden />}>
          {text.modelFromHere} <bdi className="between-value">{entry.modelId}</bdi>
        </Line>
      );
    case "ThinkingLevelChangeEntry":
      return (
        <Line icon={<Brain aria-hidden />}>
          {text.thinkingFromHere} <bdi className="between-value">{levelName(entry.level, text)}</bdi>
        </Line>
      );
    case "ActiveToolsChangeEntry":
      return (
        <Line icon={<Wrench aria-hidden />}>
          {text.toolsFromHere}{" "}
          <bdi className="between-value">{entry.toolNames.join(", ") || text.noTools}</bdi>
        </Line>
      );
    case "CompactionEntry":
      return (
        <Fold
          className="between-fold"
          icon={<FoldVertical aria-hidden />}
          summary={
            <>
              {text.compaction}{" "}
              <span className="soft">({text.compactionTokens(count(entry.tokensBefore))})</span>
            </>
          }
        >
          {() => <Markdown text={entry.summary} />}
        </Fold>
      );
    case "BranchSummaryEntry":
      return <BranchSummary entry={entry} />;
    case "CustomMessageEntry":
      return (
        <div className="custom-message">
          <p className="custom-type">
            <MessageSquareText aria-hidden />
            <bdi>{entry.customType || text.customMessage}</bdi>
          </p>
          {picturesOf(entry.customContent).map((it, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <PictureView key={at} picture={it} />
          ))}
          <PlainText text={textOf(entry.customContent)} />
        </div>
      );
    default:
      return null;
  }
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="between-line">
      {icon}
      <span>{children}</span>
    </p>
  );
}

type BranchSummaryEntry = Extract<Entry, { __typename: "BranchSummaryEntry" }>;

function BranchSummary({ entry }: { entry: BranchSummaryEntry }) {
  const text = words.use();
  const { retry } = common.use();
  const store = useSessionStore();
  const [retried, setRetried] = useState(false);
  const canGo = useSession(() => entry.scope === "BRANCH" && store.outline.has(entry.fromId));
  const [Icon, name] =
    entry.scope === "BRANCH" ? [GitMerge, text.branchSummary] : [History, text.historySummary];
  const goThere = canGo && (
    <Button kind="quiet" onClick={() => store.goTo(entry.fromId)}>
      {text.goToBranch}
    </Button>
  );
  if (entry.summaryState === "DONE" || entry.summaryState === "NONE")
    return (
      <Fold className="between-fold" icon={<Icon aria-hidden />} summary={name}>
        {() => (
          <>
            <Markdown text={entry.branchSummary} />
            {goThere}
          </>
        )}
      </Fold>
    );
  const hasFailed = entry.summaryState === "FAILED" && !retried;
  const again = () => {
    setRetried(true);
    retrySummary(entry.id).catch((error: unknown) => {
      setRetried(false);
      toastError(error);
    });
  };
  return (
    <div className={hasFailed ? "between-line between-failed" : "between-line"}>
      <Icon aria-hidden />
      <span>
        {name}: {hasFailed ? text.branchFailed : text.branchPending}
        {hasFailed && entry.summaryError && <bdi>. {entry.summaryError}</bdi>}
      </span>
      {hasFailed && (
        <Button kind="quiet" onClick={again}>
          {retry}
        </Button>
      )}
      {goThere}
    </div>
  );
}
