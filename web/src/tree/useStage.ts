/** The stage as a hook: made when its elements are there, told what to draw with each render. */

import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Outline } from "../session/outline";
import type { Marked } from "./paint";
import { type Palette, readPalette, watchPalette } from "./palette";
import type { Scene } from "./scene";
import { type CardCells, Stage } from "./stage";

interface StageElements {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly probe: RefObject<HTMLSpanElement | null>;
}

export function useStageElements(): StageElements {
  return {
    box: useRef<HTMLDivElement>(null),
    layer: useRef<HTMLDivElement>(null),
    canvas: useRef<HTMLCanvasElement>(null),
    probe: useRef<HTMLSpanElement>(null),
  };
}

interface Staged {
  readonly stage: Stage | null;
  readonly palette: Palette | null;
  readonly cells: CardCells;
}

/** `onGrab` must stay the same. */
export function useStage(
  { box, layer, canvas, probe }: StageElements,
  outline: Outline,
  onGrab: () => void,
): Staged {
  const [stage, setStage] = useState<Stage | null>(null);
  const [palette, setPalette] = useState<Palette | null>(null);
  const [cells, setCells] = useState<CardCells>(null);

  // Another session, another view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the outline is what a stage is for
  useLayoutEffect(() => {
    if (!box.current || !layer.current || !canvas.current) return;
    const elements = { box: box.current, layer: layer.current, canvas: canvas.current };
    const made = new Stage(elements, { onCells: setCells, onGrab });
    setStage(made);
    setCells(null);
    return () => made.destroy();
  }, [outline, box, layer, canvas, onGrab]);

  useLayoutEffect(() => {
    const read = () => {
      if (probe.current) setPalette(readPalette(probe.current));
    };
    read();
    return watchPalette(read);
  }, [probe]);

  return { stage, palette, cells };
}

export function useDrawing({ stage, palette, cells }: Staged, scene: Scene, marked: Marked): void {
  useLayoutEffect(() => {
    if (stage && palette) stage.show({ scene, marked, palette, cards: cells });
  }, [stage, palette, cells, scene, marked]);
}
