/** Where there is room for one thing at a time: the list, the conversation or a panel. As the style sheets have it. */

import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 860px)";

export function isPhone(): boolean {
  return window.matchMedia(NARROW).matches;
}

export function usePhone(): boolean {
  return useSyncExternalStore(follow, isPhone);
}

function follow(changed: () => void): () => void {
  const narrow = window.matchMedia(NARROW);
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}
