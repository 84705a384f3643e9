import { GitMerge } from "lucide-react";
import { useState } from "react";
import { explain, mergeBranch } from "../../session/actions";
import { useSession, useSessionStore } from "../../session/context";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { words as common } from "../../ui/texts";
import { toast } from "../../ui/toasts";
import { Problem } from "../shared/Problem";
import { words } from "./texts";

interface BringProps {
  fromId: string;
  intoId: string;
  /** Their letters. */
  from: string;
  into: string;
  /** How many turns are on the branch that is brought in, and not on the other. */
  turns: number;
}

/** Brings one branch into the other, once one has read what that does. */
export function BringButton(props: BringProps) {
  const text = words.use();
  const { outline } = useSessionStore();
  const [asking, setAsking] = useState(false);
  const running = useSession(() =>
    [props.fromId, props.intoId].some((id) => outline.get(id)?.status === "RUNNING"),
  );
  return (
    <>
      <Button disabled={running} onClick={() => setAsking(true)}>
        <GitMerge aria-hidden />
        {text.bring(props.from, props.into)}
      </Button>
      {asking && <BringDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function BringDialog({ fromId, intoId, from, into, turns, onClose }: BringProps & { onClose: () => void }) {
  const text = words.use();
  const { cancel } = common.use();
  const store = useSessionStore();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const bring = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { session } = await mergeBranch(fromId, intoId);
      store.leafIsAt(intoId, session);
      store.goTo(intoId, { record: false });
      toast(text.bringing);
      onClose();
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.bringTitle(from, into)} onClose={onClose}>
      <p>{text.bringHelp(from, into, turns)}</p>
      {problem !== null && <Problem message={problem} />}
      <div className="form-buttons">
        <Button onClick={onClose}>{cancel}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void bring()}>
          {text.bringIt}
        </Button>
      </div>
    </Dialog>
  );
}
