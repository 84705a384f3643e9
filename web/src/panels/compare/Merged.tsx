import { useCallback } from "react";
import { request } from "../../api/request";
import type { EntryFieldsFragment } from "../../graphql/generated/graphql";
import { Markdown } from "../../markdown/Markdown";
import { useSession, useSessionStore } from "../../session/context";
import { ReadEntry } from "../../session/operations";
import { useAsked } from "../shared/asked";
import { Folded } from "../shared/Folded";
import { Problem } from "../shared/Problem";
import { SourceChip } from "../shared/SourceChip";
import { SummaryStateLine } from "../shared/SummaryState";
import { useSummaries } from "../shared/summaries";
import { words } from "./texts";

type BranchSummary = Extract<EntryFieldsFragment, { __typename: "BranchSummaryEntry" }>;

/** What has been brought in below the end of a branch, and how far its summary is. */
export function Merged({ side, nodeId }: { side: string; nodeId: string }) {
  const text = words.use();
  const { outline } = useSessionStore();
  const ids = useSession(() =>
    outline
      .marks(nodeId)
      .filter((it) => it.type === "BRANCH_SUMMARY" && it.scope === "BRANCH")
      .map((it) => it.entryId)
      .join(" "),
  );
  const ask = useCallback(async () => {
    const found = await Promise.all(
      ids
        .split(" ")
        .filter(Boolean)
        .map((id) => request(ReadEntry, { id })),
    );
    return found.flatMap(({ entry }) => (entry?.__typename === "BranchSummaryEntry" ? [entry] : []));
  }, [ids]);
  const { data, problem, again } = useAsked(ask);
  useSummaries((landed) => ids.includes(landed.nodeId) && again());
  return (
    <div className="pn-merged" aria-live="polite">
      {problem !== null && <Problem message={problem} onRetry={again} />}
      {data?.map((entry) => (
        <One key={entry.id} entry={entry} title={text.merged(side)} onRetried={again} />
      ))}
    </div>
  );
}

function One({ entry, title, onRetried }: { entry: BranchSummary; title: string; onRetried: () => void }) {
  const text = words.use();
  const { outline } = useSessionStore();
  return (
    <article className="pn-cell pn-source-BRANCH_SUMMARY pn-merged-one">
      <div className="pn-row">
        <SourceChip source="BRANCH_SUMMARY" />
        <span className="soft">{title}</span>
      </div>
      <p className="pn-merged-from soft">
        {text.from} <bdi>{outline.get(entry.fromId)?.question}</bdi>
      </p>
      {entry.summaryState !== "DONE" && entry.summaryState !== "NONE" && (
        <SummaryStateLine
          state={entry.summaryState}
          error={entry.summaryError ?? null}
          id={entry.id}
          onRetried={onRetried}
        />
      )}
      {entry.branchSummary !== "" && (
        <Folded lines={4}>
          <Markdown text={entry.branchSummary} />
        </Folded>
      )}
    </article>
  );
}
