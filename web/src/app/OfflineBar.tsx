import { KeyRound, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection } from "../api/connection";
import { reconnectNow } from "../api/follow";
import { Button } from "../ui/Button";
import { words } from "./texts";

/** A connection that is back at once is not worth a word. */
const GRACE = 1_500;

/** Says that what is shown may be old, while the server is not reached or does not answer without another token. */
export function OfflineBar() {
  const text = words.use();
  const refused = useConnection((it) => it.refusedToken && !it.asksToken);
  const askToken = useConnection((it) => it.askToken);
  const connecting = useConnection((it) => it.live === "connecting" && !it.refusedToken);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!connecting) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), GRACE);
    return () => clearTimeout(timer);
  }, [connecting]);
  return (
    <div role="status" className="offline-holder">
      {refused && (
        <div className="offline">
          <KeyRound aria-hidden />
          <span>{text.tokenRefused}</span>
          <Button kind="quiet" onClick={() => askToken(true)}>
            {text.tokenGive}
          </Button>
        </div>
      )}
      {shown && (
        <div className="offline">
          <WifiOff aria-hidden />
          <span>{text.offline}</span>
          <Button kind="quiet" onClick={reconnectNow}>
            {text.tryNow}
          </Button>
        </div>
      )}
    </div>
  );
}
