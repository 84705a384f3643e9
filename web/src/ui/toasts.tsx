/** Short messages at the edge of the page: what went wrong, and what can be undone. */

import { X } from "lucide-react";
import { create } from "zustand";
import { Button, IconButton } from "./Button";
import { words } from "./texts";

export interface Toast {
  readonly id: number;
  readonly key: string;
  readonly text: string;
  readonly kind: "info" | "error";
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface ToastOptions {
  kind?: Toast["kind"];
  action?: Toast["action"];
  /** Milliseconds; an error stays until it is closed. */
  stays?: number;
  /** A later one with the same key takes its place; by default the text. */
  key?: string;
}

export const useToasts = create<{ toasts: readonly Toast[] }>()(() => ({ toasts: [] }));
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let lastId = 0;

/** Show a message; the returned function takes it away. */
export function toast(
  text: string,
  { kind = "info", action, stays = 6000, key = text }: ToastOptions = {},
): () => void {
  const before = useToasts.getState().toasts;
  const known = before.find((it) => it.key === key);
  if (!known) lastId += 1;
  const id = known?.id ?? lastId;
  const shown: Toast = { id, key, text, kind, ...(action && { action }) };
  useToasts.setState({
    toasts: known ? before.map((it) => (it === known ? shown : it)) : [...before, shown].slice(-4),
  });
  const remove = () => useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((it) => it.id !== id) }));
  clearTimeout(timers.get(id));
  if (kind !== "error") timers.set(id, setTimeout(remove, stays));
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
