import { describe, expect, it } from "vitest";
import type { PathItem } from "../../session/turns";
import { allTokens, turnUsages } from "./turns";

const usage = (inputTokens: number, costUsd: number | null) => ({
  inputTokens,
  outputTokens: 10,
  cacheReadTokens: 1,
  cacheWriteTokens: 2,
  costUsd,
});
const user = { __typename: "MessageEntry", role: "user", text: "Why?" };
const assistant = (model: string, used: object | null) => ({
  __typename: "MessageEntry",
  role: "assistant",
  model,
  usage: used,
});
const turn = (nodeId: string, ...entries: object[]) =>
  ({ kind: "turn", nodeId, entries }) as unknown as PathItem;
const between = { kind: "between", entry: {} } as unknown as PathItem;

describe("turnUsages", () => {
  it("adds up the calls of a turn, and passes over what stands between turns", () => {
    const tools = turn("t", user, assistant("m", usage(100, 0.1)), assistant("n", usage(200, 0.2)));
    const [used, ...rest] = turnUsages([between, tools]);
    expect(rest).toEqual([]);
    expect(used).toMatchObject({
      nodeId: "t",
      question: "Why?",
      models: ["m", "n"],
      calls: 2,
      inputTokens: 300,
      outputTokens: 20,
    });
    expect(used?.costUsd).toBeCloseTo(0.3);
    expect(used && allTokens(used)).toBe(326);
  });

  it("does not know the cost of a turn of which one call has no price", () => {
    const [used] = turnUsages([turn("t", assistant("m", usage(1, 0.1)), assistant("n", usage(1, null)))]);
    expect(used?.costUsd).toBeNull();
  });

  it("shows a turn that no model was asked for", () => {
    expect(turnUsages([turn("t", user)])).toMatchObject([{ calls: 0, inputTokens: 0, costUsd: 0 }]);
  });
});
