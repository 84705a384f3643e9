import { toast } from "../ui/toasts";
import { words } from "./texts";

/** Put a text on the clipboard, and say so. */
export function copyText(text: string, said: string): void {
  // Pages of a plain http address other than loopback are given no clipboard.
  const copying = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject();
  copying.then(
    () => toast(said),
    () => {
      if (copyBySelection(text)) toast(said);
      else toast(words.now().notCopied, { kind: "error" });
    },
  );
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "hidden-text";
  // A modal dialog makes all that is outside of it inert.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
