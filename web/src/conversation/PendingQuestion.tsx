import { CircleAlert, RotateCcw, Undo2 } from "lucide-react";
import { PlainText } from "../markdown/Markdown";
import { askAgain, takeBack } from "../session/actions";
import { useSession, useSessionStore } from "../session/context";
import { pendingPlace } from "../session/pending";
import { Button } from "../ui/Button";
import { useDraft, writeDraft } from "./draftStore";
import { focusComposer } from "./focus";
import { Heading } from "./Heading";
import { words } from "./texts";

/** A question that is on its way, or that could not be asked. */
export function PendingQuestion() {
  const text = words.use();
  const store = useSessionStore();
  const pending = useSession((it) => (pendingPlace(it, store.outline)?.is === "here" ? it.pending : null));
  if (!pending) return null;
  const again = () => {
    void askAgain(store);
    focusComposer();
  };
  const back = () => {
    const draft = useDraft.getState().text;
    writeDraft([takeBack(store), draft].filter((it) => it !== "").join("\n\n"));
    focusComposer();
  };
  return (
    <article className="turn turn-last turn-pending" aria-busy={pending.problem === null}>
      <Heading level={2} name={`${text.question}: ${pending.text.slice(0, 120)}`} />
      <div className="question">
        <div className="bubble">
          <PlainText text={pending.text} />
        </div>
      </div>
      {pending.problem === null ? (
        <p className="sending">{text.sending}</p>
      ) : (
        <div className="ending ending-error" role="alert">
          <CircleAlert aria-hidden />
          <span className="ending-reason">
            {text.notAsked} <bdi>{pending.problem}</bdi>
          </span>
          <span className="ending-buttons">
            <Button onClick={again}>
              <RotateCcw aria-hidden />
              {text.tryAgain}
            </Button>
            <Button onClick={back}>
              <Undo2 aria-hidden />
              {text.takeBack}
            </Button>
          </span>
        </div>
      )}
    </article>
  );
}
