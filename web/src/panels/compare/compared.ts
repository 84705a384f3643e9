/** What the panel compares, and what the server says of the two. */

import { useCallback, useState } from "react";
import { request } from "../../api/request";
import { usePanels } from "../../app/panels";
import { graphql } from "../../graphql/generated";
import type { CompareQuery } from "../../graphql/generated/graphql";
import { useSession, useSessionStore } from "../../session/context";
import type { Outline } from "../../session/outline";
import { type Asked, useAsked } from "../shared/asked";
import { type Sides, sidesAt } from "./sides";

const Compare = graphql(`
  query Compare($a: ID!, $b: ID!) {
    compareBranches(a: $a, b: $b) {
      commonAncestor
      onlyA {
        ...ComparedTurn
      }
      onlyB {
        ...ComparedTurn
      }
      usageA {
        ...ComparedUsage
      }
      usageB {
        ...ComparedUsage
      }
    }
  }

  fragment ComparedUsage on Usage {
    inputTokens
    outputTokens
    cacheReadTokens
    cacheWriteTokens
    costUsd
  }

  fragment ComparedTurn on DialogueNode {
    nodeId
    userContent
    aiContent
    status
    error
    label
    model
  }
`);

export type Comparison = CompareQuery["compareBranches"];
export type ComparedTurn = Comparison["onlyA"][number];

interface Compared {
  /** Null: nothing has been chosen to compare with. */
  readonly sides: Sides | null;
  readonly swap: () => void;
}

/** The two sides, as a person moves: A is where they stood when they chose, B what they chose. */
export function useSides(): Compared {
  const { outline } = useSessionStore();
  const currentId = useSession((it) => it.currentId);
  const chosen = usePanels((it) => it.compareWith);
  const [kept, setKept] = useState<{ chosen: string; sides: Sides } | null>(null);
  let now = kept;
  if (chosen === null || currentId === null) now = null;
  else if (kept?.chosen !== chosen) now = { chosen, sides: { a: currentId, b: chosen } };
  else {
    const sides = sidesAt(kept.sides, currentId, outline);
    if (sides !== kept.sides) now = { chosen, sides };
  }
  if (now !== kept) setKept(now);
  const swap = useCallback(
    () => setKept((it) => it && { ...it, sides: { a: it.sides.b, b: it.sides.a } }),
    [],
  );
  return { sides: now?.sides ?? null, swap };
}

/** Null data with no problem: an answer that runs has nothing above it to compare yet. */
export function useComparison(sides: Sides): Asked<Comparison | null> {
  const { outline } = useSessionStore();
  // An answer that runs is no entry yet; what stands above it is. Its end asks again.
  const ends = useSession(() => ({ a: finished(sides.a, outline), b: finished(sides.b, outline) }));
  const { a, b } = ends;
  const ask = useCallback(async () => {
    if (a === null || b === null) return null;
    return (await request(Compare, { a, b })).compareBranches;
  }, [a, b]);
  return useAsked(ask);
}

function finished(nodeId: string, outline: Outline): string | null {
  const node = outline.get(nodeId);
  return node?.status === "RUNNING" ? node.parentId : nodeId;
}
