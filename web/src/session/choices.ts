/**
 * Which models and thinking levels the server offers. One list for the page, read anew whenever the server is reached
 * again: it may have been started with another model.
 */

import { useEffect } from "react";
import { create } from "zustand";
import { useConnection } from "../api/connection";
import { request } from "../api/request";
import { graphql } from "../graphql/generated";
import type { ChoicesQuery } from "../graphql/generated/graphql";
import { explain } from "./actions";

const Choices = graphql(`
  query Choices {
    models {
      id
      provider
      window
      isDefault
      inputUsdPerMillion
      outputUsdPerMillion
    }
    thinkingLevels
  }
`);

export type ModelChoice = ChoicesQuery["models"][number];

interface Known {
  /** Null: not known yet. */
  readonly choices: ChoicesQuery | null;
  /** Why they could not be read the last time. */
  readonly problem: string | null;
}

const useKnown = create<Known>()(() => ({ choices: null, problem: null }));

function read(): void {
  request(Choices, {}).then(
    (choices) => useKnown.setState({ choices, problem: null }),
    (error) => useKnown.setState({ problem: explain(error) }),
  );
}

useConnection.subscribe(({ live }, before) => {
  if (live === "live" && before.live === "connecting") read();
});

export function useChoices(): Known {
  const known = useKnown();
  const isKnown = known.choices !== null;
  useEffect(() => {
    if (!isKnown) read();
  }, [isKnown]);
  return known;
}
