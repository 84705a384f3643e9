import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./Button";
import { words } from "./texts";

const FIELDS = "input:not([type=hidden]), textarea, select";

interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog: the browser keeps the focus inside and gives it back; Escape and a click beside it close. The focus
 * goes to what has `data-autofocus`, else to the first field, else to the first thing that takes it.
 */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const text = words.use();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    const first =
      dialog?.querySelector<HTMLElement>("[data-autofocus]") ?? dialog?.querySelector<HTMLElement>(FIELDS);
    first?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={ref}
      className={wide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-header">
          <h2 id={id}>{title}</h2>
          <IconButton label={text.close} onClick={onClose}>
            <X />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The frame of a part that is a dialog, for what is said where it cannot be loaded. */
export function inDialog(message: ReactNode, { onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.now().cannotShow} onClose={onClose}>
      {message}
    </Dialog>
  );
}
