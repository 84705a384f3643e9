import { words } from "./texts";
import { toast } from "./toasts";

/** Put a text on the clipboard; whether that could be done. */
export async function copyText(text: string): Promise<boolean> {
  const done = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  // Over plain HTTP from another machine there is only the old command for it.
  return done || copiedByCommand(text);
}

function copiedByCommand(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden-text";
  // A modal dialog makes all that is outside of it inert.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.focus({ preventScroll: true });
  area.select();
  const done = document.execCommand?.("copy") ?? false;
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return done;
}

/** The same, with a word on how it went. */
export async function copyAndTell(text: string, done: string): Promise<void> {
  if (await copyText(text)) toast(done, { stays: 2500 });
  else toast(words.now().copyFailed, { kind: "error" });
}
