import { describe, expect, it } from "vitest";
import { type Message, replaced, spanOf } from "./covered";

const path = ["t1", "t2", "t3", "t4", "t5"];
const unknown = () => null;

function message(source: Message["source"], nodeId: string | null, entryId = nodeId ?? "e"): Message {
  return { source, nodeId, entryIds: [entryId] };
}

describe("spanOf", () => {
  it("is the turn itself for what is sent as written and for a turn's summary", () => {
    const messages = [message("NODE_SUMMARY", "t2"), message("RAW", "t5")];
    expect(spanOf(0, messages, path, unknown)).toEqual({ from: 2, to: 2 });
    expect(spanOf(1, messages, path, unknown)).toEqual({ from: 5, to: 5 });
  });

  it("is everything up to the turn for an anchor", () => {
    expect(spanOf(0, [message("ANCHOR_SUMMARY", "t3")], path, unknown)).toEqual({ from: 1, to: 3 });
  });

  it("is everything above for a summary that a fork left, which stands between turns", () => {
    const messages = [message("ANCHOR_SUMMARY", null, "history")];
    expect(spanOf(0, messages, path, (id) => (id === "history" ? 2 : null))).toEqual({ from: 1, to: 2 });
    expect(spanOf(0, messages, path, unknown)).toBeNull();
  });

  it("ends before what a compaction keeps", () => {
    const kept = [message("COMPACTION", null, "c"), message("RAW", "t3"), message("RAW", "t4")];
    expect(spanOf(0, kept, path, () => 4)).toEqual({ from: 1, to: 2 });
    const nothingKept = [message("COMPACTION", null, "c"), message("QUESTION", null)];
    expect(spanOf(0, nothingKept, path, () => 4)).toEqual({ from: 1, to: 4 });
  });

  it("is nothing of this path for another branch's summary, a note, and the question", () => {
    const messages = [message("BRANCH_SUMMARY", null), message("CUSTOM", null), message("QUESTION", null)];
    for (const index of [0, 1, 2, 3]) expect(spanOf(index, messages, path, unknown)).toBeNull();
  });
});

describe("replaced", () => {
  it("counts the turns that summaries stand for, and not those that are sent as written all the same", () => {
    const messages = [
      message("ANCHOR_SUMMARY", "t3"),
      message("RAW", "t3"),
      message("NODE_SUMMARY", "t4"),
      message("RAW", "t5"),
    ];
    expect(replaced(messages, path)).toEqual({ byBoundary: 2, byOwn: 1 });
  });

  it("is nothing where the whole path is sent", () => {
    expect(
      replaced(
        path.map((id) => message("RAW", id)),
        path,
      ),
    ).toEqual({ byBoundary: 0, byOwn: 0 });
  });
});
