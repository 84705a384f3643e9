import { expect, it } from "vitest";
import { Outline } from "../../session/outline";
import { page } from "../../session/outlineTesting";
import type { PathItem } from "../../session/turns";
import { summaryStates } from "./states";

it("counts the summaries of the path that are not there, those of branches too", () => {
  const outline = new Outline();
  const rows = page([
    ["a", null],
    ["b", "a"],
    ["c", "b"],
    ["elsewhere", "a"],
  ]);
  const state = rows.columns.indexOf("summaryState");
  for (const [index, is] of ["PENDING", "FAILED", "RUNNING", "FAILED"].entries())
    (rows.rows[index] as unknown[])[state] = is;
  outline.take(rows);
  const branch = (id: string, summaryState: string) =>
    ({
      kind: "between",
      entry: { __typename: "BranchSummaryEntry", id, summaryState },
    }) as unknown as PathItem;
  const items = [branch("m", "FAILED"), branch("n", "DONE")];
  expect(summaryStates(["a", "b", "c"], items, outline)).toEqual({ pending: 2, failed: ["b", "m"] });
});
