// @vitest-environment jsdom
import fc from "fast-check";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { BlockView } from "./BlockView";
import { splitBlocks } from "./blocks";
import { parse } from "./parse";
import { definitions, preamble } from "./references";
import { all, render } from "./testing";

// Formulas stay as their source, code without colours.
vi.mock("./tex", () => new Promise(() => {}));
vi.mock("./highlight", () => new Promise(() => {}));

/** The elements, without what differs by instance, and without the line breaks between blocks. */
function markup(node: ReactNode): string {
  render(node);
  return all(".md-block")
    .map((it) => it.innerHTML)
    .join("\n")
    .replaceAll(/ (?:id|aria-controls)="[^"]*"/g, "")
    .replaceAll(/>\s+/g, ">")
    .replaceAll(/\s+</g, "<");
}

const inline = fc.constantFrom(
  ...[
    "plain words",
    "**bold**",
    "`code *x*`",
    "[a]",
    "[b][ref]",
    "https://x.example",
    "$x^2$",
    "a  \nbreak",
    "n[^1]",
  ],
  ...["*em*\nphasis", "~~gone~~", "![i](https://x.example/i.png)", "\\*", "&amp;"],
);
const paragraph = fc.array(inline, { minLength: 1, maxLength: 4 }).map((it) => it.join(" "));
const block = fc.oneof(
  paragraph,
  paragraph.map((it) => `## ${it.replaceAll("\n", " ")}`),
  paragraph.map((it) => `> ${it.replaceAll("\n", "\n> ")}\n>\n> - quoted`),
  fc
    .tuple(paragraph, paragraph)
    .map(([a, b]) => `- ${a.replaceAll("\n", " ")}\n\n  ${b.replaceAll("\n", "\n  ")}\n- c\n  1. d`),
  paragraph.map(
    (it) =>
      `Words:\n1. ${it.replaceAll("\n", " ")}\n2. two\n\n   \`\`\`js\n   let a;\n\n   let b;\n   \`\`\``,
  ),
  paragraph.map((it) => `| a | b |\n|---|:-:|\n| 1 | ${it.replaceAll("\n", " ")} |`),
  fc.constantFrom(
    "```py\na\n\n\nb\n```",
    "~~~\n```\n~~~",
    "$$\na\n\nb\n$$",
    "---",
    "Title\n===",
    "    indented",
  ),
  fc.constantFrom(
    "[ref]: https://ref.example",
    "[a]: https://a.example 'T'",
    "[^1]: A note.\n\n    Its rest.",
  ),
);

it("blocks parsed alone show what the whole text shows", { timeout: 30_000 }, () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 7 }), (written) => {
      // Two lists in a row are one block, indented code after a list is of the list: words between them.
      const text = written.join("\n\nBetween.\n\n");
      const blocks = splitBlocks(text);
      const known = definitions(blocks);
      const views = blocks.map((it, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their places
        <BlockView key={index} part={{ block: it, preamble: preamble(it, known) }} live={false} />
      ));
      const whole = markup(<div className="md-block">{parse(text, "")}</div>);
      expect(markup(views)).toBe(whole);
    }),
    { numRuns: 20 },
  );
});
