import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrap } from "./wrap";

describe("wrapping", () => {
  it("goes between words, and into two lines at most", () => {
    expect(wrap("short")).toEqual(["short"]);
    expect(wrap("")).toEqual([""]);
    expect(wrap("How do I keep the layout stable when a node is added?")).toEqual([
      "How do I keep the layout",
      "stable when a node is a…",
    ]);
    expect(wrap("a".repeat(60))).toEqual(["a".repeat(24), `${"a".repeat(23)}…`]);
  });

  it("knows wide letters, and cuts none in two", () => {
    expect(wrap("请解释一下向量数据库与图数据库的区别")).toEqual([
      "请解释一下向量数据库与图",
      "数据库的区别",
    ]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const lines = wrap(text);
        expect(lines.length).toBeLessThanOrEqual(2);
        for (const line of lines) expect(() => encodeURIComponent(line)).not.toThrow();
      }),
    );
  });
});
