/** What can be chosen for the next question, and what holds where one is. */

import { useEffect, useState } from "react";
import { request } from "../api/request";
import type { ChoicesQuery } from "../graphql/generated/graphql";
import { useSession, useSessionStore } from "../session/context";
import { Choices, StateAt } from "./operations";

export type ModelChoice = ChoicesQuery["models"][number];

/** Null: not known yet, or the server could not be asked. */
export function useChoices(): ChoicesQuery | null {
  const [choices, setChoices] = useState<ChoicesQuery | null>(null);
  useEffect(() => {
    let isHere = true;
    request(Choices, {}).then(
      (it) => isHere && setChoices(it),
      // What holds can be seen without, and the connection is told of elsewhere.
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, []);
  return choices;
}

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
