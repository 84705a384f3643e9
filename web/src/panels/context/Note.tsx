import { useEffect, useState } from "react";
import { useSessionStore } from "../../session/context";
import type { Landed } from "../shared/summaries";
import { words } from "./texts";

const STAYS = 10_000;

/** Says for a while that a summary has come. */
export function Note({ landed }: { landed: Landed | null }) {
  const text = words.use();
  const { outline } = useSessionStore();
  const [shown, setShown] = useState<Landed | null>(null);
  useEffect(() => {
    setShown(landed);
    const timer = setTimeout(() => setShown(null), STAYS);
    return () => clearTimeout(timer);
  }, [landed]);
  return (
    <div role="status" className="pn-note-holder">
      {shown && (
        <p className="pn-note">
          {text.landed(shown.kind, shown.state === "DONE")}
          <bdi>{outline.get(shown.nodeId)?.question}</bdi>
        </p>
      )}
    </div>
  );
}
