import { useSession, useSessionStore } from "../session/context";
import { Button } from "../ui/Button";
import { toastError } from "../ui/toasts";
import { words } from "./texts";

/** Says so where the page shows another place than the one at which the conversation stands, as after a link. */
export function PlaceBar() {
  const text = words.use();
  const store = useSessionStore();
  const elsewhere = useSession((it) => it.phase === "ready" && !it.moving && it.currentId !== it.leafNodeId);
  if (!elsewhere) return null;
  return (
    <div className="place-bar" role="status">
      <span>{text.elsewhere}</span>
      <Button kind="quiet" onClick={() => store.goTo(store.get().leafNodeId, { record: false })}>
        {text.goThere}
      </Button>
      <Button kind="quiet" onClick={() => store.standHere().catch(toastError)}>
        {text.stayHere}
      </Button>
    </div>
  );
}
