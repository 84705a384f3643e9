import { describe, expect, it } from "vitest";
import { splitBlocks } from "./blocks";
import { definitions, footnotesOf, preamble } from "./references";

/** What the first block of a text is handed. */
function handed(text: string): string {
  const blocks = splitBlocks(text);
  return preamble(blocks[0] as (typeof blocks)[0], definitions(blocks));
}

describe("preamble", () => {
  it.each([
    ["[a]\n\n[a]: https://x.example", "[a]: <https://x.example>\n\n"],
    ["[t][A  b]\n\n[a\tB]: https://x.example", "[a\tB]: <https://x.example>\n\n"],
    ["[a][]\n\n[a]: <x y> 'T'", "[a]: <x y> 'T'\n\n"],
    ['[a]\n\n[a]: https://x.example/a_(b) "T"', '[a]: <https://x.example/a_(b)> "T"\n\n'],
    ["[a]\n\n[b]: y\n[a]: z", "[a]: <z>\n\n"],
    ["[a]\n\n[a]: first\n\n[a]: second", "[a]: <first>\n\n"],
    ["[^1] [a]\n\n[^1]: N\n[a]: z", "[^1]: .\n\n[a]: <z>\n\n"],
    ["no label\n\n[a]: z", ""],
    ["[b]\n\n[a]: z", ""],
    ["[a]: own\n[a]\n\n[a]: other", ""],
    ["[a]\n\ntext\n[a]: no definition within a paragraph", ""],
    ["[a]\n\n```\n[a]: z\n```", ""],
    ["[a]\n\n[a]: z and more", ""],
    ["[a]\n\n[a]: z) x", ""],
    ["[a]\n\n[a]: <b <c>", ""],
    ["[ ]\n\n[ ]: z", ""],
  ])("%j is handed %j", (text, expected) => {
    expect(handed(text)).toBe(expected);
  });

  it("is quick for texts made to be slow", () => {
    const start = performance.now();
    for (const piece of ["[", "[a", "[a]", "[a]: (", "[a]: b\n", "[^a]: ", "[\\"])
      handed(piece.repeat(50_000 / piece.length));
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});

it("knows the footnotes that a block defines", () => {
  expect(splitBlocks("[^a]: x\n[^B]: y\n\n[c]: z").map(footnotesOf)).toEqual([["A", "B"], []]);
});
