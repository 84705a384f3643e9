import { describe, expect, it } from "vitest";
import { parseRoute, pathOf } from "./route";

describe("addresses", () => {
  it("lead back to the place they were made of", () => {
    for (const [session, node] of [
      [null, null],
      ["s", null],
      ["s", "n"],
    ] as const)
      expect(parseRoute(pathOf(session, node))).toEqual({ sessionId: session, nodeId: node });
  });

  it("that say nothing name no place", () => {
    expect(parseRoute("/elsewhere")).toEqual({ sessionId: null, nodeId: null });
  });
});
