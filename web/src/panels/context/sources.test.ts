import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bySource, saving, share, systemTokens } from "./sources";

const raw = (tokens: number) => ({ source: "RAW" as const, tokens });
const anchor = (tokens: number) => ({ source: "ANCHOR_SUMMARY" as const, tokens });

describe("bySource", () => {
  it("adds up the messages of each source, in the order of a context", () => {
    expect(bySource([anchor(100), raw(5), raw(7)], 112)).toEqual([
      { source: "ANCHOR_SUMMARY", tokens: 100, count: 1 },
      { source: "RAW", tokens: 12, count: 2 },
    ]);
  });

  it("gives what the messages do not take to the system prompt, first", () => {
    expect(bySource([raw(5)], 36)[0]).toEqual({ source: "SYSTEM", tokens: 31, count: 1 });
    expect(systemTokens([raw(5)], 5)).toBe(0);
  });

  it("loses no tokens", () => {
    const message = fc.record({
      source: fc.constantFrom(
        "RAW" as const,
        "NODE_SUMMARY" as const,
        "CUSTOM" as const,
        "QUESTION" as const,
      ),
      tokens: fc.nat(10_000),
    });
    fc.assert(
      fc.property(fc.array(message), fc.nat(500), (messages, system) => {
        const total = messages.reduce((sum, it) => sum + it.tokens, system);
        const parts = bySource(messages, total);
        expect(parts.reduce((sum, it) => sum + it.tokens, 0)).toBe(total);
      }),
    );
  });
});

describe("share and saving", () => {
  it("stay within the bar", () => {
    expect(share(50, 200)).toBe(0.25);
    expect(share(300, 200)).toBe(1);
    expect(share(-5, 200)).toBe(0);
    expect(share(5, 0)).toBe(0);
  });

  it("say what a summary saves, and what it costs where it is longer than what it stands for", () => {
    expect(saving(170, 1000)).toBeCloseTo(0.83);
    expect(saving(1100, 1000)).toBeCloseTo(-0.1);
    expect(saving(0, 0)).toBe(0);
  });
});
