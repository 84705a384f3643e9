import { describe, expect, it } from "vitest";
import { pieces, summaryIn } from "./content";

describe("pieces", () => {
  it("keeps texts together, and shows calls and images beside them", () => {
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "one" },
      { type: "text", text: "two" },
      { type: "toolCall", id: "c", name: "read", arguments: { path: "a.md" } },
      { type: "image", data: "…", mimeType: "image/png" },
      { type: "text", text: "three" },
    ];
    expect(pieces(content)).toEqual([
      { kind: "text", text: "one\ntwo" },
      { kind: "call", name: "read", text: '{"path":"a.md"}' },
      { kind: "image", text: "image/png" },
      { kind: "text", text: "three" },
    ]);
  });

  it("takes a text for one block, and anything else for nothing", () => {
    expect(pieces("hello")).toEqual([{ kind: "text", text: "hello" }]);
    for (const nothing of ["", null, undefined, 7, {}]) expect(pieces(nothing)).toEqual([]);
  });
});

describe("summaryIn", () => {
  it("takes the words around a summary off", () => {
    expect(summaryIn("What was said:\n<summary>\nOne.\n\n<summary>\nTwo.\n</summary>")).toBe(
      "One.\n\n<summary>\nTwo.",
    );
  });

  it("leaves a text without them as it is", () => {
    expect(summaryIn("Just <summary> a text")).toBe("Just <summary> a text");
  });
});
