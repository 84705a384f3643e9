import { CornerDownRight } from "lucide-react";
import { useState } from "react";
import { useSession, useSessionStore } from "../session/context";
import { Button } from "../ui/Button";
import { words } from "./texts";

const AT_FIRST = 6;

/** Below the end of the shown path: the turns that follow it in the tree. */
export function WaysOn() {
  const text = words.use();
  const store = useSessionStore();
  const [all, setAll] = useState<string | null>(null);
  const { currentId, isHidden } = useSession((it) => ({
    currentId: it.currentId,
    // Below turns that are on their way it would only be pushed down.
    isHidden:
      it.phase !== "ready" ||
      (it.items.length === 0 && it.currentId !== null) ||
      it.editing !== null ||
      it.pending !== null,
  }));
  // In the state are no lists, so that this is drawn again only where they differ.
  const ids = useSession((it) => [...store.outline.children(it.currentId)]);
  const questions = useSession(() => ids.map((id) => store.outline.get(id)?.question ?? ""));
  const labels = useSession(() => ids.map((id) => store.outline.get(id)?.label ?? null));
  if (isHidden || ids.length === 0) return null;
  const place = currentId ?? "";
  const shown = all === place ? ids.length : AT_FIRST;
  return (
    <nav className="ways" aria-label={text.waysOn(ids.length)}>
      <p className="ways-title">
        {currentId === null ? text.beginnings(ids.length) : text.waysOn(ids.length)}
      </p>
      {ids.slice(0, shown).map((id, at) => (
        <button key={id} type="button" className="way" onClick={() => store.goDown(id)}>
          <CornerDownRight aria-hidden />
          <bdi>{questions[at] || text.noQuestion}</bdi>
          <span className="way-note">
            <bdi>{labels[at] ?? timesBefore(questions, at)}</bdi>
          </span>
        </button>
      ))}
      {ids.length > shown && (
        <Button kind="quiet" onClick={() => setAll(place)}>
          {text.allWays(ids.length)}
        </Button>
      )}
    </nav>
  );
}

/** Which of several answers to the same question it is: "2"; null for a question that stands alone. */
function timesBefore(questions: readonly string[], at: number): string | null {
  const same = questions.filter((it) => it === questions[at]);
  if (same.length < 2) return null;
  return String(questions.slice(0, at + 1).filter((it) => it === questions[at]).length);
}
