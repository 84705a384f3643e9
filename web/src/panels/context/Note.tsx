import { useEffect, useState } from "react";
import { useSessionStore } from "../../session/context";
import type { Landed } from "../shared/summaries";
import { words as shared } from "../texts";
import { words } from "./texts";

const STAYS = 10_000;

/** Says for a while that a summary has come. */
export function Note({ landed }: { landed: Landed | null }) {
  const text = words.use();
  const { turn } = shared.use();
  const { outline } = useSessionStore();
  const [shown, setShown] = useState<Landed | null>(null);
  useEffect(() => {
    setShown(landed);
    const timer = setTimeout(() => setShown(null), STAYS);
    return () => clearTimeout(timer);
  }, [landed]);
  return (
    <div role="status">
      {shown && (
        <p className="pn-note">
          <span>{text.landed(shown.kind, shown.state === "DONE")}</span>
          {outline.has(shown.nodeId) && <span>{turn(outline.path(shown.nodeId).length)}</span>}
          <bdi className="soft">{outline.get(shown.nodeId)?.question}</bdi>
        </p>
      )}
    </div>
  );
}
