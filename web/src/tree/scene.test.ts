// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import type { Outline, OutlineNode } from "../session/outline";
import { foldsBesidePath, toggled, unfoldedTo } from "./folds";
import { Layout, NOWHERE } from "./layout";
import { nodeName, signsOf } from "./names";
import { boxAt, makeScene, shownBox, shownFor } from "./scene";
import { T } from "./texts";
import { chain, outlineOf, type Rows } from "./treeTesting";

const ROWS: Rows = [
  ["a", null],
  ["b", "a"],
  ["c", "b"],
  ["x", "a"],
  ["y", "x"],
  ["z", "x", "RUNNING"],
];

function sceneOf(outline: Outline, folds: readonly string[] = [], current: string | null = null) {
  return makeScene(outline, outline.version, new Layout(outline), new Set(folds), current, null);
}

function ids(scene: ReturnType<typeof sceneOf>, marked: ArrayLike<number>): string[] {
  return scene.layout.ids.filter((_, index) => marked[index]);
}

describe("the scene", () => {
  it("hides what is below a fold and counts it, and moves nothing", () => {
    const outline = outlineOf(ROWS);
    const [open, folded] = [sceneOf(outline), sceneOf(outline, ["x"])];
    expect(ids(folded, folded.hidden)).toEqual(["y", "z"]);
    expect(ids(folded, folded.folded)).toEqual(["x"]);
    expect(folded.below[folded.layout.indexOf("x")]).toBe(2);
    expect(folded.below[0]).toBe(5);
    expect(folded.layout.columns).toEqual(open.layout.columns);
    expect(boxAt(folded, 4)).toEqual(boxAt(open, 4));
    expect(shownFor(folded, folded.layout.indexOf("z"))).toBe(folded.layout.indexOf("x"));
    expect(shownFor(folded, NOWHERE)).toBe(NOWHERE);
    expect(shownBox(sceneOf(outline, ["a"]))).toEqual(boxAt(open, 0));
  });

  it("does not take a node without children for a fold", () => {
    const scene = sceneOf(outlineOf(ROWS), ["c", "unknown"]);
    expect(ids(scene, scene.folded)).toEqual([]);
  });

  it("knows the way to where one is", () => {
    const scene = sceneOf(outlineOf(ROWS), [], "y");
    expect(ids(scene, scene.onPath)).toEqual(["a", "x", "y"]);
    expect(scene.onward[0]).toBe(scene.layout.indexOf("x"));
    expect(scene.onward[scene.current]).toBe(NOWHERE);
  });

  it("folds all beside that way, and unfolds what hides a node", () => {
    const outline = outlineOf([...ROWS, ["y1", "y"], ["y2", "y1"]]);
    const scene = sceneOf(outline, [], "y");
    const folds = foldsBesidePath(scene);
    expect([...folds]).toEqual(["b", "y1"]);
    const folded = sceneOf(outline, [...folds, "x"], "c");
    const shown = unfoldedTo(new Set([...folds, "x"]), folded, folded.layout.indexOf("y2"));
    expect([...shown]).toEqual(["b"]);
    expect(unfoldedTo(shown, folded, 0)).toBe(shown);
    expect([...toggled(shown, "b")]).toEqual([]);
    expect([...toggled(shown, "z")]).toEqual(["b", "z"]);
  });

  it("says what a node is", () => {
    const outline = outlineOf(ROWS);
    outline.take({
      columns: ["nodeId", "parentNodeId", "status", "isSummaryAnchor", "summaryState", "question", "label"],
      rows: [["x", "a", "FAILED", true, "PENDING", "why?", "draft"]],
      markColumns: [],
      marks: [
        ["e", "x", "COMPACTION", null],
        ["f", null, "BRANCH_SUMMARY", "HISTORY"],
      ],
      cursor: null,
      hasNext: false,
      nodeCount: 6,
    });
    const scene = sceneOf(outline, ["x"], "x");
    expect(nodeName(scene, 0, T.all.en)).toBe("question a, a summary stands above, 2 branches");
    expect(nodeName(scene, scene.current, T.all.en)).toBe(
      "label draft, why?, you are here, failed, summary anchor, summary pending, compaction below, 2 branches, 2 folded below",
    );
    expect(nodeName(scene, scene.current, T.all.zh)).toContain("你在这里，失败，摘要锚点");
    expect(
      signsOf({ ...(scene.nodes[0] as OutlineNode), status: "RUNNING", summaryState: "FAILED" }, true),
    ).toEqual(["running", "leaf", "summaryFailed"]);
  });

  it("is made fast, of a long chain too", () => {
    const outline = outlineOf(chain(20_000));
    const layout = new Layout(outline);
    const make = () => makeScene(outline, 1, layout, new Set(["n5"]), "n19999", null);
    make();
    const start = performance.now();
    expect(make().below[0]).toBe(19_999);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
