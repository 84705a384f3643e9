// @vitest-environment jsdom
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutAt, lineCount, pieces, size } from "./cut";
import { PlainText } from "./PlainText";
import { all, click, one, render } from "./testing";

describe("PlainText", () => {
  it("shows what was written, with its line breaks and nothing understood", () => {
    const text = "# no *heading*\n\n  <b>\n$x$";
    render(<PlainText text={text} />);
    expect(one(".md-plain-text").textContent).toBe(text);
    expect(one(".md-plain-text").children).toHaveLength(0);
    expect(one(".md-plain-text").dir).toBe("auto");
  });

  it("shows what turns letters around", () => {
    render(<PlainText text={"a\u202eb"} />);
    expect(one(".md-plain-text").textContent).toBe("a⟦U+202E⟧b");
  });

  it.each([
    ["many lines", "a\n".repeat(1_000), "Show all (2 kB)"],
    ["one line", "x".repeat(10_000), "Show all (10 kB)"],
    ["Chinese", "文".repeat(400_000), "Show all (1.2 MB)"],
  ])("cuts %s until asked for all", (_, text, name) => {
    render(<PlainText text={text} />);
    expect(one(".md-plain-text").textContent?.length).toBeLessThan(4_000);
    expect(one("button").textContent).toBe(name);
    click(one("button"));
    expect(one(".md-plain-text").textContent).toBe(text.slice(0, 80_000));
    expect(one("button").textContent).toBe("Show less");
  });

  it("does not cut off the last few lines", () => {
    render(<PlainText text={"a\n".repeat(55)} />);
    expect(all("button")).toEqual([]);
  });
});

describe("pieces", () => {
  it("joined are the text, none longer than it may be, and no character is cut", () => {
    const unit = fc.constantFrom("a".repeat(50), "\n", "👩‍👩‍👧", "é", "文", "x".repeat(15_000));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
        const text = units.join("");
        const all = pieces(text);
        expect(all.join("")).toBe(text);
        for (const piece of all) {
          expect(piece.length).toBeGreaterThan(0);
          expect(piece.length).toBeLessThanOrEqual(10_064);
          expect(lineCount(piece)).toBeLessThanOrEqual(200);
          expect(piece).not.toMatch(/^[\udc00-\udfff]|^\u0301|[\ud800-\udbff]$/);
        }
      }),
    );
  });

  it("end after whole lines", () => {
    expect(cutAt("ab\ncd\nef", 0, 2, 100)).toBe(6);
    expect(cutAt("ab\ncd\nef", 0, 9, 7)).toBe(6);
    expect(cutAt("abcdef", 0, 9, 4)).toBe(4);
    expect(cutAt("ab\ncd", 3, 9, 9)).toBe(5);
  });
});

it.each([
  ["", "0 B"],
  ["é", "2 B"],
  ["x".repeat(999_499), "999 kB"],
  ["x".repeat(999_500), "1.0 MB"],
])("size of %#", (text, expected) => {
  expect(size(text)).toBe(expected);
});
