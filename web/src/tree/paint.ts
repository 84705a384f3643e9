/**
 * The canvas below the cards: always the edges; the nodes too while they are too small, or too many, to be elements.
 * Zoomed out far a node is a dot in the colour of its state, so ten thousand are one pass.
 */

import type { OutlineNode } from "../session/outline";
import { type Cells, NOWHERE } from "./layout";
import { paintEdges } from "./paintEdges";
import type { Palette } from "./palette";
import { boxAt, type Scene } from "./scene";
import { type Box, CARD, contains, includes, type Size, toScreen, type View, visibleCells } from "./viewport";
import { linesOf, widthOf } from "./wrap";

/** Below this zoom a node is a dot, and a line has no round corners. */
const COARSE_ZOOM = 0.2;
/** From here on it can be read what is written. */
const TEXT_ZOOM = 0.42;
const DOT = 2;
/** As in cards.css. */
const FONT = 12.5;
const LINE_HEIGHT = 17;
const MAX_LABELS = 40;
/** So much is left free around a label: they are signposts, and the tree is to be seen between them. */
const FREE = { x: 24, y: 12 } as const;
const LABEL_LENGTH = 20;

export interface Marked {
  /** What was found. */
  readonly hits: ReadonlySet<number>;
  /** The hit that is shown, the node with the focus, the one under the pointer; or `NOWHERE`. */
  readonly hit: number;
  readonly focused: number;
  readonly pointed: number;
}

export interface Frame {
  readonly scene: Scene;
  readonly view: View;
  readonly size: Size;
  readonly palette: Palette;
  readonly marked: Marked;
  /** In these cells the nodes are elements; null: nowhere. */
  readonly cards: Cells | null;
  readonly isCoarse: boolean;
}

export function paintTree(
  context: CanvasRenderingContext2D,
  ratio: number,
  given: Omit<Frame, "isCoarse">,
): void {
  const frame: Frame = { ...given, isCoarse: given.view.k < COARSE_ZOOM };
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, frame.size.width, frame.size.height);
  const cells = visibleCells(frame.view, frame.size);
  paintEdges(context, frame, cells);
  // Where one has panned faster than elements are made, what is still missing is painted.
  if (frame.cards && contains(frame.cards, cells)) return;
  if (frame.isCoarse) paintDots(context, frame, cells);
  else paintCards(context, frame, cells);
  if (frame.cards) return;
  paintLabels(context, frame, cells);
  paintPins(context, frame);
}

/** The colour that a node has where there is room for no more than a colour. */
export function dotColour(scene: Scene, palette: Palette, hits: ReadonlySet<number>, index: number): string {
  const node = scene.nodes[index];
  if (hits.has(index)) return palette.warning;
  if (node?.status === "FAILED" || node?.status === "INTERRUPTED") return palette.danger;
  if (node?.isAnchor) return palette.anchor;
  if (scene.onPath[index] || node?.status === "RUNNING") return palette.accent;
  return palette.lineStrong;
}

function eachPainted({ scene, cards }: Frame, cells: Cells, visit: (index: number) => void): void {
  const { layout } = scene;
  layout.each(cells, (index) => {
    if (index >= scene.size || scene.hidden[index]) return;
    if (cards && includes(cards, layout.rows[index] as number, layout.columns[index] as number)) return;
    visit(index);
  });
}

function paintDots(context: CanvasRenderingContext2D, frame: Frame, cells: Cells): void {
  const { scene, view, palette, marked } = frame;
  const width = Math.max(CARD.width * view.k, DOT);
  const height = Math.max(CARD.height * view.k, DOT);
  const byColour = new Map<string, number[]>();
  eachPainted(frame, cells, (index) => {
    const colour = dotColour(scene, palette, marked.hits, index);
    const list = byColour.get(colour);
    if (list) list.push(index);
    else byColour.set(colour, [index]);
  });
  // The plain ones first: what says something lies above them.
  const colours = [...byColour.keys()].sort(
    (a, b) => Number(b === palette.lineStrong) - Number(a === palette.lineStrong),
  );
  for (const colour of colours) {
    context.fillStyle = colour;
    const more = colour === palette.lineStrong ? 0 : Math.max(3 - width, 0);
    for (const index of byColour.get(colour) as number[]) {
      const { x, y } = toScreen(view, boxAt(scene, index));
      context.fillRect(x - more / 2, y - more / 2, width + more, height + more);
    }
  }
}

function paintCards(context: CanvasRenderingContext2D, frame: Frame, cells: Cells): void {
  const { scene, view, palette, marked } = frame;
  const { k } = view;
  context.font = `${FONT * k}px ${palette.font}`;
  context.textBaseline = "alphabetic";
  eachPainted(frame, cells, (index) => {
    const { x, y, width, height } = toScreen(view, boxAt(scene, index));
    const colour = dotColour(scene, palette, marked.hits, index);
    const isHit = marked.hits.has(index);
    context.beginPath();
    context.roundRect(x, y, width, height, 8 * k);
    context.fillStyle = isHit
      ? palette.warningSurface
      : index === scene.current
        ? palette.selected
        : palette.raised;
    context.fill();
    context.strokeStyle = index === scene.current ? palette.accent : colour;
    context.lineWidth = index === scene.current ? 3 : colour === palette.lineStrong ? 0.75 : 1.5;
    context.stroke();
    paintText(context, frame, scene.nodes[index] as OutlineNode, x, y);
    if (scene.folded[index]) {
      context.fillStyle = palette.textSoft;
      context.fillRect(x + width / 2 - 14 * k, y + height - 2 * k, 28 * k, 9 * k);
    }
    scene.outline.marks(scene.nodes[index]?.id ?? null).forEach((mark, place) => {
      context.fillStyle = mark.type === "COMPACTION" ? palette.compaction : palette.branch;
      const size = 12 * k;
      context.fillRect(x + width / 2 - size / 2 + place * size * 1.4, y + height + 10 * k, size, size);
    });
  });
}

/** What is written on a card; as bars where nobody could read it. */
function paintText(
  context: CanvasRenderingContext2D,
  frame: Frame,
  node: OutlineNode,
  x: number,
  y: number,
): void {
  const { palette } = frame;
  const { k } = frame.view;
  const lines = linesOf(node);
  const isText = k >= TEXT_ZOOM;
  context.fillStyle = isText ? palette.text : palette.line;
  lines.forEach((line, place) => {
    const middle = y + (CARD.height / 2 + (place - (lines.length - 1) / 2) * LINE_HEIGHT) * k;
    if (isText) context.fillText(line, x + 10 * k, middle + 4 * k, (CARD.width - 16) * k);
    else
      context.fillRect(
        x + 10 * k,
        middle - 2.5 * k,
        Math.min(widthOf(line) * 6.2, CARD.width - 20) * k,
        5 * k,
      );
  });
}

/** Labels are what one finds one's way by from afar: as large as ever, where they do not cover one another. */
function paintLabels(context: CanvasRenderingContext2D, frame: Frame, cells: Cells): void {
  const { scene, view, palette } = frame;
  const labelled: number[] = [];
  eachPainted(frame, cells, (index) => {
    if (scene.nodes[index]?.label) labelled.push(index);
  });
  labelled.sort((a, b) => Number(scene.onPath[b]) - Number(scene.onPath[a]) || a - b);
  context.font = `11px ${palette.font}`;
  context.textBaseline = "middle";
  const written: Box[] = [];
  for (const index of labelled) {
    if (written.length === MAX_LABELS) return;
    const label = shortened(scene.nodes[index]?.label ?? "");
    const at = toScreen(view, boxAt(scene, index));
    const box = { x: at.x + at.width + 4, y: at.y + at.height / 2 - 8, width: 0, height: 16 };
    if (box.y < -box.height || box.y > frame.size.height || box.x > frame.size.width) continue;
    box.width = context.measureText(label).width + 10;
    if (written.some((it) => crowd(it, box))) continue;
    written.push(box);
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, 4);
    context.fillStyle = palette.raised;
    context.fill();
    context.strokeStyle = palette.lineStrong;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = palette.text;
    context.fillText(label, box.x + 5, box.y + 8.5);
  }
}

/** Where one is, and where one points: seen however far one is zoomed out. */
function paintPins(context: CanvasRenderingContext2D, frame: Frame): void {
  const { scene, palette, marked } = frame;
  const pin = (index: number, colour: string, isFull: boolean, radius: number) => {
    if (index === NOWHERE || index >= scene.size || scene.hidden[index]) return;
    const at = toScreen(frame.view, boxAt(scene, index));
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.lineWidth = 5;
    context.strokeStyle = palette.raised;
    context.stroke();
    context.lineWidth = 2.5;
    context.strokeStyle = colour;
    context.stroke();
    context.fillStyle = colour;
    if (isFull) context.fill();
  };
  if (scene.leaf !== scene.current) pin(scene.leaf, palette.accent, false, 5);
  // A card that can be read shows it, and the pin would hide what is written.
  if (frame.view.k < TEXT_ZOOM) pin(scene.current, palette.accent, true, 5);
  pin(marked.hit, palette.warning, false, 9);
  pin(marked.pointed, palette.text, false, 9);
  pin(marked.focused, palette.accent, false, 12);
}

function shortened(label: string): string {
  const letters = [...label];
  return letters.length > LABEL_LENGTH ? `${letters.slice(0, LABEL_LENGTH - 1).join("")}…` : label;
}

function crowd(a: Box, b: Box): boolean {
  return (
    a.x < b.x + b.width + FREE.x &&
    b.x < a.x + a.width + FREE.x &&
    a.y < b.y + b.height + FREE.y &&
    b.y < a.y + a.height + FREE.y
  );
}
