/** What of the tree an event in the page is about. */

import { NOWHERE } from "./layout";
import type { Point } from "./viewport";

/** The node whose card holds the target, or `NOWHERE`. */
export function indexOf(target: EventTarget): number {
  const card = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return card ? Number(card.dataset.index) : NOWHERE;
}

export function isIn(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

export function isFoldPill(target: EventTarget): boolean {
  return isIn(target, "[data-action=fold]");
}

export function pointIn(element: Element, event: { clientX: number; clientY: number }): Point {
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.x, y: event.clientY - box.y };
}
