/** What the branch and the whole conversation have used and cost, and each turn of the path. */

import { useCallback } from "react";
import { request } from "../api/request";
import { graphql } from "../graphql/generated";
import { useSession, useSessionStore } from "../session/context";
import { useAsked } from "./shared/asked";
import { Problem, Skeleton } from "./shared/Problem";
import { HowToPrice } from "./usage/HowToPrice";
import { Totals } from "./usage/Totals";
import { TurnTable } from "./usage/TurnTable";
import { words } from "./usage/texts";
import "./panels.css";
import "./usage/usage.css";

const BranchUsage = graphql(`
  query BranchUsage($nodeId: ID!) {
    usage(nodeId: $nodeId) {
      path {
        ...UsedTokens
      }
      session {
        ...UsedTokens
      }
    }
  }

  fragment UsedTokens on Usage {
    inputTokens
    outputTokens
    cacheReadTokens
    cacheWriteTokens
    costUsd
  }
`);

export function UsagePanel() {
  const text = words.use();
  const { data, loading, problem, again, empty } = useUsage();
  return (
    <div className="pn-panel" aria-busy={loading}>
      {problem !== null && <Problem message={problem} onRetry={again} />}
      {empty && <p className="soft">{text.empty}</p>}
      {!data && loading && !empty && (
        <>
          <Skeleton lines={6} />
          <Skeleton lines={6} />
        </>
      )}
      {data && (
        <>
          <div className="pn-used-both">
            {data.path && <Totals title={text.path} help={text.pathHelp} used={data.path} />}
            <Totals title={text.session} help={text.sessionHelp} used={data.session} />
          </div>
          {(data.path?.costUsd ?? data.session.costUsd) === null && <HowToPrice />}
          <TurnTable />
        </>
      )}
    </div>
  );
}

/** Asked again whenever the session has changed. Above all turns there is no branch, only the session. */
function useUsage() {
  const store = useSessionStore();
  const { ready, currentId, anyId, revision } = useSession((it) => ({
    ready: it.phase === "ready",
    currentId: it.currentId,
    anyId: store.outline.children(null)[0] ?? null,
    revision: it.session?.revision ?? 0,
  }));
  const nodeId = currentId ?? anyId;
  const ask = useCallback(async () => {
    // Named so that a new one asks again.
    void revision;
    if (nodeId === null) return null;
    const { usage } = await request(BranchUsage, { nodeId });
    const known = (used: typeof usage.path) => ({ ...used, costUsd: used.costUsd ?? null });
    return { path: currentId === null ? null : known(usage.path), session: known(usage.session) };
  }, [nodeId, currentId, revision]);
  return { ...useAsked(ready ? ask : null), empty: ready && nodeId === null };
}
