import { toast } from "../ui/toasts";
import { words } from "./texts";

/** Copy a text; whether that was done. A browser that does not let the page is told of. */
export async function copied(text: string): Promise<boolean> {
  const done = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  // Over plain HTTP from another machine there is only the old command for it.
  if (done || copiedByCommand(text)) return true;
  toast(words.now().copyFailed, { kind: "error" });
  return false;
}

function copiedByCommand(text: string): boolean {
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
