// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { highlighter } from "./CodeBlock";
import { Markdown } from "./Markdown";
import { tex } from "./Maths";
import { all, place, render, renderAll } from "./testing";

/** Nothing of an answer may become one of these. */
const FORBIDDEN =
  "script, style, img, iframe, object, embed, form, input, link, meta, base, video, audio, picture, foreignObject";

function expectHarmless(): void {
  expect(all(FORBIDDEN)).toEqual([]);
  for (const element of all("*")) {
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|^src|^action|^formaction|^xlink:|^srcdoc$|^ping$/);
      if (name === "href") expect(value).toMatch(/^(https?:|mailto:|#)/);
      expect(value).not.toMatch(/^\s*(javascript|data|vbscript):/i);
    }
  }
}

describe("HTML is shown, not done and not dropped", () => {
  it.each([
    ["<script>alert(1)</script>"],
    ["text <script>alert(1)</script> text"],
    ["<img src=x onerror=alert(1)>"],
    ["text <img src=x onerror=\"alert('1')\"> text"],
    ["<b>bold</b>"],
    ["a <b>bold</b> b"],
    ["<!-- a comment -->"],
    ["a <!-- comment --> b"],
    ['<a href="javascript:alert(1)">x</a>'],
    ["<svg onload=alert(1)><circle/></svg>"],
    ['<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
    ["<style>*{display:none}</style>"],
    ["<math><mtext></mtext></math>"],
    ["<?php x ?>"],
    ["<![CDATA[x]]>"],
    ["<!DOCTYPE html>"],
    ["<ScRiPt\n>alert(1)</sCrIpT>"],
    ["<div\nonclick=alert(1)>x</div>"],
    ["<div>\n  <p>*not emphasis*</p>\n</div>"],
    ["<template><slot></template>"],
  ])("%s", (text) => {
    render(<Markdown text={text} />);
    expectHarmless();
    expect(place.textContent).toBe(text);
  });

  it.each([
    ["- <b>x</b>"],
    ["> <script>alert(1)</script>"],
    ["| a |\n|---|\n| <img src=x onerror=alert(1)> |"],
    ["# <i onclick=alert(1)>x</i>"],
    ["[<img src=x>](https://a.example)"],
    ["[^1] a\n\n[^1]: <script>alert(1)</script>"],
    ["1. a\n\n   <div onclick=alert(1)>\n\n   b"],
  ])("within something else: %s", (text) => {
    render(<Markdown text={text} />);
    expectHarmless();
    expect(place.textContent).toMatch(/<(b|script|img|i|div)\b[^>]*>/);
  });
});

describe("addresses", () => {
  it.each([
    ["[x](javascript:alert(1))", "x javascript:alert(1)"],
    ["[x](JAVASCRIPT:alert(1))", "x JAVASCRIPT:alert(1)"],
    ["[x](java&#115;cript:alert(1))", "x javascript:alert(1)"],
    ["[x](&#1;javascript:alert(1))", null],
    ["[x](<java\tscript:alert(1)>)", null],
    ["[x](vbscript:msgbox)", "x vbscript:msgbox"],
    ["[x](data:text/html;base64,PHNjcmlwdD4=)", "x data:text/html;base64,PHNjcmlwdD4="],
    ["[x](file:///etc/passwd)", "x file:///etc/passwd"],
    ["[x](/graphql?query=1)", "x /graphql?query=1"],
    ["[x](//evil.example)", "x //evil.example"],
    ["[x](#top)", "x #top"],
    ["[x][y]\n\n[y]: javascript:alert(1)", "x javascript:alert(1)"],
    ["<javascript:alert(1)>", "javascript:alert(1)"],
    ["![x](javascript:alert(1))", "x javascript:alert(1)"],
    ["![x](data:image/svg+xml,<svg/onload=alert(1)>)", null],
    ["[![x](javascript:alert(1))](javascript:alert(2))", null],
    ["[x]()", "x"],
    ['[x](https://a.example "\\" onclick=alert(1)")', "x"],
  ])("%s", (text, shown) => {
    render(<Markdown text={text} />);
    expectHarmless();
    for (const link of all("a")) expect(link.getAttribute("href")).toMatch(/^https:\/\/a\.example/);
    if (shown) expect(place.textContent).toBe(shown);
  });
});

describe("formulas", () => {
  it.each([
    ["\\href{javascript:alert(1)}{x}"],
    ["\\url{javascript:alert(1)}"],
    ["\\includegraphics{https://evil.example/x.png}"],
    ["\\htmlStyle{position:fixed}{x}"],
    ["\\htmlClass{a}{x} \\htmlId{b}{x} \\htmlData{c=d}{x}"],
    ["\\def\\a{\\a\\a}\\a"],
    ["\\def\\a#1{#1#1#1#1#1#1#1#1}\\a{\\a{\\a{\\a{\\a{x}}}}}"],
    ["\\rule{99999em}{99999em}"],
    ["\\kern{-9999em} x \\raisebox{-9999em}{y}"],
    ["\\unknown x"],
    ["\\frac{"],
    ["\\text{<script>alert(1)</script>}"],
    ['\\text{" onclick="alert(1)}'],
    ["\\fcolorbox{red}{blue}{x} \\pmb{y}"],
    ["\\color{expression(alert(1))} x"],
    ["{".repeat(2_000)],
    ["{".repeat(2_000) + "}".repeat(2_000)],
    [`${"\\sqrt{".repeat(500)}x${"}".repeat(500)}`],
    ["x".repeat(20_000)],
    [`\\begin{matrix}${"&".repeat(2_000)}\\end{matrix}`],
    ["中文 \\text{中文} é ‮"],
  ])("%s", async (source) => {
    await renderAll(<Markdown text={`$$\n${source}\n$$\n\nafter`} />, tex);
    expectHarmless();
    for (const element of all("math, math *")) {
      expect(element.getAttributeNames().filter((it) => /^(href|style|id)$/.test(it))).toEqual([]);
      for (const name of ["width", "height", "lspace", "voffset"]) {
        const value = Number.parseFloat(element.getAttribute(name) ?? "0");
        expect(Math.abs(value)).toBeLessThanOrEqual(20);
      }
    }
    expect(place.textContent).toMatch(/after$/);
    if (all("math").length === 0)
      expect(place.querySelector("code")?.textContent).toBe(source.replace("\u202e", "⟦U+202E⟧"));
  });
});

describe("texts that steer their direction", () => {
  it("are shown so where that deceives", () => {
    render(
      <Markdown
        text={
          "a \u202etxt.exe\n\n`b\u202e\u2066`\n\n```\nc\u202e\u2069\n```\n\n[d\u202e](https://a.example/\u202e)\n\n\u202e<b>"
        }
      />,
    );
    expect(place.textContent).not.toMatch(/[\u202a-\u202e]/);
    expect(all("code").map((it) => it.textContent)).toEqual(["b⟦U+202E⟧⟦U+2066⟧", "c⟦U+202E⟧⟦U+2069⟧"]);
  });
});

describe("texts made to be slow or deep", () => {
  const many = (piece: string, size = 45_000) => piece.repeat(Math.ceil(size / piece.length));
  it.each<[string, string]>([
    ...[
      "[",
      "![",
      "*",
      "*a ",
      "a*",
      "**a*",
      "_a",
      "*a_ ",
      "`",
      "`a``b",
      "<",
      "<a ",
      "<!--",
      "&amp;",
      "\\",
      "$",
      "$a ",
      "$$a",
    ].map((it): [string, string] => [it, many(it)]),
    ...[
      "\\(",
      "\\[",
      "\\(a",
      "|",
      ">",
      "> > > > \n",
      "- ",
      "- a\n",
      "1. ",
      "~",
      "~~a",
      "[^",
      "[^a]",
      "http://a",
      "http://a.",
      "a@b.",
    ].map((it): [string, string] => [it, many(it)]),
    ...[
      "[a]: b\n",
      "[a](",
      "#",
      "# a\n",
      "\0",
      "\\\n",
      "\ta",
      " a",
      "__a__ ",
      "-\n",
      "***a** b* ",
      "：**",
      "https://a。",
    ].map((it): [string, string] => [it, many(it)]),
    ["brackets", "[".repeat(20_000) + "]".repeat(20_000)],
    ["a wide table", `${many("|a", 20_000)}\n${many("|-", 20_000)}`],
    ["a nested list", Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth * 2)}- a`).join("\n")],
    ["nested emphasis", `${"*a _b ".repeat(300)}c${"_ d*".repeat(300)}`],
    ["one line", "x".repeat(1_000_000)],
    ["one formula", `$$\n${"x ".repeat(500_000)}\n$$`],
    ["one element", `<div>\n${"x ".repeat(500_000)}\n</div>`],
    ["many lines", "x\n".repeat(100_000)],
    ["code", `\`\`\`py\n${"x = 1\n".repeat(5_000)}\`\`\``],
  ])("%s", async (_, text) => {
    const start = performance.now();
    await renderAll(<Markdown text={text} />, tex, highlighter);
    expectHarmless();
    expect(place.textContent).not.toBe("");
    // For a page of a test's own document and React's slower half; browsers take a tenth.
    expect(performance.now() - start).toBeLessThan(4_000);
  });
});
