import { describe, expect, it } from "vitest";
import { type Entry, pathItems } from "./turns";

function message(id: string, role: string): Entry {
  return { __typename: "MessageEntry", id, type: "MESSAGE", role, text: id } as unknown as Entry;
}

function other(id: string, type: string): Entry {
  return { __typename: "ModelChangeEntry", id, type } as unknown as Entry;
}

describe("pathItems", () => {
  it("keeps a turn with its tool calls together", () => {
    const entries = [
      message("q", "user"),
      message("call", "assistant"),
      message("result", "toolResult"),
      message("a", "assistant"),
    ];
    expect(pathItems(entries, (id) => id === "a")).toEqual([{ kind: "turn", nodeId: "a", entries }]);
  });

  it("ends a turn with its answer, so that a change after it stands between turns", () => {
    const items = pathItems(
      [message("q", "user"), message("a", "assistant"), other("m", "MODEL_CHANGE"), message("r", "user")],
      (id) => id === "a",
    );
    expect(items.map((it) => it.kind)).toEqual(["turn", "between", "turn"]);
    expect(items.at(-1)).toMatchObject({ nodeId: null });
  });

  it("shows a question that nothing answers as a turn of its own", () => {
    const items = pathItems([message("q", "user"), message("r", "user"), message("a", "assistant")], (id) =>
      ["q", "a"].includes(id),
    );
    expect(items.map((it) => it.kind === "turn" && it.nodeId)).toEqual(["q", "a"]);
  });

  it("keeps an agent's calls with the question that is still open", () => {
    const entries = [message("q", "user"), message("call", "assistant"), message("result", "toolResult")];
    expect(pathItems(entries, (id) => id === "q")).toEqual([{ kind: "turn", nodeId: "q", entries }]);
  });

  it("does not show records of moves and labels", () => {
    expect(pathItems([other("l", "LEAF"), other("x", "LABEL")], () => false)).toEqual([]);
  });
});
