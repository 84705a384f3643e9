import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  between,
  boxOf,
  CARD,
  cardBox,
  cellsAround,
  centredOn,
  clamped,
  contains,
  distance,
  filled,
  fitted,
  includes,
  isInView,
  keepInView,
  minZoom,
  PITCH,
  toScreen,
  toWorld,
  visibleCells,
  zoomed,
} from "./viewport";

const SIZE = { width: 800, height: 600 };
const COORDINATE = fc.integer({ min: -50_000, max: 50_000 });
const VIEWS = fc.record({ x: COORDINATE, y: COORDINATE, k: fc.double({ min: 0.01, max: 2, noNaN: true }) });
const CELLS = fc.record({ row: fc.nat(400), column: fc.nat(200) });

describe("the geometry of the view", () => {
  it("finds the visible cells: all of those whose card is in view", () => {
    fc.assert(
      fc.property(VIEWS, CELLS, (view, { row, column }) => {
        if (isInView(view, SIZE, cardBox(row, column)))
          expect(includes(visibleCells(view, SIZE), row, column)).toBe(true);
      }),
    );
    const view = { x: -PITCH.x * 10, y: -PITCH.y * 20, k: 1 };
    expect(visibleCells(view, SIZE)).toEqual({ top: 20, bottom: 25, left: 10, right: 14 });
    expect(contains(visibleCells(view, SIZE, 1), visibleCells(view, SIZE))).toBe(true);
    expect(contains(visibleCells(view, SIZE), visibleCells(view, SIZE, 1))).toBe(false);
  });

  it("goes from the world to the screen and back", () => {
    const view = { x: 30, y: -40, k: 0.5 };
    const at = toScreen(view, { x: 100, y: 200, width: 10, height: 20 });
    expect(at).toEqual({ x: 80, y: 60, width: 5, height: 10 });
    expect(toWorld(view, at)).toEqual({ x: 100, y: 200 });
    expect(boxOf({ top: 1, bottom: 2, left: 0, right: 0 })).toEqual({
      x: 0,
      y: PITCH.y,
      width: CARD.width,
      height: PITCH.y + CARD.height,
    });
  });

  it("finds the cells around a point, and how far a card is", () => {
    const view = { x: 0, y: 0, k: 1 };
    expect(cellsAround(view, { x: PITCH.x, y: 10 }, 8)).toEqual({ top: 0, bottom: 0, left: 0, right: 1 });
    expect(distance(cardBox(0, 0), { x: 5, y: 5 })).toBe(0);
    expect(distance(cardBox(0, 0), { x: -3, y: -4 })).toBe(5);
  });

  it("fits a box, no nearer than wished", () => {
    const box = { x: 100, y: 100, width: 8_000, height: 100 };
    const at = toScreen(fitted(box, SIZE), box);
    expect(at.x).toBeCloseTo(32);
    expect(at.width).toBeCloseTo(SIZE.width - 64);
    expect(at.y + at.height / 2).toBeCloseTo(SIZE.height / 2);
    expect(fitted(cardBox(0, 0), SIZE).k).toBe(1);
    expect(minZoom(SIZE, { x: 0, y: 0, width: 168, height: 1_000_000 })).toBeLessThan(0.001);
    expect(minZoom(SIZE, cardBox(0, 0))).toBe(0.2);
  });

  it("moves as little as it takes to have a card in view, and not at all if it is", () => {
    fc.assert(
      fc.property(VIEWS, CELLS, (view, { row, column }) => {
        const box = cardBox(row, column);
        const moved = keepInView(view, SIZE, box);
        const at = toScreen(moved, box);
        expect(at.x).toBeGreaterThanOrEqual(-1e-6);
        expect(at.y).toBeGreaterThanOrEqual(-1e-6);
        expect(at.x + at.width).toBeLessThanOrEqual(SIZE.width + 1e-6);
        expect(at.y + at.height).toBeLessThanOrEqual(SIZE.height + 1e-6);
        expect(moved.k).toBe(view.k);
        const again = keepInView(moved, SIZE, box);
        expect(again.x).toBeCloseTo(moved.x, 6);
        expect(again.y).toBeCloseTo(moved.y, 6);
      }),
    );
    const view = { x: 0, y: 0, k: 1 };
    expect(keepInView(view, SIZE, cardBox(1, 1))).toBe(view);
  });

  it("never loses the tree", () => {
    const tree = boxOf({ top: 0, bottom: 50, left: 0, right: 20 });
    fc.assert(
      fc.property(VIEWS, (view) => {
        expect(isInView(clamped(view, SIZE, tree), SIZE, tree)).toBe(true);
      }),
    );
  });

  it("leaves no room empty while the tree goes on beyond the other edge", () => {
    const tree = boxOf({ top: 0, bottom: 5, left: 0, right: 20 });
    const view = centredOn(cardBox(0, 0), SIZE, 1);
    expect(filled(view, SIZE, tree)).toEqual({ x: 40, y: view.y, k: 1 });
    const right = centredOn(cardBox(0, 20), SIZE, 1);
    expect(toScreen(filled(right, SIZE, tree), tree).x + tree.width).toBe(SIZE.width - 40);
    const narrow = boxOf({ top: 0, bottom: 5, left: 0, right: 0 });
    expect(filled(view, SIZE, narrow)).toBe(view);
  });

  it("zooms about a point, and is at both ends of a way where it should be", () => {
    const point = { x: 100, y: 50 };
    const [from, to] = [{ x: 5, y: 6, k: 1 }, zoomed({ x: 5, y: 6, k: 1 }, 0.25, point)];
    expect(toWorld(to, point)).toEqual(toWorld(from, point));
    expect(between(from, to, SIZE, 1)).toBe(to);
    expect(between(from, to, SIZE, 0)).toEqual(from);
    const half = between(from, to, SIZE, 0.5);
    expect(half.k).toBeCloseTo(0.5);
    // The point that both keep is kept on the way as well.
    expect(toWorld(half, point).x).toBeCloseTo(toWorld(from, point).x);
  });
});
