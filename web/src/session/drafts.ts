/** Questions that are being written, one a session, kept over a reload. */

import { kept } from "../api/kept";

const KEY = "graph_session.draft.";

export function readDraft(sessionId: string): string {
  return kept.getItem(KEY + sessionId) ?? "";
}

export function keepDraft(sessionId: string, text: string): void {
  if (text === "") kept.removeItem(KEY + sessionId);
  else kept.setItem(KEY + sessionId, text);
}
