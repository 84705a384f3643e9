import { beforeEach, describe, expect, it } from "vitest";
import { Outline } from "../../session/outline";
import { page } from "../../session/outlineTesting";
import { align, sideOf, sidesAt } from "./sides";

/** r ─ s ┬ a1 ─ a2 ─ a3
 *        ├ b1 ─ b2
 *        └ c1 */
let outline: Outline;
beforeEach(() => {
  outline = new Outline();
  outline.take(
    page([
      ["r", null],
      ["s", "r"],
      ["a1", "s"],
      ["a2", "a1"],
      ["b1", "s"],
      ["b2", "b1"],
      ["a3", "a2"],
      ["c1", "s"],
    ]),
  );
});

const sides = { a: "a2", b: "b1" };

describe("sidesAt", () => {
  it("stays while one looks around on either of the two, or above them", () => {
    for (const at of ["a2", "a1", "s", "r", "b1", null]) expect(sidesAt(sides, at, outline)).toBe(sides);
  });

  it("takes along the side on which one goes on", () => {
    expect(sidesAt(sides, "a3", outline)).toEqual({ a: "a3", b: "b1" });
    expect(sidesAt(sides, "b2", outline)).toEqual({ a: "a2", b: "b2" });
  });

  it("compares any other place with what was chosen", () => {
    expect(sidesAt(sides, "c1", outline)).toEqual({ a: "c1", b: "b1" });
  });
});

describe("sideOf", () => {
  it("tells the side one stands on, and neither above where they part", () => {
    expect(sideOf(sides, "a1", outline)).toBe("a");
    expect(sideOf(sides, "b1", outline)).toBe("b");
    for (const at of ["s", "c1", null]) expect(sideOf(sides, at, outline)).toBeNull();
  });
});

describe("align", () => {
  const turn = (userContent: string) => ({ userContent });

  it("puts the nth turn of one beside the nth of the other, and nothing beside what is left", () => {
    const [x, y, z] = [turn("x"), turn("y"), turn("z")];
    expect(align([x, y], [z])).toEqual([
      { a: x, b: z, sameQuestion: false },
      { a: y, b: null, sameQuestion: false },
    ]);
    expect(align([], [])).toEqual([]);
  });

  it("sees that both ask the same", () => {
    expect(align([turn("Why?")], [turn("Why? ")])[0]?.sameQuestion).toBe(true);
  });
});
