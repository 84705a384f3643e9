import { describe, expect, it } from "vitest";
import type { OutlineNode } from "../session/outline";
import { findNodes, nextHit } from "./find";

function node(question: string, label: string | null = null): OutlineNode {
  return {
    id: question,
    parentId: null,
    status: "DONE",
    isAnchor: false,
    summaryState: "NONE",
    question,
    label,
  };
}

describe("finding", () => {
  const nodes = [node("How do locks work?"), node("Why?", "Lock draft"), node("图数据库"), node("ＬＯＣＫ")];

  it("looks into questions and labels, in any case and width, for all the words", () => {
    expect(findNodes(nodes, "lock")).toEqual([0, 1, 3]);
    expect(findNodes(nodes, " DRAFT  why ")).toEqual([1]);
    expect(findNodes(nodes, "数据")).toEqual([2]);
    expect(findNodes(nodes, "draft how")).toEqual([]);
  });

  it("finds nothing for nothing", () => {
    expect(findNodes(nodes, "  ")).toEqual([]);
  });

  it("goes around the end", () => {
    expect([
      nextHit(3, -1, 1),
      nextHit(3, -1, -1),
      nextHit(3, 2, 1),
      nextHit(3, 0, -1),
      nextHit(3, 0, 1),
    ]).toEqual([0, 2, 0, 2, 1]);
    expect(nextHit(0, -1, 1)).toBe(-1);
  });
});
