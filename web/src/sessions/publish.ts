/** The open conversation, told to the list beside it as it changes. */

import { useEffect } from "react";
import type { SessionFieldsFragment } from "../graphql/generated/graphql";
import { useSession, useSessionStore } from "../session/context";
import { learnFirstWords, useFirstWords } from "./firstWords";
import { learn, refresh } from "./list";
import { titleOf } from "./names";
import { words } from "./texts";

let open: SessionFieldsFragment | null = null;

/** The conversation that the page shows, as it is now. */
export function openSession(): SessionFieldsFragment | null {
  return open;
}

/** For a part of the page that is there as long as the open conversation is. */
export function usePublishSession(): void {
  const store = useSessionStore();
  const session = useSession((it) => it.session);
  const version = useSession((it) => it.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the outline grows in place, `version` tells when
  useEffect(() => {
    if (!session) return;
    const [root] = store.outline.children(null);
    if (root !== undefined) learnFirstWords(session.id, store.outline.get(root)?.question ?? "");
    learn(session);
    open = session;
    return () => {
      open = null;
    };
  }, [store, session, version]);
  // Deleted elsewhere while it was open.
  useEffect(
    () => () => {
      if (store.get().phase === "missing") void refresh();
    },
    [store],
  );
}

/** What the open conversation is called, here as in the list. */
export function useOpenTitle(): string {
  words.use();
  const { id } = useSessionStore();
  const name = useSession((it) => it.session?.name);
  return titleOf(
    name,
    useFirstWords((it) => it[id]),
  );
}
