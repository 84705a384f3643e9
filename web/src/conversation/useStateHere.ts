/** What holds for the next question where one is. */

import { useEffect, useState } from "react";
import { request } from "../api/request";
import { useSession, useSessionStore } from "../session/context";
import { StateAt } from "./operations";

export interface StateHere {
  readonly modelId: string;
  readonly thinkingLevel: string;
}

/** Null: not known yet. */
export function useStateHere(): StateHere | null {
  const store = useSessionStore();
  const { entryId, model } = useSession((it) => ({
    // Changes stand below the turn at which the session stands, and hold there.
    entryId:
      it.currentId === it.leafNodeId ? (it.session?.leafId ?? null) : store.entryToStandAt(it.currentId),
    model: it.session?.model ?? null,
  }));
  const [known, setKnown] = useState<StateHere | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the session's own model holds where no change does
  useEffect(() => {
    if (entryId === null) {
      setKnown(null);
      return;
    }
    let isHere = true;
    request(StateAt, { entryId }).then(
      ({ stateAt: { modelId, thinkingLevel } }) => isHere && setKnown({ modelId, thinkingLevel }),
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [entryId, model]);
  if (entryId === null) return model === null ? null : { modelId: model, thinkingLevel: "off" };
  return known;
}
