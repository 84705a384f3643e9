import { type FormEvent, useState } from "react";
import { setLabel } from "../session/actions";
import { useSessionStore } from "../session/context";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { words as common } from "../ui/texts";
import { toast, toastError } from "../ui/toasts";
import { words } from "./texts";

/** Writes the label of a turn. */
export function LabelDialog({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const text = words.use();
  const { cancel, save } = common.use();
  const node = useSessionStore().outline.get(nodeId);
  const [label, set] = useState(node?.label ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onClose();
    setLabel(nodeId, label.trim() || null).then(() => toast(text.labelled), toastError);
  };
  return (
    <Dialog title={text.labelTitle} onClose={onClose}>
      <form onSubmit={submit} className="form">
        <p className="soft clamp">
          <bdi>{node?.question}</bdi>
        </p>
        <label className="field">
          <span>{text.labelTitle}</span>
          <input data-autofocus value={label} maxLength={80} onChange={(it) => set(it.target.value)} />
          <small>{text.labelHelp}</small>
        </label>
        <div className="form-buttons">
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" type="submit">
            {save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
