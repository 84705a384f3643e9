import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mend } from "./mend";

describe("mend", () => {
  it.each([
    ["plain text", "plain text"],
    ["**bo", "**bo**"],
    ["**bold*", "**bold**"],
    ["**bold**", "**bold**"],
    ["a **b *c", "a **b *c***"],
    ["a *b* **c", "a *b* **c**"],
    ["a **b ", "a **b**"],
    ["a **", "a "],
    ["a *", "a "],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["snake_case_name", "snake_case_name"],
    ["_emph", "_emph_"],
    ["~~gone", "~~gone~~"],
    ["\\*not", "\\*not"],
    ["a `co", "a `co`"],
    ["a `**co", "a `**co`"],
    ["a ``c`d", "a ``c`d``"],
    ["a ``c`", "a ``c``"],
    ["a `", "a "],
    ["`a` *b `c` d", "`a` *b `c` d*"],
    ["see [the docs](https://exam", "see the docs"],
    ["see ![pic](", "see pic"],
    ["see [the docs](https://a.b) and", "see [the docs](https://a.b) and"],
    ["text\n-", "text"],
    ["text\n--", "text"],
    ["text\n=", "text"],
    ["- a\n- ", "- a"],
    ["- a\n2", "- a"],
    ["1. a\n2.", "1. a"],
    ["text\n``", "text"],
    ["##", ""],
    ["**a\n\nb", "**a\n\nb"],
    ["- **a**\n- **b", "- **a**\n- **b**"],
    ["- **a\n- b", "- **a\n- b"],
    ["# Head **l", "# Head **l**"],
    ["| a | b |", ""],
    ["text\n| a | b |\n|--", "text"],
    ["| a |\n|---|\n| **x", "| a |\n|---|\n| **x**"],
    ["| a |\n|---|\n| x |\n|", "| a |\n|---|\n| x |"],
    ["- a\n  ```py\n  x = **y", "- a\n  ```py\n  x = **y"],
    ["- a\n  ```py\n  x\n  ``", "- a\n  ```py\n  x\n"],
    ["- a\n  ```py\n  x\n  ```\n  b **c", "- a\n  ```py\n  x\n  ```\n  b **c**"],
    ["> ~~~\n> *a", "> ~~~\n> *a"],
    ["", ""],
  ])("%j → %j", (text, mended) => {
    expect(mend(text)).toBe(mended);
  });

  it("takes any text, and adds but closing marks", () => {
    const piece = fc.constantFrom(
      "a",
      " ",
      "*",
      "**",
      "_",
      "`",
      "``",
      "~~",
      "[",
      "](",
      ")",
      "\n",
      "|",
      "-",
      "1.",
      "\\",
      "中",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const mended = mend(text);
        expect(mended.length).toBeLessThanOrEqual(text.length * 2 + 3);
        expect(mended.replace(/[*_~`]+$/, "").length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it("is quick for texts made to be slow", () => {
    const start = performance.now();
    for (const mark of ["*", "*a", "**a ", "`a``", "[", "[a](", "|", "|\n", "\n", "1.", "_a_", "\\"])
      mend(mark.repeat(50_000 / mark.length));
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});
