// @vitest-environment jsdom
import axe from "axe-core";
import { act } from "react";
import { describe, expect, it } from "vitest";
import { usePreferences } from "../i18n/preferences";
import { highlighter } from "./CodeBlock";
import { Markdown } from "./Markdown";
import { tex } from "./Maths";
import { all, click, one, place, render, renderAll } from "./testing";

const show = (text: string, streaming = false) => render(<Markdown text={text} streaming={streaming} />);
const texts = (selector: string) => all(selector).map((it) => it.textContent);

describe("Markdown", () => {
  it("shows what Markdown has", () => {
    show("# A\n\nb **c** *d* ~~e~~ `f`\ng\n\n- h\n- i\n\n1. j\n\n> k\n\n---\n\n- [x] l\n- [ ] m");
    expect(texts("h3")).toEqual(["A"]);
    expect(texts("strong, em, del, code")).toEqual(["c", "d", "e", "f"]);
    expect(texts("ul:not(.contains-task-list) > li, ol > li")).toEqual(["h", "i", "j"]);
    expect(one("blockquote").textContent?.trim()).toBe("k");
    expect(all("hr")).toHaveLength(1);
    expect(all(".md-task").map((it) => it.getAttribute("aria-label"))).toEqual(["Done", "To do"]);
    expect(all("input")).toHaveLength(0);
  });

  it("moves headings below those of the page", () => {
    show("# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6");
    expect(all("h3, h4, h5, h6").map((it) => `${it.tagName}${it.textContent}`)).toEqual([
      "H31",
      "H42",
      "H53",
      "H64",
      "H65",
      "H66",
    ]);
    expect(all("h1, h2")).toHaveLength(0);
  });

  it("puts a table where it can scroll, named by its columns", () => {
    show("| a | b |\n|:--|--:|\n| 1 | **2** |");
    const region = one(".md-table");
    expect([region.tabIndex, region.getAttribute("role"), region.getAttribute("aria-label")]).toEqual([
      0,
      "region",
      "Table: a, b",
    ]);
    expect(all("td").map((it) => it.style.textAlign)).toEqual(["left", "right"]);
  });

  it("gives each block a direction of its own", () => {
    show("one\n\nנ\n\n- a");
    expect(all(".md-block").map((it) => it.dir)).toEqual(["auto", "auto", "auto"]);
  });

  it("shows links of the web and of mail, in a window of their own", () => {
    show("[a](https://a.example/x) https://b.example <mailto:c@d.example> www.e.example");
    expect(all("a").map((it) => it.getAttribute("href"))).toEqual([
      "https://a.example/x",
      "https://b.example/",
      "mailto:c@d.example",
      "http://www.e.example/",
    ]);
    for (const link of all("a")) {
      expect([link.getAttribute("target"), link.getAttribute("rel")]).toEqual([
        "_blank",
        "noopener noreferrer nofollow",
      ]);
    }
  });

  it("says where a link leads that lets one expect another host", () => {
    show("[https://bank.example](https://evil.example/) and [docs](https://docs.example)");
    expect(texts(".md-host")).toEqual(["(evil.example)"]);
  });

  it("shows pictures as links, and loads none", () => {
    show(
      "![a *cat*](https://a.example/c.png) [![b](https://b.example/i.png)](https://c.example) ![](/x.png)",
    );
    expect(all("img")).toHaveLength(0);
    expect(all("a").map((it) => [it.textContent, it.getAttribute("href")])).toEqual([
      ["a cat", "https://a.example/c.png"],
      ["b", "https://c.example/"],
    ]);
    expect(one(".md-address").textContent).toBe("/x.png");
  });

  it("ends a bare address at Chinese punctuation", () => {
    show(
      "见https://a.example/路径。更多**粗**，[https://b.example。](https://c.example)（https://d.example/e?f=1.）",
    );
    expect(texts("a")).toEqual(["https://a.example/路径", "https://b.example。", "https://d.example/e?f=1"]);
    expect(texts("strong")).toEqual(["粗"]);
  });

  it("finds emphasis beside Chinese punctuation", () => {
    show("**重点：**后面，他说**“你好”**。但是**这个（括号）**也要；2 ** 3 ** 4");
    expect(texts("strong")).toEqual(["重点：", "“你好”", "这个（括号）"]);
  });

  it("finds the definitions of references in other blocks", () => {
    show(
      "[a] [b][X] [c][] [d]\n\n# h\n\n[a]: https://a.example\n[x]: <https://b.example> 'T'\n[c]: https://c.example",
    );
    expect(all("a").map((it) => it.getAttribute("href"))).toEqual([
      "https://a.example/",
      "https://b.example/",
      "https://c.example/",
    ]);
    expect(place.textContent).toContain("[d]");
    expect(place.textContent).not.toContain("https:");
  });

  it("leads from a footnote's mark to the footnote", () => {
    show("a[^1] b[^no]\n\n    code [^1]\n\n[^1]: **Note**\n\n[^n]: other");
    expect(texts("sup a")).toEqual(["1"]);
    expect(texts(".md-footnote strong")).toEqual(["Note"]);
    expect(place.textContent).toContain("b[^no]");
    expect(place.textContent).toContain("code [^1]");
    let seen: Element | null = null;
    for (const note of all(".md-footnote")) note.scrollIntoView = () => (seen = note);
    click(one("sup a"));
    expect(seen).toBe(document.activeElement);
    expect((seen as Element | null)?.textContent).toContain("Note");
  });

  it("shows formulas as MathML when KaTeX has come, and prices as prices", async () => {
    const text = "$x^2$ \\(y\\) and $5 and $6\n\n$$\nz\n$$\n\n- a\n  $$\n  w\n  $$";
    show(text);
    expect(texts(".md-maths code")).toEqual(["x^2", "y", "z", "w"]);
    await renderAll(<Markdown text={text} />, tex);
    expect(all("math").map((it) => [it.textContent, it.getAttribute("display")])).toEqual([
      ["x2", null],
      ["y", null],
      ["z", "block"],
      ["w", "block"],
    ]);
    expect(place.textContent).toContain("and $5 and $6");
  });

  it("has nothing that axe finds serious", async () => {
    const text =
      "# A\n\nb [c](https://a.example) [https://x.example](https://y.example)\n\n```py\nprint(1)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" +
      "- [ ] d\n\n$$\ne\n$$\n\n![f](https://a.example/f.png) g[^1]\n\n[^1]: h\n\n> i\n\n<b>j</b>";
    await renderAll(<Markdown text={text} />, tex, highlighter);
    const { violations } = await axe.run(place, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.filter((it) => it.impact === "serious" || it.impact === "critical")).toEqual([]);
  });

  it("speaks the language of the page", () => {
    act(() => usePreferences.getState().setLanguage("zh"));
    show("| a |\n|---|\n| 1 |\n\n```\nx\n```");
    expect(one(".md-table").getAttribute("aria-label")).toBe("表格：a");
    expect(texts("button")).toEqual(["自动换行", "复制"]);
    act(() => usePreferences.getState().setLanguage(null));
  });
});

describe("while it streams", () => {
  it("shows what is open as if it were closed", () => {
    show("a **b", true);
    expect(texts("strong")).toEqual(["b"]);
    show("a **b", false);
    expect(texts("strong")).toEqual([]);
    expect(place.textContent).toBe("a **b");
  });

  it("shows code that has no end yet, and none of its closing line", () => {
    show("```py\nx = 1\n``", true);
    expect(one("pre").textContent).toBe("x = 1");
  });

  it("shows no half of a language's name", () => {
    show("```pyth", true);
    expect(one(".md-code-language").textContent).toBe("Code");
    show("```python\n", false);
    expect(one(".md-code-language").textContent).toBe("python");
  });

  it("adds nothing to code in a list", () => {
    show("- a\n\n  ```py\n  x = **y", true);
    expect(one("pre").textContent).toBe("x = **y");
  });

  it("shows a formula without its end as source, and as prose if none comes", () => {
    show("$$ x +", true);
    expect(texts(".md-maths code")).toEqual(["x +"]);
    show("$$ x +", false);
    expect(place.textContent).toBe("$$ x +");
  });

  it("follows the text, and is complete at the end", async () => {
    const text = "# T\n\nSome **bold** text.\n\n- a\n- b\n\n```js\nlet a = 1;\n```\n\nEnd.";
    for (let end = 0; end < text.length; end += 3) show(text.slice(0, end), true);
    show(text);
    const streamed = place.innerHTML;
    show("");
    show(text);
    expect(streamed.replaceAll(/_r_\w+_/g, "")).toBe(place.innerHTML.replaceAll(/_r_\w+_/g, ""));
  });
});
