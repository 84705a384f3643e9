/** A turn's summaries beside its raw text. */

import { useCallback, useMemo, useState } from "react";
import { request } from "../api/request";
import type { NodeFieldsFragment } from "../graphql/generated/graphql";
import { when } from "../i18n/texts";
import { Markdown } from "../markdown/Markdown";
import { useSession, useSessionStore } from "../session/context";
import { ReadNode } from "../session/operations";
import type { Turn } from "../session/turns";
import { Dialog } from "../ui/Dialog";
import { Beside } from "./raw/Beside";
import { RawTurn } from "./raw/RawTurn";
import { RawTurns } from "./raw/RawTurns";
import { useAsked } from "./shared/asked";
import { Problem, Skeleton } from "./shared/Problem";
import { SourceChip } from "./shared/SourceChip";
import { SummaryStateLine } from "./shared/SummaryState";
import { useSummaries } from "./shared/summaries";
import { words } from "./texts";

export function DetailsDialog({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const text = words.use();
  const store = useSessionStore();
  // Its answer, its label or its summary may come while it is read.
  useSession((it) => it.version);
  const known = store.outline.get(nodeId);
  const ask = useCallback(async () => (await request(ReadNode, { nodeId })).node ?? null, [nodeId]);
  const { data: node, loading, problem, again } = useAsked(ask);
  useSummaries((landed) => landed.nodeId === nodeId && again());
  const number = useMemo(() => store.outline.path(nodeId).length, [store, nodeId]);
  return (
    <Dialog title={text.turnDetails(number)} onClose={onClose} wide>
      {known?.label && (
        <p className="pn-label">
          <bdi>{known.label}</bdi>
        </p>
      )}
      {problem !== null && <Problem message={problem} onRetry={again} />}
      {!node && loading && <Skeleton lines={8} />}
      {!node && !loading && problem === null && <p className="soft">{text.noTurn}</p>}
      {node && (
        <Beside
          summary={<Summaries node={node} onRetried={again} />}
          raw={<Raw node={node} number={number} />}
        />
      )}
    </Dialog>
  );
}

function Summaries({ node, onRetried }: { node: NodeFieldsFragment; onRetried: () => void }) {
  const text = words.use();
  return (
    <>
      <h3>{text.summaries}</h3>
      <SummaryStateLine
        state={node.summaryState}
        error={node.summaryError ?? null}
        id={node.nodeId}
        onRetried={onRetried}
      />
      {node.anchorSummary && (
        <section>
          <h4 className="pn-row pn-summary-title">
            <SourceChip source="ANCHOR_SUMMARY" />
            <span>{text.anchorOf}</span>
          </h4>
          <Markdown text={node.anchorSummary} />
        </section>
      )}
      {node.nodeSummary && (
        <section>
          <h4 className="pn-row pn-summary-title">
            <SourceChip source="NODE_SUMMARY" />
            <span>{text.nodeOf}</span>
          </h4>
          <Markdown text={node.nodeSummary} />
        </section>
      )}
      <dl className="pn-facts">
        <div>
          <dt>{text.askedAt}</dt>
          <dd>{when(node.createTime)}</dd>
        </div>
        {node.model && (
          <div>
            <dt>{text.answeredBy}</dt>
            <dd>
              <bdi>{node.model}</bdi>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Raw({ node, number }: { node: NodeFieldsFragment; number: number }) {
  const text = words.use();
  const [all, setAll] = useState(false);
  const turn: Turn = { kind: "turn", nodeId: node.nodeId, entries: node.entries };
  const place = useMemo(() => ({ kind: "anchor" as const, id: node.nodeId, path: [] }), [node.nodeId]);
  return (
    <>
      <div className="pn-row">
        <h3>{all ? text.rawTurns : text.rawTurn}</h3>
        {node.anchorSummary && number > 1 && (
          <label className="pn-check">
            <input type="checkbox" checked={all} onChange={(it) => setAll(it.target.checked)} />
            {text.allCovered(number)}
          </label>
        )}
      </div>
      {all ? <RawTurns place={place} /> : <RawTurn turn={turn} number={number} />}
    </>
  );
}
