import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { inAlphabet } from "./mathLetters";
import { formula } from "./tex";

const markup = (tex: string, display = false) => renderToStaticMarkup(formula(tex, display));

describe("formula", () => {
  it("is MathML without KaTeX's wrappers, source and styles", () => {
    expect(markup("\\frac{a}{b}")).toBe("<math><mrow><mfrac><mi>a</mi><mi>b</mi></mfrac></mrow></math>");
    expect(markup("\\pmb{x} \\fcolorbox{red}{blue}{y}")).not.toMatch(/\sstyle=/);
  });

  it("has letters of mathematical alphabets", () => {
    expect(markup("\\mathbb{R}")).toContain(">ℝ<");
    expect(markup("\\mathbf{v}")).toContain(">𝐯<");
    expect(markup("\\mathcal{L}")).toContain(">ℒ<");
    expect(markup("\\mathrm{d}")).toContain('mathvariant="normal"');
  });

  it("has aligned columns, and lines between them", () => {
    expect(markup("\\begin{aligned}a&=b\\end{aligned}")).toMatch(
      /md-cell-right md-before-none md-after-none.*md-cell-left md-before-none/,
    );
    expect(markup("\\begin{array}{c|c}a&b\\\\\\hline c&d\\end{array}")).toContain(
      "md-cell-center md-before-none md-after-some md-line-after md-line-below",
    );
  });

  it("marks a command it does not know, and is null for what is no formula", () => {
    expect(markup("\\unknown x")).toContain(
      '<mstyle class="md-maths-unknown"><mtext>\\unknown</mtext></mstyle>',
    );
    expect(formula("\\frac{", false)).toBeNull();
    expect(formula("\\def\\a{\\a\\a}\\a", false)).toBeNull();
    expect(formula("x".repeat(6_000), false)).toBeNull();
  });

  it("says nothing on the console", () => {
    const said = [vi.spyOn(console, "warn"), vi.spyOn(console, "error")];
    for (const tex of ["中文", "\\text{中 é}", "é", "\\\\ x", "a % b", "\u202e", "\\unicode{x}", "“x”"])
      markup(tex, true);
    for (const spy of said) expect(spy).not.toHaveBeenCalled();
  });
});

it.each([
  ["ABZ az 09", "bold", "𝐀𝐁𝐙 𝐚𝐳 𝟎𝟗"],
  ["Ωαω", "bold", "𝛀𝛂𝛚"],
  ["CRZ", "fraktur", "ℭℜℨ"],
  ["h", "italic", "ℎ"],
  ["x1", "monospace", "𝚡𝟷"],
  ["中x", "nothing-known", "中x"],
])("%s in %s", (text, variant, expected) => {
  expect(inAlphabet(text, variant)).toBe(expected);
});
