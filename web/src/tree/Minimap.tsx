/** The whole tree small, with what is in view; a click or drag on it moves the view. Its nodes are painted once. */

import { type PointerEvent, useLayoutEffect, useRef } from "react";
import { fromMap, mapScale, paintMapNodes, paintMapView } from "./paintMinimap";
import type { Palette } from "./palette";
import type { Scene } from "./scene";
import type { Stage } from "./stage";

interface MinimapProps {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly palette: Palette;
  readonly hits: ReadonlySet<number>;
}

const MAP = { width: 168, height: 112 } as const;

export function Minimap({ stage, scene, palette, hits }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const nodes = useRef<HTMLCanvasElement | null>(null);

  useLayoutEffect(() => {
    const shown = canvas.current;
    const context = shown?.getContext("2d");
    if (!shown || !context) return;
    const ratio = window.devicePixelRatio || 1;
    nodes.current ??= document.createElement("canvas");
    for (const it of [shown, nodes.current]) {
      it.width = MAP.width * ratio;
      it.height = MAP.height * ratio;
    }
    const scale = mapScale(scene.layout, MAP);
    const hidden = nodes.current.getContext("2d");
    hidden?.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (hidden) paintMapNodes(hidden, scene, scale, palette, hits);
    const follow = () => {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, shown.width, shown.height);
      if (nodes.current) context.drawImage(nodes.current, 0, 0);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintMapView(context, scale, MAP, stage.camera.view, stage.camera.size, palette);
    };
    follow();
    return stage.follow(follow);
  }, [stage, scene, palette, hits]);

  const look = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.getBoundingClientRect();
    const point = {
      x: ((event.clientX - box.x) * MAP.width) / box.width,
      y: ((event.clientY - box.y) * MAP.height) / box.height,
    };
    stage.lookAt(fromMap(mapScale(scene.layout, MAP), point));
  };
  return (
    <div className="tree-minimap" aria-hidden="true">
      <canvas ref={canvas} onPointerDown={look} onPointerMove={look} />
    </div>
  );
}
