import { describe, expect, it } from "vitest";
import type { Entry } from "../../session/turns";
import { cut, rangeOfAnchor, rangeOfEntry } from "./range";

const entry = (id: string): Entry =>
  ({ __typename: "MessageEntry", id, type: "MESSAGE" }) as unknown as Entry;
const page = (...ids: string[]) => ids.map(entry);
const compaction = (firstKeptEntryId: string) =>
  ({ __typename: "CompactionEntry", id: "c", parentId: "e9", firstKeptEntryId }) as unknown as Entry;
const branch = (scope: string) =>
  ({ __typename: "BranchSummaryEntry", id: "b", parentId: "e3", fromId: "x2", scope }) as unknown as Entry;
const ids = (entries: readonly Entry[]) => entries.map((it) => it.id);

describe("what a summary stands for", () => {
  it("is all from the anchor up", () => {
    const { entries, rest } = cut(page("e4", "e3"), rangeOfAnchor("e4"));
    expect(ids(entries)).toEqual(["e4", "e3"]);
    expect(rest.from).toBe("e4");
  });

  it("is what lies above the first entry that a compaction keeps, also on a later page", () => {
    const range = rangeOfEntry(compaction("e7"), []);
    expect(range.from).toBe("e9");
    const first = cut(page("e9", "e8"), range);
    expect(ids(first.entries)).toEqual([]);
    expect(ids(cut(page("e7", "e6", "e5"), first.rest).entries)).toEqual(["e6", "e5"]);
  });

  it("is all above a compaction that keeps nothing", () => {
    const { entries } = cut(page("e9", "e8"), rangeOfEntry(compaction("c"), []));
    expect(ids(entries)).toEqual(["e9", "e8"]);
  });

  it("is another branch down from where it leaves the path", () => {
    const range = rangeOfEntry(branch("BRANCH"), ["e1", "e2", "e3"]);
    const { entries, rest } = cut(page("x2", "x1", "e2", "e1"), range);
    expect(ids(entries)).toEqual(["x2", "x1"]);
    expect(rest.from).toBeNull();
  });

  it("is all above a summary of the history", () => {
    const range = rangeOfEntry(branch("HISTORY"), ["e1", "e2", "e3"]);
    expect(ids(cut(page("e3", "e2"), range).entries)).toEqual(["e3", "e2"]);
  });
});
