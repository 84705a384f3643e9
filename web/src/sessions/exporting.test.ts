// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { type ExportPage, readFile } from "./exporting";

const PAGES: Record<string, ExportPage> = {
  first: { text: "1\n2\n", cursor: "b", hasNext: true },
  b: { text: "3\n", cursor: "c", hasNext: true },
  c: { text: "4 河\n", cursor: null, hasNext: false },
};
const read = async (after: string | null) => PAGES[after ?? "first"] as ExportPage;

describe("a conversation's file", () => {
  it("is its pages joined", async () => {
    const lines: number[] = [];
    const file = await readFile(read, (it) => lines.push(it), new AbortController().signal);
    // In UTF-8: the last line has a letter of three bytes.
    expect(file?.size).toBe(12);
    expect(lines).toEqual([2, 3, 4]);
  });

  it("of one page is that page", async () => {
    const file = await readFile(
      async () => ({ text: "1\n", hasNext: false }),
      () => {},
      new AbortController().signal,
    );
    expect(file?.size).toBe(2);
  });

  it("is none when it was stopped, and no more of it is read", async () => {
    const stop = new AbortController();
    let reads = 0;
    const file = await readFile(
      async (after) => {
        reads += 1;
        if (reads === 2) stop.abort();
        return read(after);
      },
      () => {},
      stop.signal,
    );
    expect(file).toBeNull();
    expect(reads).toBe(2);
  });

  it("is none when a page cannot be read", async () => {
    const failing = async (after: string | null) => {
      if (after === "b") throw new Error("damaged");
      return read(after);
    };
    await expect(readFile(failing, () => {}, new AbortController().signal)).rejects.toThrow("damaged");
  });
});
