// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Outline } from "../session/outline";
import { page } from "../session/outlineTesting";
import { TreeView, type TreeViewProps } from "./TreeView";
import { chain, outlineOf } from "./treeTesting";

/** What jsdom lacks: sizes, canvases, media queries. */
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  sessionStorage.clear();
});

let root: Root | null = null;

afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const NOTHING = {
  onGo: () => {},
  onFork: () => {},
  onLabel: () => {},
  onCompare: () => {},
  onMerge: () => {},
  onDetails: () => {},
};

function draw(outline: Outline, props: Partial<TreeViewProps> = {}): (more: Partial<TreeViewProps>) => void {
  const container = document.body.appendChild(document.createElement("div"));
  root = createRoot(container);
  let all: TreeViewProps = {
    outline,
    version: outline.version,
    currentId: null,
    leafId: null,
    ...NOTHING,
    ...props,
  };
  const render = (more: Partial<TreeViewProps>) => {
    all = { ...all, version: outline.version, ...more };
    act(() => root?.render(<TreeView {...all} />));
  };
  render({});
  return render;
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
}

function card(name: string): HTMLElement {
  const found = cards().find((it) => it.textContent?.startsWith(`question ${name}`));
  if (!found) throw new Error(`no card of ${name}`);
  return found;
}

function press(key: string, more: KeyboardEventInit = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  act(() => {
    document.activeElement?.dispatchEvent(event);
  });
}

function focusedText(): string {
  return document.activeElement?.textContent ?? "";
}

const FORKED = () =>
  outlineOf([
    ["a", null],
    ["b", "a"],
    ["c", "b"],
    ["x", "a"],
    ["y", "x"],
  ]);

describe("TreeView", () => {
  it("draws what is left and what is new when a node is forgotten, before it is told that there is news", () => {
    const outline = outlineOf([
      ["a", null],
      ["q", "a", "UNANSWERED"],
    ]);
    const render = draw(outline, { currentId: "q" });
    const before = outline.version;
    outline.take(page([["n", "a"]]));
    outline.remove("q");
    render({ version: before, currentId: "a" });
    render({ currentId: "n" });
    expect(cards().map((it) => it.dataset.index)).toEqual(["0", "1"]);
    card("n");
  });

  it("is a tree with one tab stop, where one is", () => {
    draw(FORKED(), { currentId: "x" });
    const tree = document.querySelector("[role=tree]");
    expect(cards().map((it) => it.parentElement)).toEqual(Array(5).fill(tree));
    expect(cards().filter((it) => it.tabIndex === 0)).toEqual([card("x")]);
    const { ariaLevel, ariaSetSize, ariaPosInSet, ariaExpanded, ariaSelected, ariaCurrent } = card("x");
    expect([ariaLevel, ariaSetSize, ariaPosInSet]).toEqual(["2", "2", "2"]);
    expect([ariaExpanded, ariaSelected, ariaCurrent]).toEqual(["true", "true", "true"]);
    expect(card("y").ariaExpanded).toBeNull();
  });

  it("says so when there is nothing yet, and draws what comes", () => {
    const outline = outlineOf([]);
    const render = draw(outline);
    expect(document.querySelector(".tree-empty")).not.toBeNull();
    outline.take(page([["a", null]]));
    render({ currentId: "a" });
    expect(cards()).toHaveLength(1);
    expect(document.querySelector(".tree-empty")).toBeNull();
  });

  it("moves by the keys and tells what is asked", () => {
    const told: string[] = [];
    const tell = (what: string) => (id: string) => void told.push(`${what} ${id}`);
    draw(FORKED(), {
      currentId: "a",
      onGo: tell("go"),
      onFork: tell("fork"),
      onLabel: tell("label"),
      onCompare: tell("compare"),
      onMerge: tell("merge"),
      onDetails: tell("details"),
    });
    act(() => card("a").focus());
    press("ArrowDown");
    press("ArrowRight");
    expect(focusedText()).toContain("question x");
    for (const key of ["Enter", "f", "l", "c", "m", "s"]) press(key);
    expect(told).toEqual(["go x", "fork x", "label x", "compare x", "merge x", "details x"]);
    press("Home");
    expect(focusedText()).toContain("question a");
    told.length = 0;
    // Where one is cannot be compared with itself, nor brought into itself.
    for (const key of ["c", "m"]) press(key);
    expect(told).toEqual([]);
  });

  it("folds by key, keeps the focus, and remembers the folds", () => {
    draw(FORKED(), { currentId: "a" });
    act(() => card("a").focus());
    press("ArrowDown");
    press(" ");
    expect(focusedText()).toContain("1 folded below");
    expect(card("b").ariaExpanded).toBe("false");
    expect(cards()).toHaveLength(4);
    expect(sessionStorage.getItem("graph_session.folds.a")).toBe('["b"]');
    act(() => root?.unmount());
    draw(FORKED(), { currentId: "a" });
    expect(cards()).toHaveLength(4);
    act(() => card("b").focus());
    press("ArrowDown");
    expect(focusedText()).toContain("question c");
    expect(sessionStorage.getItem("graph_session.folds.a")).toBeNull();
  });

  it("opens the actions by key, and gives the focus back", () => {
    const onFork = vi.fn();
    draw(FORKED(), { currentId: "a", onFork });
    act(() => card("a").focus());
    press("F10", { shiftKey: true });
    const items = [...document.querySelectorAll<HTMLButtonElement>("[role=menuitem]")];
    expect(document.activeElement).toBe(items[0]);
    expect(items.filter((it) => it.disabled).map((it) => it.textContent)).toEqual([
      "Compare with where I amC",
      "Merge into where I amM",
    ]);
    press("ArrowDown");
    expect(document.activeElement).toBe(items[1]);
    press("Escape");
    expect(document.activeElement).toBe(card("a"));
    press("ContextMenu");
    act(() => document.querySelectorAll<HTMLElement>("[role=menuitem]")[1]?.click());
    expect(onFork).toHaveBeenCalledWith("a");
    expect(document.querySelector("[role=menu]")).toBeNull();
  });

  it("draws only what is in view, and the node that has the focus wherever it is", () => {
    const outline = outlineOf(chain(3_000));
    draw(outline, { currentId: "n1500" });
    expect(cards().length).toBeLessThan(40);
    expect(card("n1500").tabIndex).toBe(0);
    act(() => card("n1500").focus());
    press("End");
    expect(focusedText()).toContain("question n2999");
    expect(cards().length).toBeLessThan(40);
  });

  it("finds, says how many, and unfolds what is found", () => {
    draw(FORKED(), { currentId: "a" });
    act(() => card("a").focus());
    press(" ");
    expect(cards()).toHaveLength(1);
    press("/");
    const input = document.activeElement as HTMLInputElement;
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, "question");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    expect(document.querySelector("output")?.textContent).toContain("1 of 5");
    press("Enter");
    press("Enter");
    expect(document.querySelector("output")?.textContent).toBe("3 of 5: question c");
    expect(card("c").className).toContain("tree-card-shown-hit");
    press("Enter", { shiftKey: true });
    expect(document.querySelector("output")?.textContent).toContain("2 of 5");
    press("ArrowDown");
    expect(focusedText()).toContain("question b");
  });

  it("goes by a click, and unfolds where one has come to", () => {
    const onGo = vi.fn();
    const outline = FORKED();
    const render = draw(outline, { currentId: "a", onGo });
    act(() => card("b").click());
    expect(onGo).toHaveBeenCalledWith("b");
    act(() => card("x").querySelector<HTMLElement>("[data-action=fold]")?.click());
    expect(onGo).toHaveBeenCalledTimes(1);
    expect(cards()).toHaveLength(4);
    render({ currentId: "y" });
    expect(card("y").ariaCurrent).toBe("true");
  });

  it("keeps its elements when the tree grows", () => {
    const outline = FORKED();
    const render = draw(outline, { currentId: "c" });
    const before = card("c");
    act(() => before.focus());
    outline.take(page([["d", "c", "RUNNING"]]));
    render({});
    expect(card("c")).toBe(before);
    expect(document.activeElement).toBe(before);
    expect(card("d").textContent).toContain("answering");
  });

  it("draws another session when it is given one", () => {
    const render = draw(FORKED(), { currentId: "a" });
    const other = outlineOf(chain(500, "k"));
    render({ outline: other, version: other.version, currentId: "k400" });
    expect(card("k400").ariaCurrent).toBe("true");
    expect(cards().length).toBeLessThan(40);
    expect(document.body.textContent).not.toContain("question a");
  });

  it("has no style in its HTML that a content security policy would refuse", () => {
    const set = vi.spyOn(Element.prototype, "setAttribute");
    draw(FORKED(), { currentId: "a" });
    expect(set.mock.calls.filter(([name]) => name === "style")).toEqual([]);
  });
});
