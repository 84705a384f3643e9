import { describe, expect, it } from "vitest";
import { Outline } from "../../session/outline";
import { page } from "../../session/outlineTesting";
import { branchesBeside } from "./branches";

function outline(): Outline {
  const tree = new Outline();
  const rows = page([
    ["r", null],
    ["s", "r"],
    ["here", "s"],
    ["again", "s"],
    ["b1", "r"],
    ["b2", "b1"],
    ["other", null],
  ]);
  const label = rows.columns.indexOf("label");
  const b1 = rows.rows.find((row) => row[0] === "b1");
  if (b1) b1[label] = "Sprinklers";
  tree.take(rows);
  return tree;
}

const ids = (branches: readonly { tipId: string }[]) => branches.map((it) => it.tipId);

describe("branchesBeside", () => {
  it("tells the ends of the other branches, the one made last first, other versions of the turn apart", () => {
    const { siblings, others, more } = branchesBeside(outline(), "here", "", 10);
    expect(ids(siblings)).toEqual(["again"]);
    expect(ids(others)).toEqual(["other", "b2"]);
    expect(more).toBe(0);
  });

  it("tells how much of a branch is its own", () => {
    expect(branchesBeside(outline(), "here", "", 10).others).toEqual([
      { tipId: "other", firstId: "other", turns: 1, shared: 0, labels: [] },
      { tipId: "b2", firstId: "b1", turns: 2, shared: 1, labels: ["Sprinklers"] },
    ]);
  });

  it("finds by words of questions and labels anywhere on a branch", () => {
    expect(ids(branchesBeside(outline(), "here", "sprink B2", 10).others)).toEqual(["b2"]);
    expect(branchesBeside(outline(), "here", "moon", 10)).toMatchObject({ siblings: [], others: [] });
  });

  it("says how many more there are", () => {
    expect(branchesBeside(outline(), "here", "", 1)).toMatchObject({ more: 1, others: [{ tipId: "other" }] });
  });

  it("gives branches that go on from the place", () => {
    expect(ids(branchesBeside(outline(), "s", "", 10).others)).toContain("here");
  });
});
