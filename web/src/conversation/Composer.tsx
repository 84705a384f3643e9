/** The field for the next question, or for one that is asked anew in other words. */

import { ArrowUp, Square, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { onCommand } from "../app/Shortcuts";
import { ask, cancelAnswer, editQuestion, stopEditing } from "../session/actions";
import { useSession, useSessionStore } from "../session/context";
import { IconButton } from "../ui/Button";
import { toastError } from "../ui/toasts";
import { ChoicePicker } from "./ChoicePicker";
import { composerAction, trimmed } from "./composerKeys";
import { emptyDraft, useDraft, writeDraft } from "./draftStore";
import { words } from "./texts";
import { useDrafts } from "./useDrafts";

export function Composer() {
  const text = words.use();
  const store = useSessionStore();
  const draft = useDraft((it) => it.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const { runningId, isPending, canAsk, isFirst } = useSession((it) => {
    const isRunning = it.currentId !== null && store.outline.get(it.currentId)?.status === "RUNNING";
    return {
      runningId: isRunning ? it.currentId : null,
      isPending: it.pending !== null,
      canAsk: it.phase === "ready" && it.pending === null && !isRunning,
      isFirst: it.currentId === null,
    };
  });
  useDrafts();
  useFieldHeight(field, draft);
  useFieldFocus(field);

  const send = () => {
    const question = trimmed(draft);
    if (!canAsk || question === "") return;
    emptyDraft();
    void ask(store, question);
  };
  const editLast = () => {
    const last = [...store.get().items].reverse().find((it) => it.kind === "turn");
    if (last) editQuestion(store, last).catch(toastError);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = composerAction(
      { ...modifiers(event), isComposing: event.nativeEvent.isComposing },
      draft === "",
    );
    if (action === null) return;
    event.preventDefault();
    if (action === "send") send();
    else if (!isPending) editLast();
  };

  return (
    <div className="composer">
      <div className="composer-box">
        <Editing />
        <textarea
          ref={field}
          data-composer
          className="composer-field"
          rows={1}
          value={draft}
          aria-label={text.field}
          placeholder={
            runningId !== null ? text.placeholderWait : isFirst ? text.placeholder : text.placeholderMore
          }
          title={text.hint}
          enterKeyHint="send"
          dir="auto"
          onChange={(it) => writeDraft(it.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-bar">
          <ChoicePicker isFixed={runningId !== null} />
          {runningId !== null ? (
            <IconButton
              key="act"
              className="composer-act"
              label={text.stop}
              shortcut="Esc"
              onClick={() => void cancelAnswer(runningId).catch(toastError)}
            >
              <Square />
            </IconButton>
          ) : (
            <IconButton
              key="act"
              className="composer-act"
              label={text.send}
              shortcut="Enter"
              aria-disabled={!canAsk || trimmed(draft) === ""}
              onClick={() => {
                send();
                field.current?.focus();
              }}
            >
              <ArrowUp />
            </IconButton>
          )}
        </div>
      </div>
    </div>
  );
}

function modifiers({ key, keyCode, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent) {
  return { key, keyCode, shiftKey, altKey, ctrlKey, metaKey };
}

/** Says which question is asked anew. */
function Editing() {
  const text = words.use();
  const store = useSessionStore();
  const question = useSession((it) => (it.pending === null ? (it.editing?.text ?? null) : null));
  if (question === null) return null;
  return (
    <div className="editing">
      <span className="editing-question">
        {text.askingAnew} <bdi>{question.slice(0, 200)}</bdi>
      </span>
      <IconButton label={text.stopEditing} shortcut="Esc" onClick={() => stopEditing(store)}>
        <X />
      </IconButton>
    </div>
  );
}

/** As high as its text, where the browser does not see to that by itself. */
function useFieldHeight(field: React.RefObject<HTMLTextAreaElement | null>, draft: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height
  useLayoutEffect(() => {
    if (!field.current || CSS.supports("field-sizing", "content")) return;
    field.current.style.height = "auto";
    field.current.style.height = `${field.current.scrollHeight}px`;
  }, [field, draft]);
}

/** Goes there on the page's key for it, when a question is to be edited, and in a conversation that is empty. */
function useFieldFocus(field: React.RefObject<HTMLTextAreaElement | null>): void {
  const store = useSessionStore();
  const { edited, isEmpty } = useSession((it) => ({
    edited: it.editing?.nodeId ?? null,
    isEmpty: it.phase === "ready" && store.outline.size === 0,
  }));
  const was = useRef<string | null>(null);
  useEffect(
    () =>
      onCommand((command) => {
        if (command === "focus") field.current?.focus();
      }),
    [field],
  );
  useEffect(() => {
    if (edited === null && was.current === null) return;
    was.current = edited;
    field.current?.focus({ preventScroll: true });
    const end = field.current?.value.length ?? 0;
    field.current?.setSelectionRange(end, end);
  }, [field, edited]);
  useEffect(() => {
    if (isEmpty && !window.matchMedia("(pointer: coarse)").matches) field.current?.focus();
  }, [field, isEmpty]);
}
