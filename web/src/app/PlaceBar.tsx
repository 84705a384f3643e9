import { useSession, useSessionStore } from "../session/context";
import { pendingPlace } from "../session/pending";
import { Button } from "../ui/Button";
import { toastError } from "../ui/toasts";
import { words } from "./texts";

/** What is said above the turns of where one is. */
export function PlaceBar() {
  return (
    <>
      <StandsElsewhere />
      <AskedElsewhere />
    </>
  );
}

/** Says so where the page shows another place than the one at which the conversation stands, as after a link. */
function StandsElsewhere() {
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

/** The way to a question that waits at another place: until it is asked or taken back no other can be. */
function AskedElsewhere() {
  const text = words.use();
  const store = useSessionStore();
  const { isThere, failed } = useSession((it) => ({
    isThere: it.phase === "ready" && pendingPlace(it, store.outline)?.is === "there",
    failed: it.pending !== null && it.pending.problem !== null,
  }));
  if (!isThere) return null;
  const go = () => {
    const place = pendingPlace(store.get(), store.outline);
    if (place?.is === "there") store.goTo(place.at, { record: false });
  };
  return (
    <div className="place-bar" role="status">
      <span>{failed ? text.notAskedThere : text.beingAskedThere}</span>
      <Button kind="quiet" onClick={go}>
        {text.goThere}
      </Button>
    </div>
  );
}
