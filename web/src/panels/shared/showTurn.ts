import { usePanels } from "../../app/panels";
import type { SessionStore } from "../../session/store";

/** How long the conversation may take to show what it was just told to show. */
const PATIENCE = 2_000;

/** Scroll the conversation to a turn. One that is not on the shown path, or not read yet, is gone to first. */
export function showTurn(store: SessionStore, nodeId: string): void {
  usePanels.setState({ place: "conversation" });
  const onPath = store.get().path.includes(nodeId) && turnElement(nodeId) !== null;
  if (!onPath) store.goTo(nodeId);
  const until = Date.now() + PATIENCE;
  const scroll = () => {
    const element = turnElement(nodeId);
    if (element) {
      element.scrollIntoView({ block: "start", behavior: "smooth" });
      element.classList.add("turn-found");
      element.addEventListener("animationend", () => element.classList.remove("turn-found"), { once: true });
    } else if (Date.now() < until) requestAnimationFrame(scroll);
  };
  // On a phone the conversation is not there to scroll before the next frame.
  requestAnimationFrame(scroll);
}

function turnElement(nodeId: string): HTMLElement | null {
  return document.querySelector(`#conversation [data-node="${CSS.escape(nodeId)}"]`);
}
