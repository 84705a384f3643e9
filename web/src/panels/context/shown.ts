/** What is asked of the server for the panel: the context of the shown place, with the question that is being written. */

import { useCallback } from "react";
import { request } from "../../api/request";
import { useDraft } from "../../conversation/draftStore";
import { graphql } from "../../graphql/generated";
import type { ShownContextQuery } from "../../graphql/generated/graphql";
import { useChoices } from "../../session/choices";
import { useSession, useSessionStore } from "../../session/context";
import { questionOf } from "../../session/turns";
import { type Asked, useAsked, useRested } from "../shared/asked";

const ShownContext = graphql(`
  query ShownContext($id: ID!, $path: [ID!]!, $question: String) {
    context(sessionId: $id, activePath: $path, question: $question) {
      system
      model
      boundaryId
      totalTokens
      fullHistoryTokens
      messages {
        role
        text
        content
        source
        entryIds
        nodeId
        tokens
        cacheBreakpoint
      }
      omitted {
        entryId
        reason
      }
    }
  }
`);

const TYPING_RESTS = 300;

export type AssembledContext = ShownContextQuery["context"];
export type ContextMessage = AssembledContext["messages"][number];

export interface Shown {
  readonly context: AssembledContext;
  /** The nodes of the path that it is the context of. */
  readonly path: readonly string[];
}

interface Place {
  /** The end of the path is still being answered. */
  readonly running: boolean;
  /** The question at the end of the path. */
  readonly lastQuestion: string;
  /** What is in the field. */
  readonly draft: string;
  /** Has been asked, and is on its way. */
  readonly pending: string | null;
}

/** The question that a model is, would be or was sent; null: there is none yet. */
export function questionAt({ running, lastQuestion, draft, pending }: Place): string | null {
  const question = pending ?? (running ? lastQuestion : draft);
  return question.trim() === "" ? null : question;
}

/** revision: of a summary that has landed; what is shown is never older. */
export function useShownContext(landed: number): Asked<Shown> & { running: boolean } {
  const store = useSessionStore();
  const draft = useRested(
    useDraft((it) => it.text),
    TYPING_RESTS,
  );
  const at = useSession((it) => {
    const last = it.items.at(-1);
    return {
      ready: it.phase === "ready",
      currentId: it.currentId,
      running: it.currentId !== null && store.outline.get(it.currentId)?.status === "RUNNING",
      lastQuestion: last?.kind === "turn" ? (questionOf(last)?.text ?? "") : "",
      pending: it.pending?.text ?? null,
      revision: it.session?.revision ?? 0,
    };
  });
  const { ready, currentId, running, lastQuestion, pending } = at;
  const revision = Math.max(at.revision, landed);
  const question = questionAt({ running, lastQuestion, draft, pending });
  const ask = useCallback(async () => {
    // Named so that a new one asks again.
    void revision;
    const whole = store.outline.path(currentId);
    // While an answer is written, what was sent for it is shown: the path above it, and its question.
    const path = running ? whole.slice(0, -1) : whole;
    const { context } = await request(ShownContext, { id: store.id, path, question });
    return { context, path };
  }, [store, currentId, running, question, revision]);
  return { ...useAsked(ready ? ask : null), running };
}

/** Tokens that fit a model's context; null where that is not known. */
export function useWindow(model: string | null): number | null {
  const { choices } = useChoices();
  // A provider may stand before the id.
  const id = model?.split("/").at(-1);
  return choices?.models.find((it) => it.id === id)?.window ?? null;
}
