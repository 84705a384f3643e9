// @vitest-environment jsdom
import { act } from "react";
import { describe, expect, it, vi } from "vitest";
import { CodeBlock, highlighter } from "./CodeBlock";
import { all, click, one, render, renderAll } from "./testing";

const button = (name: string) => all("button").find((it) => it.textContent === name) as HTMLElement;

describe("CodeBlock", () => {
  it("shows code and its language at once, and colours when they have come", async () => {
    render(<CodeBlock code={'x = "<b>"'} language="python" />);
    expect(one("pre").textContent).toBe('x = "<b>"');
    expect(one(".md-code-language").textContent).toBe("python");
    await renderAll(<CodeBlock code={'x = "<b>"'} language="python" />, highlighter);
    expect(one(".hljs-string").textContent).toBe('"<b>"');
    expect(one("pre").textContent).toBe('x = "<b>"');
  });

  it.each([
    ["C++", "int x;"],
    ["{.python", "x = 1"],
    ["ts:src/a.ts", "let a;"],
  ])("knows what %s is", async (language, code) => {
    await renderAll(<CodeBlock code={code} language={language} />, highlighter);
    expect(all("pre span").length).toBeGreaterThan(0);
  });

  it.each([
    [null, "let a;"],
    ["nonsense", "let a;"],
    ["constructor", "let a;"],
    ["js", "let a;\n".repeat(5_000)],
    ["js", "let a = 1;".repeat(3_100)],
    ["no-highlight", "let a;"],
  ])("leaves %s without colours", async (language, code) => {
    await renderAll(<CodeBlock code={code} language={language} />, highlighter);
    expect(all("[class^=hljs]")).toEqual([]);
  });

  it("shows what steers the direction, coloured or not, but copies what was written", async () => {
    const code = 'a = "\u202e" # \u2066';
    await renderAll(
      <>
        <CodeBlock code={code} language="python" />
        <CodeBlock code={code} language={"\u202epy"} />
      </>,
      highlighter,
    );
    expect(all("pre").map((it) => it.textContent)).toEqual([
      'a = "⟦U+202E⟧" # ⟦U+2066⟧',
      'a = "⟦U+202E⟧" # ⟦U+2066⟧',
    ]);
    expect(all(".md-code-language")[1]?.textContent).toBe("⟦U+202E⟧py");
  });

  it("copies, says so, and for a while only", async () => {
    vi.useFakeTimers();
    const writeText = vi.fn(async () => {});
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    render(<CodeBlock code={"a\u202e"} />);
    await act(async () => click(button("Copy")));
    expect(writeText).toHaveBeenCalledWith("a\u202e");
    expect(one("[aria-live=polite]").textContent).toBe("Copied");
    await act(async () => vi.advanceTimersByTime(3_000));
    expect(one("[aria-live=polite]").textContent).toBe("");
    vi.useRealTimers();
  });

  it("copies without a clipboard, or says that it cannot", async () => {
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
    render(<CodeBlock code="a" />);
    let selected: string | undefined;
    document.execCommand = () => {
      selected = (document.activeElement as HTMLTextAreaElement).value;
      return true;
    };
    await act(async () => click(button("Copy")));
    expect([selected, one("[aria-live]").textContent]).toEqual(["a", "Copied"]);
    document.execCommand = () => false;
    await act(async () => click(button("Copy")));
    expect(one("[aria-live]").textContent).toBe("Could not copy");
    expect(document.querySelector("textarea")).toBeNull();
  });

  it("wraps lines on demand", () => {
    render(<CodeBlock code="a" />);
    click(button("Wrap lines"));
    expect(one("pre").className).toBe("md-wrap");
    expect(button("Wrap lines").getAttribute("aria-pressed")).toBe("true");
  });

  it("cuts 5,000 lines, and shows them all in steps", () => {
    vi.useFakeTimers();
    const code = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n");
    render(<CodeBlock code={code} language="js" />);
    expect(one("pre").textContent?.split("\n").length).toBeLessThanOrEqual(31);
    click(button("Show all 5,000 lines"));
    for (let step = 0; step < 10; step += 1) act(() => vi.advanceTimersByTime(100));
    expect(one("pre").textContent).toBe(code);
    expect(all(".md-piece").length).toBeGreaterThan(20);
    click(button("Show less"));
    expect(all(".md-piece")).toEqual([]);
    vi.useRealTimers();
  });

  it("cuts a line of a megabyte", () => {
    render(<CodeBlock code={"x".repeat(1_000_000)} />);
    expect(one("pre").textContent?.length).toBeLessThan(5_000);
    expect(button("Show all (1.0 MB)")).toBeDefined();
  });

  it("does not cut what is being written", () => {
    const code = "a = 1\n".repeat(400);
    render(<CodeBlock code={code} growing />);
    expect(one("pre").textContent).toBe(code);
    render(<CodeBlock code={code} />);
    expect(one("pre").textContent).toBe(code);
  });

  it("colours growing code up to the last step, and shows the rest", async () => {
    const code = "a = 1 # x\n".repeat(333);
    await renderAll(<CodeBlock code={code} language="py" growing />, highlighter);
    expect(one("pre").textContent).toBe(code);
    const coloured = all(".hljs-comment").length;
    expect(coloured).toBeGreaterThan(150);
    expect(coloured).toBeLessThan(333);
  });
});
