import { describe, expect, it } from "vitest";
import { groupProblems, ranges, sizeOf } from "./importReport";

const cut = (line: number) => ({ line, code: "BAD_LINE", message: "The line is cut.", lost: true });

describe("the report of an import", () => {
  it("has problems of one kind in one row, with their lines", () => {
    const groups = groupProblems([
      { line: null, code: "NO_HEADER", message: "No header.", lost: false },
      cut(2),
      { line: 3, code: "UNKNOWN", message: "No such type.", lost: false },
      cut(4),
      cut(5),
    ]);
    expect(groups).toEqual([
      { lines: null, many: false, message: "No header.", lost: false, count: 1 },
      { lines: "2, 4–5", many: true, message: "The line is cut.", lost: true, count: 3 },
      { lines: "3", many: false, message: "No such type.", lost: false, count: 1 },
    ]);
  });

  it("tells apart what was lost and what was kept", () => {
    expect(groupProblems([cut(1), { ...cut(2), lost: false }])).toHaveLength(2);
  });

  it("names a line once, and not all of many", () => {
    expect(ranges([7, 1, 2, 3, 3])).toBe("1–3, 7");
    expect(ranges([1, 3, 5, 7, 9, 11, 13])).toBe("1, 3, 5, 7, 9, 11, …");
  });
});

it("sizes are short", () => {
  expect([12, 2048, 20_000_000].map(sizeOf)).toEqual(["12 B", "2.0 KiB", "19.1 MiB"]);
});
