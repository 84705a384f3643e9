import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../ui/Button";
import { copyText } from "../ui/clipboard";
import { words as common } from "../ui/texts";
import { toast } from "../ui/toasts";
import { announce } from "./announce";
import { words } from "./texts";

const FEEDBACK = 2_000;

/** Copies a text, and shows by its icon that it has. */
export function CopyAction({ label, text }: { label: string; text: () => string }) {
  const said = words.use();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), FEEDBACK);
    return () => clearTimeout(timer);
  }, [isDone]);
  const onClick = async () => {
    if (!(await copyText(text()))) {
      toast(common.now().copyFailed, { kind: "error" });
      return;
    }
    setDone(true);
    announce(said.copied);
  };
  return (
    <IconButton label={label} onClick={() => void onClick()}>
      {isDone ? <Check className="lucide copied" /> : <Copy />}
    </IconButton>
  );
}
