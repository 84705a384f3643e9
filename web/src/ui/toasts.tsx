/** Short messages at the edge of the page: what went wrong, and what can be undone. */

import { X } from "lucide-react";
import { create } from "zustand";
import { Button, IconButton } from "./Button";
import { words } from "./texts";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: "info" | "error";
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface ToastOptions {
  kind?: Toast["kind"];
  action?: Toast["action"];
  /** Milliseconds; an error stays until it is closed. */
  stays?: number;
}

export const useToasts = create<{ toasts: readonly Toast[] }>()(() => ({ toasts: [] }));
let lastId = 0;

/** Show a message; the returned function takes it away. */
export function toast(text: string, { kind = "info", action, stays = 6000 }: ToastOptions = {}): () => void {
  lastId += 1;
  const id = lastId;
  const shown: Toast = action ? { id, text, kind, action } : { id, text, kind };
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter((it) => it.text !== text), shown].slice(-4),
  }));
  const remove = () => useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((it) => it.id !== id) }));
  if (kind !== "error") setTimeout(remove, stays);
  return remove;
}

/** Show what an error says. For the end of a promise: `.catch(toastError)`. */
export function toastError(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error), { kind: "error" });
}

export function Toasts() {
  const toasts = useToasts((it) => it.toasts);
  const text = words.use();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((it) => {
        const remove = () => useToasts.setState({ toasts: toasts.filter((other) => other.id !== it.id) });
        return (
          <div key={it.id} className={`toast toast-${it.kind}`}>
            <span className="toast-text">{it.text}</span>
            {it.action && (
              <Button
                kind="quiet"
                onClick={() => {
                  it.action?.run();
                  remove();
                }}
              >
                {it.action.label}
              </Button>
            )}
            <IconButton label={text.close} onClick={remove}>
              <X />
            </IconButton>
          </div>
        );
      })}
    </div>
  );
}
