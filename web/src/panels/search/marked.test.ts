import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marked, terms } from "./marked";

const hits = (text: string, search: string) =>
  marked(text, search)
    .filter((it) => it.hit)
    .map((it) => it.text);

describe("terms", () => {
  it("are words, and phrases in quotes, each once", () => {
    expect(terms('water  "drip line" water — ?')).toEqual(["water", "drip line"]);
    expect(terms('"open')).toEqual(['"open']);
    expect(terms(' "" ')).toEqual([]);
  });
});

describe("marked", () => {
  it("marks words by their beginning, in any case", () => {
    expect(hits("Waterproof, underwater WATER", "water")).toEqual(["Water", "WATER"]);
  });

  it("marks a short word only where it stands alone", () => {
    expect(hits("in a tin, index in", "in")).toEqual(["in", "in"]);
  });

  it("marks Chinese anywhere", () => {
    expect(hits("给花园浇水的水管", "浇水")).toEqual(["浇水"]);
    expect(hits("给花园浇水的水管", "水")).toEqual(["水", "水"]);
  });

  it("marks a phrase across a line break, and the longer of two that begin together", () => {
    expect(hits("the drip\nline is long", '"drip line" drip')).toEqual(["drip\nline"]);
  });

  it("takes what was typed for text and not for a pattern", () => {
    expect(hits("a+b (c) [d] $5.00", "a+b [d] $5.00")).toEqual(["a+b", "[d]", "$5.00"]);
    expect(hits("<b>bold</b>", "<b>bold</b>")).toEqual(["<b>bold</b>"]);
  });

  it("loses nothing of a text, whatever is searched for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, search) => {
        const pieces = marked(text, search);
        expect(pieces.map((it) => it.text).join("")).toBe(text);
      }),
    );
  });
});
