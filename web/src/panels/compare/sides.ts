/** The two branches that are compared, and how their turns stand beside each other. */

import type { Outline } from "../../session/outline";

export interface Sides {
  readonly a: string;
  readonly b: string;
}

/**
 * What is compared once a person stands at `current`.
 *
 * Going up one of the two, or over to the other, changes nothing, so that one can look around; going on below one of
 * them takes that side along; going anywhere else compares that place.
 */
export function sidesAt(sides: Sides, current: string | null, outline: Outline): Sides {
  if (current === null) return sides;
  const isOn = (id: string, end: string) => outline.path(end).includes(id);
  if (isOn(current, sides.a) || isOn(current, sides.b)) return sides;
  if (isOn(sides.a, current)) return { ...sides, a: current };
  if (isOn(sides.b, current)) return { ...sides, b: current };
  return { ...sides, a: current };
}

/** Which of the two a person stands on, below the place where they part; null: neither. */
export function sideOf({ a, b }: Sides, current: string | null, outline: Outline): "a" | "b" | null {
  if (current === null) return null;
  const onA = outline.path(a).includes(current);
  const onB = outline.path(b).includes(current);
  return onA === onB ? null : onA ? "a" : "b";
}

export interface Row<T> {
  readonly a: T | null;
  readonly b: T | null;
  /** Both ask the same, as after an answer was asked for again. */
  readonly sameQuestion: boolean;
}

/** The nth turn of one beside the nth of the other. */
export function align<T extends { readonly userContent: string }>(
  onlyA: readonly T[],
  onlyB: readonly T[],
): Row<T>[] {
  return Array.from({ length: Math.max(onlyA.length, onlyB.length) }, (_, index) => {
    const a = onlyA[index] ?? null;
    const b = onlyB[index] ?? null;
    return { a, b, sameQuestion: a !== null && b !== null && a.userContent.trim() === b.userContent.trim() };
  });
}
