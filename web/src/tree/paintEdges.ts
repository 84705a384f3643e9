/**
 * The edges, on the canvas. They run down from a card, along the span of their parent and down to the child, in the gap
 * between two rows and nowhere else, so that none crosses a card. The way to where one is comes last, over the others.
 */

import { type Cells, NOWHERE } from "./layout";
import type { Frame } from "./paint";
import type { Span } from "./spans";
import { CARD, PITCH, spanOffset } from "./viewport";

const CORNER = 7;
const WIDTH = 1.5;
const WIDTH_ON_PATH = 3;
/** From afar the nodes tell the shape, and thousands of lines would hide them. */
const FAINT = 0.6;
/** Lines end so far outside the screen: there is no sense in drawing thousands of pixels that nobody sees. */
const OUTSIDE = 20;

export function paintEdges(context: CanvasRenderingContext2D, frame: Frame, cells: Cells): void {
  const { scene, view, palette } = frame;
  const { layout, hidden, onPath } = scene;
  const around = { ...cells, top: cells.top - 1, bottom: cells.bottom + 1 };
  const corner = frame.isCoarse ? 0 : CORNER * view.k;

  context.beginPath();
  layout.each(around, (index) => {
    if (index >= scene.size || hidden[index]) return;
    const parent = layout.parents[index] as number;
    if (parent === NOWHERE) return;
    if (layout.columns[index] === layout.columns[parent]) straight(context, frame, index);
    else drop(context, frame, index, parent, corner);
  });
  layout.spans.each(around, (span) => {
    if (isDrawn(frame, span)) trunk(context, frame, span, corner);
  });
  context.strokeStyle = palette.lineStrong;
  context.lineWidth = Math.max(WIDTH * view.k, frame.isCoarse ? 0.6 : 1);
  context.globalAlpha = frame.isCoarse ? FAINT : 1;
  context.stroke();
  context.globalAlpha = 1;

  context.beginPath();
  layout.each(around, (index) => {
    if (index >= scene.size || hidden[index] || !onPath[index]) return;
    const parent = layout.parents[index] as number;
    if (parent !== NOWHERE && layout.columns[index] === layout.columns[parent])
      straight(context, frame, index);
  });
  layout.spans.each(around, (span) => {
    if (!isDrawn(frame, span)) return;
    const child = scene.onward[span.node] as number;
    if (child !== NOWHERE && layout.columns[child] !== layout.columns[span.node])
      whole(context, frame, span, child, corner);
  });
  context.strokeStyle = palette.accent;
  context.lineWidth = Math.max(WIDTH_ON_PATH * view.k, 2);
  context.stroke();
}

function isDrawn({ scene }: Frame, { node }: Span): boolean {
  return node < scene.size && !scene.hidden[node] && !scene.folded[node];
}

function middle({ view }: Frame, column: number): number {
  return (column * PITCH.x + CARD.width / 2) * view.k + view.x;
}

function upper({ view }: Frame, row: number): number {
  return row * PITCH.y * view.k + view.y;
}

function straight(context: CanvasRenderingContext2D, frame: Frame, index: number): void {
  const x = middle(frame, frame.scene.layout.columns[index] as number);
  const y = upper(frame, frame.scene.layout.rows[index] as number);
  context.moveTo(x, y - (PITCH.y - CARD.height) * frame.view.k);
  context.lineTo(x, y);
}

/** From the span down to a child. */
function drop(
  context: CanvasRenderingContext2D,
  frame: Frame,
  index: number,
  parent: number,
  corner: number,
): void {
  const { layout } = frame.scene;
  const span = layout.spans.of(parent) as Span;
  const column = layout.columns[index] as number;
  const x = middle(frame, column);
  const y = upper(frame, layout.rows[index] as number);
  const lane = upper(frame, span.row) + spanOffset(span) * frame.view.k;
  const side = column > (layout.columns[parent] as number) ? corner : -corner;
  context.moveTo(x - side, lane);
  if (corner) context.quadraticCurveTo(x, lane, x, lane + corner);
  context.lineTo(x, y);
}

/** From a card down to its span, and along it to both ends. */
function trunk(context: CanvasRenderingContext2D, frame: Frame, span: Span, corner: number): void {
  const own = frame.scene.layout.columns[span.node] as number;
  if (span.right > own) along(context, frame, span, own, span.right, corner);
  if (span.left < own) along(context, frame, span, own, span.left, corner);
}

function along(
  context: CanvasRenderingContext2D,
  frame: Frame,
  span: Span,
  from: number,
  to: number,
  corner: number,
): void {
  const x = middle(frame, from);
  const lane = upper(frame, span.row) + spanOffset(span) * frame.view.k;
  const side = to > from ? corner : -corner;
  context.moveTo(x, upper(frame, span.row) + CARD.height * frame.view.k);
  context.lineTo(x, lane - corner);
  if (corner) context.quadraticCurveTo(x, lane, x + side, lane);
  const end = middle(frame, to) - side;
  const [low, high] = [-OUTSIDE, frame.size.width + OUTSIDE];
  context.moveTo(Math.min(Math.max(x + side, low), high), lane);
  context.lineTo(Math.min(Math.max(end, low), high), lane);
}

/** All of an edge, from card to card. */
function whole(
  context: CanvasRenderingContext2D,
  frame: Frame,
  span: Span,
  child: number,
  corner: number,
): void {
  const { layout } = frame.scene;
  along(context, frame, span, layout.columns[span.node] as number, layout.columns[child] as number, corner);
  drop(context, frame, child, span.node, corner);
}
