import { usePanels } from "../../app/panels";
import type { SessionStore } from "../../session/store";

/** Milliseconds that the conversation may take to show what it was just told to show. */
const PATIENCE = 2_000;
/** Milliseconds for which a turn is kept in view: what is around it gets its height as it is drawn. */
const SETTLES = 600;
const BY_A_PERSON = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Scroll the conversation to a turn. One that is not on the shown path, or not read yet, is gone to first. */
export function showTurn(store: SessionStore, nodeId: string): void {
  usePanels.setState({ place: "conversation" });
  const onPath = store.get().path.includes(nodeId) && turnElement(nodeId) !== null;
  if (!onPath) store.goTo(nodeId);
  const ends = new AbortController();
  const stop = () => ends.abort();
  const begun = performance.now();
  let seen: number | null = null;
  const step = (now: number) => {
    if (ends.signal.aborted) return;
    const element = turnElement(nodeId);
    if (element && seen === null) {
      seen = now;
      mark(element);
    }
    element?.scrollIntoView({ block: "start" });
    if (seen === null ? now - begun < PATIENCE : now - seen < SETTLES) requestAnimationFrame(step);
    else stop();
  };
  // The click or key that led here is over by then. On a phone the conversation is there from the next frame on.
  requestAnimationFrame((now) => {
    for (const by of BY_A_PERSON) window.addEventListener(by, stop, { signal: ends.signal, passive: true });
    step(now);
  });
}

function mark(element: HTMLElement): void {
  element.classList.add("turn-found");
  element.addEventListener("animationend", () => element.classList.remove("turn-found"), { once: true });
}

function turnElement(nodeId: string): HTMLElement | null {
  return document.querySelector(`#conversation [data-node="${CSS.escape(nodeId)}"]`);
}
