/** The path that is shown, and below it the field for the next question. */

import { useEffect } from "react";
import { cancelAnswer, stopEditing } from "../session/actions";
import { useSessionStore } from "../session/context";
import type { SessionStore } from "../session/store";
import { toastError } from "../ui/toasts";
import { useAnnouncement, useAnswerAnnouncements } from "./announce";
import { Composer } from "./Composer";
import { Thread } from "./Thread";
import "./conversation.css";
import "./turn.css";
import "./composer.css";

export function Conversation() {
  const store = useSessionStore();
  useEscape(store);
  return (
    <div className="conversation">
      <Thread />
      <Composer />
      <Announcements />
    </div>
  );
}

function Announcements() {
  useAnswerAnnouncements();
  const text = useAnnouncement((it) => it.text);
  return (
    <div role="status" className="hidden-text">
      {text}
    </div>
  );
}

/** Escape stops the answer that comes, or leaves the question that is edited, as it was. */
function useEscape(store: SessionStore): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      // What is open, or beside the conversation, has its own use for it.
      if (document.querySelector("dialog[open]") || target?.closest(".panel, .sidebar, [role=menu]")) return;
      const { currentId, editing, pending } = store.get();
      if (currentId !== null && store.outline.get(currentId)?.status === "RUNNING")
        cancelAnswer(currentId).catch(toastError);
      else if (editing !== null && pending === null) stopEditing(store);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [store]);
}
