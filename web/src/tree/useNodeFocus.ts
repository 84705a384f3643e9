/**
 * Which node has, or would get, the focus: one at a time is a tab stop. It follows where one is until a person moves it;
 * where a fold hides it, the fold has it.
 */

import { type RefObject, useCallback, useLayoutEffect, useState } from "react";
import { NOWHERE } from "./layout";
import { type Scene, shownFor } from "./scene";

export interface NodeFocus {
  readonly focused: number;
  /** Mark a node as the tab stop; null: where one is. */
  choose(index: number | null): void;
  /** Bring the keyboard to a node, or to the one that had it. */
  take(index?: number): void;
}

export function useNodeFocus(scene: Scene, layer: RefObject<HTMLElement | null>): NodeFocus {
  const [chosen, setChosen] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  const { layout } = scene;
  const index = layout.indexOf(chosen);
  const wished = index !== NOWHERE ? index : scene.current !== NOWHERE ? scene.current : scene.leaf;
  const focused = scene.size === 0 ? NOWHERE : Math.max(shownFor(scene, wished), 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each asking counts, for the same node too
  useLayoutEffect(() => {
    if (asked === 0) return;
    const card = layer.current?.querySelector<HTMLElement>(`[data-index="${focused}"]`);
    card?.focus({ preventScroll: true });
  }, [asked]);

  const choose = useCallback(
    (index: number | null) => setChosen(index === null ? null : (layout.ids[index] ?? null)),
    [layout],
  );
  const take = useCallback(
    (index?: number) => {
      if (index !== undefined) choose(index);
      setAsked((count) => count + 1);
    },
    [choose],
  );
  return { focused, choose, take };
}
