/** Questions that are being written, one a session, kept over a reload. */

const KEY = "graph_session.draft.";

export function readDraft(sessionId: string): string {
  return localStorage.getItem(KEY + sessionId) ?? "";
}

/** A browser that keeps nothing (no room, private) loses the draft with the page, and no more. */
export function keepDraft(sessionId: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(KEY + sessionId);
    else localStorage.setItem(KEY + sessionId, text);
  } catch {
    // Nothing to do: the text is still in the field.
  }
}
