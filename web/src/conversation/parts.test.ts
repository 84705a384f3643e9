import { describe, expect, it } from "vitest";
import type { Entry } from "../session/turns";
import { answerParts, answerText, argumentsLine, endingOf, liveParts, usageOf } from "./parts";

let id = 0;

function message(role: string, content: unknown, more: object = {}): Entry {
  id += 1;
  const same = { __typename: "MessageEntry", id: String(id), type: "MESSAGE", isError: false };
  return { ...same, role, content, ...more } as unknown as Entry;
}

const call = (callId: string, name: string) => ({
  type: "toolCall",
  id: callId,
  name,
  arguments: { path: "a" },
});
const text = (it: string) => ({ type: "text", text: it });
const result = (callId: string, said: string, isError = false) =>
  message("toolResult", [text(said)], { toolCallId: callId, toolName: "read", isError });

describe("answerParts", () => {
  it("puts each call and its result together, where the call stands", () => {
    const parts = answerParts([
      message("user", [text("q")]),
      message("assistant", [
        { type: "thinking", thinking: "hm" },
        text("I look."),
        call("1", "read"),
        call("2", "list"),
      ]),
      result("2", "second"),
      result("1", "first", true),
      message("assistant", [text("Done.")]),
    ]);
    expect(parts.map((it) => [it.kind, it.key])).toEqual([
      ["thinking", "thinking:0"],
      ["text", "text:0"],
      ["tool", "tool:0"],
      ["tool", "tool:1"],
      ["text", "text:1"],
    ]);
    expect(parts[2]).toMatchObject({ name: "read", result: { text: "first", isError: true } });
    expect(parts[3]).toMatchObject({ name: "list", result: { text: "second", isError: false } });
  });

  it("shows a call without a result, and a result without a call", () => {
    const parts = answerParts([message("assistant", [call("1", "read")]), result("other", "lost")]);
    expect(parts).toMatchObject([
      { name: "read", result: null },
      { name: "read", args: undefined, result: { text: "lost" } },
    ]);
  });

  it("gives a second result of a call a part of its own", () => {
    const parts = answerParts([
      message("assistant", [call("1", "read")]),
      result("1", "a"),
      result("1", "b"),
    ]);
    expect(parts.map((it) => it.kind === "tool" && it.result?.text)).toEqual(["a", "b"]);
  });

  it("leaves out what is empty or not for people, and keeps what it does not know", () => {
    const parts = answerParts([
      message("assistant", [text(" "), { type: "thinking", thinking: "" }, { type: "video" }, 7, null]),
      { __typename: "LeafEntry", id: "l", type: "LEAF" } as unknown as Entry,
      { __typename: "ModelChangeEntry", id: "m", type: "MODEL_CHANGE" } as unknown as Entry,
    ]);
    expect(parts.map((it) => it.kind)).toEqual(["unknown", "entry"]);
  });

  it("takes a text alone as content", () => {
    expect(answerText(answerParts([message("assistant", "as it is"), message("assistant", null)]))).toBe(
      "as it is",
    );
  });
});

describe("liveParts", () => {
  it("have the keys that the parts of the ended answer have", () => {
    const before = [message("user", [text("q")]), message("assistant", [text("I look."), call("1", "read")])];
    const live = { nodeId: "n", thinking: "well", text: "so" };
    const ended = answerParts([
      ...before,
      message("assistant", [{ type: "thinking", thinking: "well" }, text("so")]),
    ]);
    const parts = answerParts(before);
    expect([...parts, ...liveParts(parts, live)]).toEqual(ended);
  });

  it("are none before anything has come", () => {
    expect(liveParts([], { nodeId: "n", thinking: "", text: "" })).toEqual([]);
  });
});

describe("usageOf", () => {
  const usage = (costUsd: number | null) => ({
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 2,
    cacheWriteTokens: 1,
    costUsd,
  });

  it("adds up what all calls of a turn took", () => {
    const entries = [
      message("assistant", [], { model: "a", usage: usage(0.5) }),
      message("toolResult", []),
      message("assistant", [], { model: "b", usage: usage(0.25) }),
    ];
    expect(usageOf(entries)).toEqual({ model: "b", inputTokens: 26, outputTokens: 10, costUsd: 0.75 });
  });

  it("knows no cost where a price is missing, and nothing where nothing answered", () => {
    const entries = [
      message("assistant", [], { usage: usage(null) }),
      message("assistant", [], { usage: usage(1) }),
    ];
    expect(usageOf(entries)?.costUsd).toBeNull();
    expect(usageOf([message("user", [])])).toBeNull();
  });
});

it("says how the last message of the assistant ended", () => {
  const entries = [
    message("assistant", [], { stopReason: "toolUse" }),
    message("assistant", [], { stopReason: "error", error: "no" }),
    message("toolResult", []),
  ];
  expect(endingOf(entries)).toEqual({ stopReason: "error", error: "no" });
  expect(endingOf([])).toEqual({ stopReason: null, error: null });
});

it("writes arguments in one line", () => {
  expect(argumentsLine({ path: "a\n b", lines: [1, 2] })).toBe("path: a b, lines: [1,2]");
  expect(argumentsLine(["x"])).toBe('["x"]');
  expect(argumentsLine(undefined)).toBe("");
});
