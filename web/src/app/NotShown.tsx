/** In the place of a conversation that cannot be read, or is no more. */

import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useStore } from "zustand";
import { readDraft } from "../session/drafts";
import type { SessionStore } from "../session/store";
import { Button } from "../ui/Button";
import { copyAndTell } from "../ui/clipboard";
import { words as common } from "../ui/texts";
import { pathOf } from "./route";
import { words } from "./texts";

interface NotShownProps {
  store: SessionStore;
  phase: "missing" | "failed";
}

export function NotShown({ store, phase }: NotShownProps) {
  const text = words.use();
  const { retry } = common.use();
  const problem = useStore(store.state, (it) => it.problem);
  const pending = useStore(store.state, (it) => it.pending);
  const [, navigate] = useLocation();
  const main = useRef<HTMLElement>(null);
  // What had the focus may have gone with the conversation.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus();
  }, []);
  const written =
    phase === "missing" ? [pending?.text, readDraft(store.id)].filter(Boolean).join("\n\n") : "";
  return (
    <main className="main" id="conversation" tabIndex={-1} ref={main}>
      <div className="notice" role="alert">
        <h1>{phase === "missing" ? text.missing : text.failed}</h1>
        {problem && <p className="soft">{problem}</p>}
        {written !== "" && (
          <p className="soft clamp">
            {text.written} <bdi>{written}</bdi>
          </p>
        )}
        <div className="form-buttons">
          {written !== "" && (
            <Button onClick={() => void copyAndTell(written, text.writtenCopied)}>{text.copyWritten}</Button>
          )}
          {phase === "failed" && <Button onClick={() => void store.open(null)}>{retry}</Button>}
          <Button kind="primary" onClick={() => navigate(pathOf(null))}>
            {text.toSessions}
          </Button>
        </div>
      </div>
    </main>
  );
}
