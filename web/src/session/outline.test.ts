import { describe, expect, it } from "vitest";
import type { NodeFieldsFragment } from "../graphql/generated/graphql";
import { Outline } from "./outline";
import { page } from "./outlineTesting";

const FORKED = page([
  ["a", null],
  ["b", "a"],
  ["c", "b"],
  ["x", "a"],
  ["y", "x"],
  ["z", "x"],
]);

describe("Outline", () => {
  it("knows the path to a node, and nothing of nodes it has not seen", () => {
    const outline = new Outline();
    outline.take(FORKED);
    expect(outline.path("c")).toEqual(["a", "b", "c"]);
    expect(outline.path(null)).toEqual([]);
    expect(outline.path("?")).toEqual([]);
  });

  it("finds where two branches part", () => {
    const outline = new Outline();
    outline.take(FORKED);
    outline.take(page([["r", null]]));
    expect(outline.commonAncestor("c", "z")).toBe("a");
    expect(outline.commonAncestor("a", "z")).toBe("a");
    expect(outline.commonAncestor("c", "r")).toBeNull();
  });

  it("goes down to the end of a branch the way one went last", () => {
    const outline = new Outline();
    outline.take(FORKED);
    expect(outline.tip("a")).toBe("z");
    expect(outline.tip("a", new Map([["a", "b"]]))).toBe("c");
    expect(outline.tip("a", new Map([["a", "elsewhere"]]))).toBe("z");
  });

  it("replaces what it knows and keeps the order of creation", () => {
    const outline = new Outline();
    outline.take(
      page([
        ["a", null],
        ["b", "a", "RUNNING"],
        ["c", "a"],
      ]),
    );
    const before = outline.version;
    outline.take(page([["b", "a", "DONE"]], [["e1", "b", "COMPACTION", null]]));
    outline.take(page([], [["e1", "b", "COMPACTION", null]]));
    expect(outline.children("a")).toEqual(["b", "c"]);
    expect(outline.get("b")?.status).toBe("DONE");
    expect(outline.marks("b")).toHaveLength(1);
    expect(outline.version).toBeGreaterThan(before);
  });

  it("has an answer in the place of its question, which was a node until then", () => {
    const outline = new Outline();
    outline.take(
      page([
        ["a", null],
        ["q", "a", "UNANSWERED"],
      ]),
    );
    outline.takeNode({
      nodeId: "n",
      parentNodeId: "a",
      status: "RUNNING",
      userContent: "q",
      entries: [{ id: "q" }],
    } as NodeFieldsFragment);
    expect(outline.children("a")).toEqual(["n"]);
    expect(outline.has("q")).toBe(false);
  });
});
