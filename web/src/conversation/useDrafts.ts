import { useEffect } from "react";
import { useSession, useSessionStore } from "../session/context";
import { closeDraft, editName, keepEdited, keepNow, openDraft, readEdited } from "./draftStore";
import { keepUnsent } from "./unsent";

/** The field holds the draft of what is being written: the next question, or one that is asked anew. */
export function useDrafts(): void {
  const store = useSessionStore();
  const editing = useSession((it) => it.editing);
  const isReady = useSession((it) => it.phase === "ready");

  useEffect(() => {
    window.addEventListener("pagehide", keepNow);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      closeDraft();
    };
  }, []);

  useEffect(() => {
    if (!isReady) return;
    const nodeId = readEdited(store.id);
    const node = nodeId === null ? undefined : store.outline.get(nodeId);
    if (node && node.parentId === store.get().currentId)
      store.set({ editing: { nodeId: node.id, text: node.question, from: null } });
    return keepUnsent(store);
  }, [store, isReady]);

  useEffect(() => {
    if (editing) openDraft(editName(store.id, editing.nodeId), editing.text);
    else openDraft(store.id);
  }, [store, editing]);

  useEffect(() => {
    if (isReady) keepEdited(store.id, editing?.nodeId ?? null);
  }, [store, editing, isReady]);
}
