import { type FormEvent, useState } from "react";
import { setLabel } from "../session/actions";
import { useSessionStore } from "../session/context";
import { Dialog } from "../ui/Dialog";
import { FormButtons } from "../ui/FormButtons";
import { toast, toastError } from "../ui/toasts";
import { words } from "./texts";

/** Writes the label of a turn. */
export function LabelDialog({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const text = words.use();
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
        <FormButtons onCancel={onClose} />
      </form>
    </Dialog>
  );
}
