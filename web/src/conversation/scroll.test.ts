import { describe, expect, it } from "vitest";
import { nearsStart, offersEnd, roomBelow, sticks } from "./scroll";

describe("sticks", () => {
  it("lets go when one scrolls up while text comes", () => {
    expect(sticks(true, { before: 1000, top: 980, endTop: 1000 })).toBe(false);
    expect(sticks(true, { before: 1000, top: 990, endTop: 1200 })).toBe(false);
  });

  it("stays while text has come that is not yet scrolled to", () => {
    expect(sticks(true, { before: 1000, top: 1000, endTop: 1300 })).toBe(true);
  });

  it("begins again when one scrolls down to the end, or nearly", () => {
    expect(sticks(false, { before: 900, top: 970, endTop: 1000 })).toBe(true);
    expect(sticks(false, { before: 900, top: 950, endTop: 1000 })).toBe(false);
  });

  it("is not lost when what is shown becomes shorter", () => {
    expect(sticks(true, { before: 1000, top: 600, endTop: 600 })).toBe(true);
  });
});

it("offers the way to the end to who is far from it and does not follow it", () => {
  expect(offersEnd(false, { top: 0, endTop: 500 })).toBe(true);
  expect(offersEnd(true, { top: 0, endTop: 500 })).toBe(false);
  expect(offersEnd(false, { top: 400, endTop: 500 })).toBe(false);
});

it("makes room below a branch that is too short to keep the place", () => {
  expect(roomBelow(500, 300)).toBe(200);
  expect(roomBelow(500, -80)).toBe(500);
  expect(roomBelow(100, 300)).toBe(0);
});

it("reads what lies above before one gets there", () => {
  expect(nearsStart(100, 600)).toBe(true);
  expect(nearsStart(1200, 600)).toBe(false);
});
