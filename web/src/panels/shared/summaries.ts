import { useEffect, useRef } from "react";
import { follow } from "../../api/follow";
import { graphql } from "../../graphql/generated";
import type { SummariesSubscription } from "../../graphql/generated/graphql";
import { useSessionStore } from "../../session/context";

const Summaries = graphql(`
  subscription Summaries($id: ID!, $after: Int) {
    summaryCompleted(sessionId: $id, afterRevision: $after) {
      nodeId
      kind
      state
      revision
    }
  }
`);

export type Landed = SummariesSubscription["summaryCompleted"];

/** Tell of each summary of the open session that ends from now on, well or not. */
export function useSummaries(landed: (summary: Landed) => void): void {
  const store = useSessionStore();
  const told = useRef(landed);
  told.current = landed;
  useEffect(() => {
    let seen = store.get().session?.revision ?? null;
    return follow({
      document: Summaries,
      variables: () => ({ id: store.id, after: seen }),
      next: ({ summaryCompleted }) => {
        seen = summaryCompleted.revision;
        told.current(summaryCompleted);
      },
    });
  }, [store]);
}
