import { type FormEvent, useState } from "react";
import type { SessionFieldsFragment } from "../graphql/generated/graphql";
import { Dialog } from "../ui/Dialog";
import { FormButtons } from "../ui/FormButtons";
import { FormField } from "./FormField";
import { renameSession } from "./renaming";
import { explain, words } from "./texts";
import "./settings.css";

interface RenameDialogProps {
  session: SessionFieldsFragment;
  onClose: () => void;
}

/** Renames the open conversation, where the list is not in sight. */
export function RenameDialog({ session, onClose }: RenameDialogProps) {
  const text = words.use();
  const [name, setName] = useState(session.name ?? "");
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renameSession(session.id, name).then(onClose, (error) => setProblem(explain(error)));
  };
  return (
    <Dialog title={text.rename} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <FormField label={text.nameOf} problem={problem}>
          {(control) => (
            <input
              {...control}
              value={name}
              dir="auto"
              data-autofocus
              onFocus={(it) => it.target.select()}
              onChange={(it) => setName(it.target.value)}
            />
          )}
        </FormField>
        <FormButtons onCancel={onClose} />
      </form>
    </Dialog>
  );
}
