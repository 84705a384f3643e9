// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { Markdown } from "./Markdown";
import { all, render } from "./testing";

// Formulas stay as their source.
vi.mock("./tex", () => new Promise(() => {}));

describe("between dollars and brackets", () => {
  it.each([
    ["$5 and $6"],
    ["US$5, C$6 and $7"],
    ["from $5/month to €6 and US$ 7"],
    ["costs $5-$6"],
    ["$HOME/bin:$PATH"],
    ["价格$5，然后是$6"],
    ["从$5降到$ 3"],
    ["\\$x$"],
    ["$ x $"],
    ["a $"],
    ["$$$ cheap $$$"],
    ["`$x$`"],
  ])("%s is none", (text) => {
    render(<Markdown text={text} />);
    expect(all(".md-maths")).toEqual([]);
  });

  it.each([
    ["设$x$为", "x"],
    ["$5$", "5"],
    ["the $n$th", "n"],
    ["$a \\$ b$", "a \\$ b"],
    ["($x+y$)", "x+y"],
    ["a $x\n= y$ b", "x\n= y"],
    ["\\(a + b\\)", "a + b"],
    ["text \\[a\n= b\\\\[2pt] c\\] text", "a\n= b\\\\[2pt] c"],
    ["a $$\\text{if $x$}$$ b", "\\text{if $x$}"],
  ])("%s is one", (text, source) => {
    render(<Markdown text={text} />);
    expect(all(".md-maths").map((it) => it.textContent)).toEqual([source]);
  });
});
