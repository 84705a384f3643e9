import { toast } from "../ui/toasts";
import { words } from "./texts";

/** Copy a text and say so; over plain HTTP from another machine there is only the old command for it. */
export async function copy(text: string): Promise<void> {
  const said = words.now();
  const done = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (done || copyByCommand(text)) toast(said.copied, { key: "copy", stays: 2500 });
  else toast(said.copyFailed, { key: "copy", kind: "error" });
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden-text";
  document.body.append(area);
  area.select();
  const done = document.execCommand?.("copy") ?? false;
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return done;
}
