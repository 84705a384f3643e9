import { Copy, Pencil } from "lucide-react";
import { PlainText } from "../markdown/Markdown";
import { editQuestion } from "../session/actions";
import { useSessionStore } from "../session/context";
import type { MessageEntry, Turn } from "../session/turns";
import { IconButton } from "../ui/Button";
import { toastError } from "../ui/toasts";
import { copy } from "./clipboard";
import { PictureView } from "./PartView";
import { picturesOf } from "./parts";
import { words } from "./texts";

interface QuestionProps {
  question: MessageEntry;
  turn: Turn;
  isNear: boolean;
}

/** What was asked, and what can be done with it. */
export function QuestionView({ question, turn, isNear }: QuestionProps) {
  const pictures = picturesOf(question.content);
  return (
    <div className="question">
      <div className="bubble">
        {pictures.map((it, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <PictureView key={at} picture={it} />
        ))}
        {question.text !== "" && <PlainText text={question.text} />}
      </div>
      <div className="turn-actions">{isNear && <Actions question={question} turn={turn} />}</div>
    </div>
  );
}

function Actions({ question, turn }: Omit<QuestionProps, "isNear">) {
  const text = words.use();
  const store = useSessionStore();
  return (
    <>
      <IconButton label={text.copyQuestion} onClick={() => void copy(question.text)}>
        <Copy />
      </IconButton>
      {turn.nodeId !== null && (
        <IconButton
          label={text.editQuestion}
          onClick={() => void editQuestion(store, turn).catch(toastError)}
        >
          <Pencil />
        </IconButton>
      )}
    </>
  );
}
