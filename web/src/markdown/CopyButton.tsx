import { useEffect, useState } from "react";
import { copyText } from "../ui/clipboard";
import { words } from "./texts";

const FEEDBACK = 2_000;

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
        onClick={() => void copyText(text).then((it) => setResult(it ? "copied" : "copyFailed"))}
      >
        {say.copy}
      </button>
    </>
  );
}
