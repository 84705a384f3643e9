import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, codeOf, extendBlocks, formulaOf, splitBlocks } from "./blocks";

const texts = (blocks: readonly Block[]) => blocks.map((it) => it.text);

describe("splitBlocks", () => {
  it.each<[string, string[]]>([
    ["paragraphs", ["one\nline\n\n", "two\n\n\n", "three"]],
    ["a fence keeps its blank lines", ["```py\na\n\n\nb\n```\n\n", "after"]],
    ["a longer fence holds a shorter one", ["````md\n```\na\n```\n````\n", "after"]],
    ["tildes are not closed by backticks", ["~~~\n```\n\nx\n~~~\n", "after"]],
    ["a fence ends a paragraph", ["text:\n", "```\ncode\n```\n", "more"]],
    ["a fence ends a list", ["- a\n", "```\ncode\n```\n", "more"]],
    ["a fence in an item does not", ["- a\n\n  ```\n  x\n\n  y\n  ```\n\n- b\n"]],
    ["a fence with a backtick in its first line is none", ["``` a`b\n\n", "x\n\n", "```\n\ny"]],
    [
      "display maths",
      ["so\n", "$$\na\n\nb\n$$\n", "and\n\n", "\\[ x\n+ y \\]\n", "then\n", "$$z$$\n", "end"],
    ],
    ["maths with text after it is prose", ["$$x$$ is\n\n", "more"]],
    [
      "a formula begun on its first line ends before a blank one",
      ["$$ 5 and\n- more\n\n- again\n\n", "rest"],
    ],
    ["loose items", ["- a\n\n- b\n\n  more of b\n\n1. c\n\n", "text\n\n", "1. new"]],
    ["an indented continuation", ["a\n\n    code\n\n    more\n\n", "b"]],
    ["a table", ["| a | b |\n|---|---|\n| 1 | 2 |\n\n", "text"]],
    ["quotes", ["> a\nlazy\n\n", "> b"]],
    ["a comment keeps its blank lines", ["<!-- a\n\nb -->\n\n", "text"]],
    ["a script too", ["<script>\n\nx\n</script>\n", "text"]],
    ["another element ends at a blank line", ["<div>\n*a*\n\n", "<p>b\n\n", "text"]],
    ["code in an element", ["<details>\n", "```\na\n```\n", "</details>\n"]],
    ["a tag within a sentence is prose", ["<b>Note</b> that\n\n", "more"]],
    ["blank lines at the start", ["\n \n", "a"]],
    ["line ends of every kind", ["a\r\n\r\n", "b\r\r", "```\rx\r\ry\r```\r", "c"]],
  ])("%s", (_, blocks) => {
    expect(texts(splitBlocks(blocks.join("")))).toEqual(blocks);
  });

  it("knows what a block is", () => {
    const kinds = splitBlocks("a\n\n```\nb\n```\n$$\nc\n$$\n<div>\n\n```\nd").map((it) => [it.kind, it.open]);
    expect(kinds).toEqual([
      ["markdown", false],
      ["code", false],
      ["maths", false],
      ["html", false],
      ["code", true],
    ]);
  });

  it("takes a text of a megabyte at once", () => {
    for (const text of [
      "word ".repeat(200_000),
      "a\n\n".repeat(300_000),
      "$$a\n".repeat(250_000),
      "<".repeat(1e6),
    ]) {
      const start = performance.now();
      expect(texts(splitBlocks(text)).join("")).toBe(text);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });
});

describe("codeOf and formulaOf", () => {
  it.each([
    ["```py title=x\na\n\n```\n\n", "py", "a\n"],
    ["```\n```", "", ""],
    ["```", "", ""],
    ["```js\n", "js", ""],
    ["```js\nlet a;\n", "js", "let a;"],
    ["  ~~~~ a`b\n  x\n    y\n z\n~~~~\n", "a`b", "x\n  y\nz"],
    ["```\r\na\r\nb\r\n```\r\n", "", "a\nb"],
  ])("%j", (text, language, code) => {
    expect(codeOf(splitBlocks(text)[0] as Block)).toEqual({ language, code });
  });

  it.each([
    ["$$\na\n$$\n\n", "a"],
    ["$$ a $$", "a"],
    ["\\[ a\n b \\]\n", "a\n b"],
    ["$$\na +", "a +"],
  ])("%j", (text, formula) => {
    expect(formulaOf(splitBlocks(text)[0] as Block)).toBe(formula);
  });
});

/** Lines that matter to the splitter, in any order. */
const line = fc.constantFrom(
  ...[
    "",
    " ",
    "a",
    "b c",
    "  a",
    "    a",
    "\ta",
    "- a",
    "-",
    "1. a",
    "1",
    "  - a",
    "> a",
    "# a",
    "---",
    "| a |",
  ],
  ...[
    "|---|",
    "```",
    "```py",
    "````",
    "``",
    "~~~",
    "  ```",
    "   ~~~",
    "$$",
    "$$a",
    "a$$",
    "$$a$$",
    "$$ a $$ b",
  ],
  ...[
    "\\[",
    "\\]",
    "\\[a\\]",
    "\\[a",
    "<div>",
    "</div>",
    "<b>",
    "<b> a",
    "<!--",
    "-->",
    "<!-- a -->",
    "<script>",
  ],
  ...["</script>", "[x]: http://a.b", "[^1]: a", "**a", "***"],
);
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\n\n", "\r\n", "\r");
const text = fc
  .array(fc.tuple(line, lineEnd), { maxLength: 14 })
  .map((lines) => lines.map((it) => it.join("")).join(""));
const anyText = fc.oneof(text, fc.string({ unit: "binary" }));

describe("properties", () => {
  it("joined, the blocks are the text; none is empty", () => {
    fc.assert(
      fc.property(anyText, (it) => {
        const blocks = texts(splitBlocks(it));
        expect(blocks.join("")).toBe(it);
        expect(blocks).not.toContain("");
      }),
    );
  });

  it("appending never changes blocks before the last two", () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (first, second, cut) => {
        const whole = first + second;
        const part = whole.slice(0, cut % (whole.length + 1));
        const before = splitBlocks(part).slice(0, -2);
        expect(splitBlocks(whole).slice(0, before.length)).toEqual(before);
      }),
      { numRuns: 2_000 },
    );
  });

  it("extending by any deltas gives what splitting at once gives, and keeps the objects", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 30 }), (whole, sizes) => {
        let known: readonly Block[] = [];
        let knownText = "";
        for (const size of sizes) {
          const next = whole.slice(0, knownText.length + size);
          const extended = extendBlocks(known, knownText, next);
          expect(extended).toEqual(splitBlocks(next));
          for (const [index, block] of known.slice(0, -2).entries()) expect(extended[index]).toBe(block);
          known = extended;
          knownText = next;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("a text that does not continue the known one is split anew", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(extendBlocks(splitBlocks(one), one, other)).toEqual(splitBlocks(other));
      }),
    );
  });

  const inner = fc.array(fc.constantFrom("", "a", "  b", "- c", "# d", "$x", "<p>", "| e |"), {
    maxLength: 8,
  });
  const paragraph = fc.constantFrom("Text.", "Text\nof two lines.", "# Heading", "**bold** text", "> quote");

  it.each<[string, fc.Arbitrary<string>]>([
    ["a fence", inner.map((it) => ["```js", ...it, "```"].join("\n"))],
    ["a fence of tildes", inner.map((it) => ["~~~~", ...it, "```", "~~~~"].join("\n"))],
    ["a $$ block", inner.map((it) => ["$$", ...it, "$$"].join("\n"))],
    ["a \\[ block", inner.map((it) => ["\\[", ...it, "\\]"].join("\n"))],
    [
      "a list with blank lines between items",
      fc
        .array(fc.constantFrom("- a", "- b\n\n  more", "1. c", "* d\n\n      code"), { minLength: 1 })
        .map((it) => it.join("\n\n")),
    ],
    [
      "a table",
      fc.array(fc.constantFrom("| 1 | 2 |", "| a | $ |")).map((it) => ["|a|b|", "|-|-|", ...it].join("\n")),
    ],
    [
      "an indented continuation",
      inner.map((it) => ["Text.", "", "    code", ...it.map((line) => `    ${line}`)].join("\n")),
    ],
  ])("%s is never cut", (_, construct) => {
    fc.assert(
      fc.property(paragraph, construct, paragraph, (before, it, after) => {
        const blocks = texts(splitBlocks(`${before}\n\n${it}\n\n${after}\n`));
        expect(blocks.filter((block) => block.trimEnd() === it.trimEnd())).toHaveLength(1);
        expect(blocks).toHaveLength(3);
      }),
    );
  });
});
