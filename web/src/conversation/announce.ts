/** What a screen reader is told of, besides what it is on. */

import { useEffect } from "react";
import { create } from "zustand";
import { useSession, useSessionStore } from "../session/context";
import { words } from "./texts";

export const useAnnouncement = create<{ readonly text: string }>()(() => ({ text: "" }));

export function announce(text: string): void {
  // The same words again are told only if they differ; a space that nobody hears makes them differ.
  useAnnouncement.setState(({ text: last }) => ({ text: last === text ? `${text}\u00a0` : text }));
}

/** Tell that the answer which is looked at has begun and ended; its text is read by whoever goes there. */
export function useAnswerAnnouncements(): void {
  const store = useSessionStore();
  const { nodeId, status } = useSession((it) => ({
    nodeId: it.currentId,
    status: it.currentId === null ? null : (store.outline.get(it.currentId)?.status ?? null),
  }));
  useEffect(() => {
    if (status !== "RUNNING") return;
    announce(words.now().answerBegins);
    return () => {
      const now = nodeId === null ? undefined : store.outline.get(nodeId)?.status;
      const text = words.now();
      if (now === "DONE") announce(text.answerComplete);
      else if (now === "CANCELLED") announce(text.answerStopped);
      else if (now === "FAILED" || now === "INTERRUPTED") announce(text.answerFailed);
    };
  }, [store, nodeId, status]);
}
