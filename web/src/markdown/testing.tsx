/** Renders into a document of jsdom, as a page would, and holds what React complains about against the test. */

import { act, type ReactNode, StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

let root: Root | null = null;
let complaints: MockInstance[] = [];
export let place: HTMLElement = document.body;

beforeEach(() => {
  place = document.createElement("div");
  document.body.append(place);
  complaints = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
});

afterEach(() => {
  act(() => root?.unmount());
  root = null;
  place.remove();
  const said = complaints.flatMap((it) => it.mock.calls);
  vi.restoreAllMocks();
  expect(said).toEqual([]);
});

export function render(node: ReactNode): HTMLElement {
  root ??= createRoot(place);
  act(() => root?.render(<StrictMode>{node}</StrictMode>));
  return place;
}

/** As render, and waits for what is loaded on demand. */
export async function renderAll(
  node: ReactNode,
  ...wanted: { load: () => Promise<void> }[]
): Promise<HTMLElement> {
  render(node);
  await act(async () => {
    for (const it of wanted) await it.load();
  });
  return place;
}

export function all(selector: string): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>(selector)];
}

export function one(selector: string): HTMLElement {
  const found = all(selector);
  expect(found, selector).toHaveLength(1);
  return found[0] as HTMLElement;
}

export function click(element: Element): void {
  act(() => element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })));
}
