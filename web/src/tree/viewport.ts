/**
 * The geometry of the view, and nothing else: from cells to the world (in which a card is 168 wide), from the world to
 * the screen (`screen = world * k + (x, y)`, in CSS pixels of the tree's box), and the views that show something.
 */

import type { Cells } from "./layout";
import { LANES, type Span } from "./spans";

export const CARD = { width: 168, height: 46 } as const;
export const PITCH = { x: CARD.width + 24, y: CARD.height + 56 } as const;
export const MAX_ZOOM = 1.6;
/** From here on cards can be read, and are elements. */
export const READABLE_ZOOM = 0.55;
/** How far out one may zoom though all can be seen nearer. */
const MIN_ZOOM = 0.2;
/** So much of the tree stays in the view, whatever one does. */
const KEPT = 48;
const FIRST_LANE = 35;
const LANE_PITCH = 4.5;

export interface View {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Size, Point {}

/** The world's box of the card in a cell. */
export function cardBox(row: number, column: number): Box {
  return { x: column * PITCH.x, y: row * PITCH.y, ...CARD };
}

/** The world's box of all the cards in some cells. */
export function boxOf({ top, bottom, left, right }: Cells): Box {
  return {
    x: left * PITCH.x,
    y: top * PITCH.y,
    width: (right - left) * PITCH.x + CARD.width,
    height: (bottom - top) * PITCH.y + CARD.height,
  };
}

/** How far below the upper edge of its node's row a span lies. */
export function spanOffset(span: Span): number {
  return CARD.height + FIRST_LANE + (span.lane % LANES) * LANE_PITCH;
}

export function toScreen(view: View, box: Box): Box {
  return {
    x: box.x * view.k + view.x,
    y: box.y * view.k + view.y,
    width: box.width * view.k,
    height: box.height * view.k,
  };
}

export function toWorld(view: View, point: Point): Point {
  return { x: (point.x - view.x) / view.k, y: (point.y - view.y) / view.k };
}

/** The cells whose card, or the gap right and below of it, lies in the view; and some more around them. */
export function visibleCells(view: View, size: Size, more = 0): Cells {
  const from = toWorld(view, { x: 0, y: 0 });
  const to = toWorld(view, { x: size.width, y: size.height });
  return {
    top: Math.floor(from.y / PITCH.y) - more,
    bottom: Math.floor(to.y / PITCH.y) + more,
    left: Math.floor(from.x / PITCH.x) - more,
    right: Math.floor(to.x / PITCH.x) + more,
  };
}

export function contains(outer: Cells, inner: Cells): boolean {
  return (
    outer.top <= inner.top &&
    outer.bottom >= inner.bottom &&
    outer.left <= inner.left &&
    outer.right >= inner.right
  );
}

export function includes(cells: Cells, row: number, column: number): boolean {
  return row >= cells.top && row <= cells.bottom && column >= cells.left && column <= cells.right;
}

/** The cells that a circle on the screen meets. */
export function cellsAround(view: View, { x, y }: Point, radius: number): Cells {
  const from = toWorld(view, { x: x - radius, y: y - radius });
  const to = toWorld(view, { x: x + radius, y: y + radius });
  return {
    top: Math.floor(from.y / PITCH.y),
    bottom: Math.floor(to.y / PITCH.y),
    left: Math.floor(from.x / PITCH.x),
    right: Math.floor(to.x / PITCH.x),
  };
}

/** How far a point is from a box; 0 inside. */
export function distance(box: Box, { x, y }: Point): number {
  const dx = Math.max(box.x - x, 0, x - box.x - box.width);
  const dy = Math.max(box.y - y, 0, y - box.y - box.height);
  return Math.hypot(dx, dy);
}

/** All of a box, in the middle. */
export function fitted(box: Box, size: Size, maxZoom = 1, margin = 32): View {
  const k = Math.min(
    maxZoom,
    Math.max(size.width - 2 * margin, 1) / box.width,
    Math.max(size.height - 2 * margin, 1) / box.height,
  );
  return centredOn(box, size, k);
}

/** The middle of a box in the middle of the screen, or at some other part of its height. */
export function centredOn(box: Box, size: Size, k: number, atHeight = 0.5): View {
  return {
    x: size.width / 2 - (box.x + box.width / 2) * k,
    y: size.height * atHeight - (box.y + box.height / 2) * k,
    k,
  };
}

/** The view moved sideways so that no room is left empty on one side while the tree goes on beyond the other. */
export function filled(view: View, size: Size, tree: Box, margin = 40): View {
  const at = toScreen(view, tree);
  const [left, right] = [at.x - margin, size.width - margin - at.x - at.width];
  if (left > 0 && right < 0) return { ...view, x: view.x - Math.min(left, -right) };
  if (right > 0 && left < 0) return { ...view, x: view.x + Math.min(right, -left) };
  return view;
}

/** So far from the edges is what one is to see; below lie the map and the buttons. */
const MARGIN = { side: 40, top: 40, bottom: 136 } as const;

/** The view moved as little as it takes to have a box well in it; the same object if it is there. */
export function keepInView(view: View, size: Size, box: Box): View {
  const at = toScreen(view, box);
  const dx = shift(at.x, at.width, size.width, MARGIN.side, MARGIN.side);
  const dy = shift(at.y, at.height, size.height, MARGIN.top, MARGIN.bottom);
  return dx === 0 && dy === 0 ? view : { x: view.x + dx, y: view.y + dy, k: view.k };
}

function shift(start: number, length: number, room: number, before: number, after: number): number {
  // Where there is little room, both margins give way.
  const part = Math.min(1, Math.max(room - length, 0) / (before + after));
  const [first, last] = [before * part, room - after * part];
  if (start < first) return first - start;
  if (start + length > last) return Math.max(last - length, first) - start;
  return 0;
}

export function isInView(view: View, size: Size, box: Box): boolean {
  const at = toScreen(view, box);
  return at.x < size.width && at.x + at.width > 0 && at.y < size.height && at.y + at.height > 0;
}

/** The view moved so that some of the tree is always in it. */
export function clamped(view: View, size: Size, tree: Box): View {
  const at = toScreen(view, tree);
  const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
  const x = within(at.x, KEPT - at.width, size.width - KEPT);
  const y = within(at.y, KEPT - at.height, size.height - KEPT);
  return x === at.x && y === at.y ? view : { x: view.x + x - at.x, y: view.y + y - at.y, k: view.k };
}

/** How far out one can zoom: until all is seen. */
export function minZoom(size: Size, tree: Box): number {
  return Math.min(MIN_ZOOM, fitted(tree, size).k);
}

/** Another zoom with one point of the screen kept where it is. */
export function zoomed(view: View, k: number, point: Point): View {
  const world = toWorld(view, point);
  return { x: point.x - world.x * k, y: point.y - world.y * k, k };
}

/** A view on the way from one to another. */
export function between(from: View, to: View, size: Size, part: number): View {
  if (part >= 1) return to;
  const k = from.k * (to.k / from.k) ** part;
  const middle = { x: size.width / 2, y: size.height / 2 };
  const [a, b] = [toWorld(from, middle), toWorld(to, middle)];
  // The middle of the screen runs through the world as fast as the zoom lets it seem even.
  const along = to.k === from.k ? part : (1 / from.k - 1 / k) / (1 / from.k - 1 / to.k);
  const x = a.x + (b.x - a.x) * along;
  const y = a.y + (b.y - a.y) * along;
  return { x: middle.x - x * k, y: middle.y - y * k, k };
}
