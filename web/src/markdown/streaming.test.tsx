// @vitest-environment jsdom
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Markdown } from "./Markdown";
import { pager } from "./pages";
import { all, one, place, render } from "./testing";

describe("pages", () => {
  const paragraph = "Some words of a paragraph, with [a][ref].\n\n";

  it("stay the same objects while text is appended", () => {
    const toPages = pager();
    const before = toPages(paragraph.repeat(400));
    const after = toPages(`${paragraph.repeat(400)}more`);
    expect(before.length).toBeGreaterThan(10);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    for (const [index, page] of before.slice(0, -1).entries()) expect(after[index]).toBe(page);
  });

  it("change where a definition that comes later is used", () => {
    const toPages = pager();
    const text = `[x][ref]\n\n${"words\n\n".repeat(100)}`;
    const before = toPages(text);
    const after = toPages(`${text}[ref]: https://a.example`);
    expect(before[0]?.parts[0]?.preamble).toBe("");
    expect(after[0]?.parts[0]?.preamble).toBe("[ref]: <https://a.example>\n\n");
    expect(after[0]?.parts[1]).toBe(before[0]?.parts[1]);
    expect(after[1]).toBe(before[1]);
  });
});

describe("a streaming answer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const show = (text: string, streaming: boolean) => render(<Markdown text={text} streaming={streaming} />);

  it("is taken over at intervals, and at its end at once", () => {
    show("a", true);
    for (const text of ["ab", "abc", "abcd"]) show(text, true);
    expect(place.textContent).toBe("a");
    act(() => vi.advanceTimersByTime(600));
    expect(place.textContent).toBe("abcd");
    show("abcde", true);
    expect(place.textContent).toBe("abcd");
    show("abcde", false);
    expect(place.textContent).toBe("abcde");
  });

  it("keeps the elements of the blocks before the last", () => {
    show("one\n\ntwo\n\nthr", true);
    const [first] = all("p");
    show("one\n\ntwo\n\nthree\n\nfour", false);
    expect(all("p")[0]).toBe(first);
    expect(all("p").map((it) => it.textContent)).toEqual(["one", "two", "three", "four"]);
  });
});

describe("far from what is seen", () => {
  let notify: (entries: Partial<IntersectionObserverEntry>[]) => void = () => {};
  let observed: Element[] = [];

  beforeEach(() => {
    observed = [];
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        constructor(callback: (entries: Partial<IntersectionObserverEntry>[]) => void) {
          notify = callback;
        }
        observe(element: Element) {
          observed.push(element);
        }
        unobserve(element: Element) {
          observed = observed.filter((it) => it !== element);
        }
      },
    );
    let top = 0;
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(() => {
      top += 500;
      return { top, bottom: top + 400 } as DOMRect;
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("text waits as it is written, is parsed when it comes near, and its footnotes are found before", async () => {
    const text = `${`**a** [^1] ${"word ".repeat(100)}\n\n`.repeat(60)}[^1]: note`;
    render(<Markdown text={text} />);
    const waiting = all(".md-waiting");
    expect(waiting.length).toBeGreaterThan(5);
    expect(observed).toEqual(waiting);
    expect(all("strong").length).toBeGreaterThan(0);
    expect(waiting[0]?.textContent).toContain("**a** [^1]");
    expect(all("[id$=footnote-1]")).toHaveLength(1);

    const count = all("strong").length;
    await act(async () => notify([{ isIntersecting: true, target: waiting[0] as Element }]));
    expect(all(".md-waiting")).toHaveLength(waiting.length - 1);
    expect(all("strong").length).toBeGreaterThan(count);
    await act(async () => notify(observed.map((target) => ({ isIntersecting: true, target }))));
    expect(all(".md-waiting")).toEqual([]);
    expect(one(".md-footnote").textContent).toContain("note");
  });
});
