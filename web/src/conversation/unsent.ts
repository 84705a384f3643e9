/** Questions that are on their way, or could not be asked: kept for this window, so that a reload loses none. */

import { keptForWindow } from "../api/kept";
import { askAgain } from "../session/actions";
import type { PendingQuestion } from "../session/state";
import type { SessionStore } from "../session/store";

const KEY = "graph_session.unsent.";

/**
 * Keep the session's question until it has been asked, beginning with one that was left when the page was closed. One
 * that had been on its way is asked again at once: the server knows it by its id, and does not ask it twice.
 */
export function keepUnsent(store: SessionStore): () => void {
  const key = KEY + store.id;
  const left = read(key);
  if (left && !store.get().pending) {
    store.set({ pending: left });
    if (left.problem === null) void askAgain(store);
  }
  return store.state.subscribe(({ pending }, before) => {
    if (pending !== before.pending) keep(key, pending);
  });
}

function read(key: string): PendingQuestion | null {
  try {
    return JSON.parse(keptForWindow.getItem(key) ?? "null") as PendingQuestion | null;
  } catch {
    return null;
  }
}

function keep(key: string, pending: PendingQuestion | null): void {
  if (pending === null) keptForWindow.removeItem(key);
  else keptForWindow.setItem(key, JSON.stringify(pending));
}
