import { useEffect, useState } from "react";
import { words } from "./texts";

const FEEDBACK = 2_000;

/** Over plain HTTP on another machine there is no clipboard API, only the old command. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "md-copied-text";
    const focused = document.activeElement;
    document.body.append(area);
    area.focus({ preventScroll: true });
    area.select();
    const copied = document.execCommand?.("copy") ?? false;
    area.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    return copied;
  }
}

export function CopyButton({ text }: { text: string }) {
  const [result, setResult] = useState<"copied" | "copyFailed" | null>(null);
  const say = words.use();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), FEEDBACK);
    return () => clearTimeout(timer);
  }, [result]);
  return (
    <>
      <span className="md-feedback" aria-live="polite">
        {result && say[result]}
      </span>
      <button
        type="button"
        onClick={() => void copy(text).then((it) => setResult(it ? "copied" : "copyFailed"))}
      >
        {say.copy}
      </button>
    </>
  );
}
