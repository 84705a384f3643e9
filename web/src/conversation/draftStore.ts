/**
 * What is in the field of the open session. It is kept over a reload: the next question under the session's id, and a
 * question that is asked anew under a name of its own, so that each comes back where it was left.
 */

import { create } from "zustand";
import { keptForWindow } from "../api/kept";
import { keepDraft, readDraft } from "../session/drafts";

const REST_BEFORE_KEEPING = 300;

export const useDraft = create<{ readonly text: string }>()(() => ({ text: "" }));

/** Under which name the field's text is kept; null: no field is open. */
let name: string | null = null;
/** What was in the field when it was opened, if that had not been kept. */
let original = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** A question of a session, in whose place another one is written. */
export function editName(sessionId: string, nodeId: string): string {
  return `${sessionId}/${nodeId}`;
}

/** Show in the field what was kept under a name, or else this text. */
export function openDraft(opened: string, otherwise = ""): void {
  keepNow();
  // A question that was left as it is need not be kept.
  if (name !== null && useDraft.getState().text === original) keepDraft(name, "");
  name = opened;
  original = otherwise;
  useDraft.setState({ text: readDraft(opened) || otherwise });
  keepNow();
}

export function closeDraft(): void {
  keepNow();
  name = null;
  useDraft.setState({ text: "" });
}

const EDITED = "graph_session.edited.";

/** Remember, for this window, which question is being edited; null: none. */
export function keepEdited(sessionId: string, nodeId: string | null): void {
  if (nodeId === null) keptForWindow.removeItem(EDITED + sessionId);
  else keptForWindow.setItem(EDITED + sessionId, nodeId);
}

export function readEdited(sessionId: string): string | null {
  return keptForWindow.getItem(EDITED + sessionId);
}

export function writeDraft(text: string): void {
  useDraft.setState({ text });
  clearTimeout(timer);
  timer = setTimeout(keepNow, REST_BEFORE_KEEPING);
}

/** Take the text out of the field, to send it. */
export function emptyDraft(): void {
  writeDraft("");
  keepNow();
}

export function keepNow(): void {
  clearTimeout(timer);
  if (name !== null) keepDraft(name, useDraft.getState().text);
}
