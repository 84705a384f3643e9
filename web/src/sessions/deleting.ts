/**
 * Deleting a conversation: it is gone from the page at once, and from the server some seconds later, until when it can
 * be undone. A window that is closed meanwhile tells the server as it goes.
 */

import { stringifyDocument } from "@urql/core";
import { navigate } from "wouter/use-browser-location";
import { useConnection } from "../api/connection";
import { payload, Refused, request } from "../api/request";
import { parseRoute, pathOf } from "../app/route";
import { keepDraft } from "../session/drafts";
import { toast } from "../ui/toasts";
import { DeletionQueue } from "./deletionQueue";
import { forget, hide } from "./list";
import { quoted } from "./names";
import { DeleteSession } from "./operations";
import { explain, words } from "./texts";

const UNDO_WITHIN = 8_000;

interface Undo {
  /** Where the page was, if it showed what was deleted. */
  readonly from: string | null;
  readonly closeToast: () => void;
}

const undos = new Map<string, Undo>();
const queue = new DeletionQueue(UNDO_WITHIN, (id) => void deleteNow(id));

/** Delete a conversation, unless that is undone. */
export function deleteSession(id: string, title: string): void {
  const isOpen = parseRoute(window.location.pathname).sessionId === id;
  const from = isOpen ? window.location.pathname : null;
  hide(id, true);
  // Going back in the browser's history must not lead to what is about to be gone.
  if (isOpen) navigate(pathOf(null), { replace: true });
  const text = words.now();
  const closeToast = toast(text.deleted(quoted(title)), {
    key: `delete ${id}`,
    stays: UNDO_WITHIN,
    action: { label: text.undo, run: () => undoDelete(id) },
  });
  undos.set(id, { from, closeToast });
  queue.add(id);
}

/** Bring back what was deleted last, if it still can be. */
export function undoLastDelete(): void {
  if (queue.last !== undefined) undoDelete(queue.last);
}

function undoDelete(id: string): void {
  const undo = undos.get(id);
  undos.delete(id);
  if (!queue.undo(id)) return;
  undo?.closeToast();
  hide(id, false);
  if (undo?.from) navigate(undo.from, { replace: window.location.pathname === pathOf(null) });
}

async function deleteNow(id: string): Promise<void> {
  undos.delete(id);
  try {
    payload((await request(DeleteSession, { id })).deleteSession);
  } catch (error) {
    const isGone = error instanceof Refused && error.failure.code === "NOT_FOUND";
    if (!isGone) {
      hide(id, false);
      toast(words.now().notDeleted(explain(error)), { kind: "error" });
      return;
    }
  }
  gone(id);
}

function gone(id: string): void {
  keepDraft(id, "");
  forget(id);
  hide(id, false);
}

/** A request that outlives its window. */
function deleteOnLeaving(id: string): void {
  const { token } = useConnection.getState();
  void fetch("/graphql", {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query: stringifyDocument(DeleteSession), variables: { id } }),
  }).catch(() => undefined);
  undos.get(id)?.closeToast();
  undos.delete(id);
  gone(id);
}

if (typeof window !== "undefined")
  window.addEventListener("pagehide", () => {
    for (const id of queue.takeAll()) deleteOnLeaving(id);
  });
