import { useEffect } from "react";
import { useSession, useSessionStore } from "../session/context";
import { keepDraft, readDraft } from "../session/drafts";
import { closeDraft, editName, keepNow, openDraft } from "./draftStore";
import { keepUnsent } from "./unsent";

/** The field holds the draft of what is being written: the next question, or one that is asked anew. */
export function useDrafts(): void {
  const store = useSessionStore();
  const editing = useSession((it) => it.editing);
  const isReady = useSession((it) => it.phase === "ready");
  /** Which question was being edited when the page was closed. */
  const mark = editName(store.id, "editing");

  useEffect(() => {
    window.addEventListener("pagehide", keepNow);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      closeDraft();
    };
  }, []);

  useEffect(() => {
    if (!isReady) return;
    const nodeId = readDraft(mark);
    const node = store.outline.get(nodeId);
    if (node && node.parentId === store.get().currentId)
      store.set({ editing: { nodeId, text: node.question } });
    else keepDraft(mark, "");
    return keepUnsent(store);
  }, [store, isReady, mark]);

  useEffect(() => {
    if (editing) openDraft(editName(store.id, editing.nodeId), editing.text);
    else openDraft(store.id);
  }, [store, editing]);

  useEffect(() => {
    if (isReady) keepDraft(mark, editing?.nodeId ?? "");
  }, [editing, isReady, mark]);
}
