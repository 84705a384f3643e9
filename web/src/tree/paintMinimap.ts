/**
 * All of the tree on a few square centimetres. Width and height have scales of their own, since a conversation may be
 * thousands of rows high and three columns wide, and would be a hairline otherwise.
 */

import type { Palette } from "./palette";
import type { Scene } from "./scene";
import { CARD, PITCH, type Point, type Size, toWorld, type View } from "./viewport";

const MARGIN = 8;
const MAX_CELL = { x: 14, y: 8 };

/** `map = cell * (x, y) + (left, top)` */
export interface MapScale {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
}

export function mapScale({ width, height }: { width: number; height: number }, size: Size): MapScale {
  const x = Math.min((size.width - 2 * MARGIN) / Math.max(width, 1), MAX_CELL.x);
  const y = Math.min((size.height - 2 * MARGIN) / Math.max(height, 1), MAX_CELL.y);
  return { x, y, left: (size.width - width * x) / 2, top: (size.height - height * y) / 2 };
}

/** The point of the world that a point of the map stands for. */
export function fromMap(scale: MapScale, point: Point): Point {
  return {
    x: ((point.x - scale.left) / scale.x) * PITCH.x,
    y: ((point.y - scale.top) / scale.y) * PITCH.y,
  };
}

export function paintMapNodes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  scale: MapScale,
  palette: Palette,
  hits: ReadonlySet<number>,
): void {
  const { layout } = scene;
  const width = Math.max((scale.x * CARD.width) / PITCH.x, 1);
  const height = Math.max((scale.y * CARD.height) / PITCH.y, 1);
  const colourOf = (index: number) => {
    if (hits.has(index)) return palette.warning;
    return scene.onPath[index] || scene.nodes[index]?.status === "RUNNING"
      ? palette.accent
      : palette.lineStrong;
  };
  // What says something lies above the rest, and is a little larger.
  for (const isPlain of [true, false]) {
    const more = isPlain ? 0 : 0.5;
    for (let index = 0; index < scene.size; index += 1) {
      if (scene.hidden[index]) continue;
      const colour = colourOf(index);
      if ((colour === palette.lineStrong) !== isPlain) continue;
      context.fillStyle = colour;
      const x = (layout.columns[index] as number) * scale.x + scale.left;
      const y = (layout.rows[index] as number) * scale.y + scale.top;
      context.fillRect(x - more, y - more, width + 2 * more, height + 2 * more);
    }
  }
  const { current } = scene;
  if (current < 0 || scene.hidden[current]) return;
  const x = (layout.columns[current] as number) * scale.x + scale.left + width / 2;
  const y = (layout.rows[current] as number) * scale.y + scale.top + height / 2;
  context.beginPath();
  context.arc(x, y, 3.5, 0, 2 * Math.PI);
  context.fillStyle = palette.accent;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = palette.raised;
  context.stroke();
}

export function paintMapView(
  context: CanvasRenderingContext2D,
  scale: MapScale,
  map: Size,
  view: View,
  size: Size,
  palette: Palette,
): void {
  const from = toWorld(view, { x: 0, y: 0 });
  const to = toWorld(view, { x: size.width, y: size.height });
  const place = (value: number, unit: number, start: number, room: number) =>
    Math.min(Math.max(value * unit + start, 1), room - 1);
  const left = place(from.x / PITCH.x, scale.x, scale.left, map.width);
  const right = place(to.x / PITCH.x, scale.x, scale.left, map.width);
  const top = place(from.y / PITCH.y, scale.y, scale.top, map.height);
  const bottom = place(to.y / PITCH.y, scale.y, scale.top, map.height);
  const box = [left, top, Math.max(right - left, 3), Math.max(bottom - top, 3)] as const;
  context.globalAlpha = 0.14;
  context.fillStyle = palette.accent;
  context.fillRect(...box);
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.strokeRect(...box);
}
