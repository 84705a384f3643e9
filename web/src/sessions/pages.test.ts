import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  NO_PAGES,
  type Pages,
  type SessionRow,
  withFirstPage,
  withNextPage,
  withoutRow,
  withRow,
} from "./pages";

/** A row that was used last at so many minutes. */
const row = (id: string, minute: number, rest: Partial<SessionRow> = {}): SessionRow => ({
  id,
  name: id,
  updatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  revision: 1,
  nodeCount: 0,
  entryCount: 0,
  ...rest,
});
const page = (rows: SessionRow[], cursor: string | null = null): Pages => ({
  rows,
  cursor,
  hasMore: cursor !== null,
});
const ids = ({ rows }: Pages) => rows.map((it) => it.id).join("");

describe("pages of the list", () => {
  const two = withNextPage(page([row("a", 9), row("b", 8)], "b"), page([row("c", 7), row("d", 6)], "d"));

  it("are joined in order", () => {
    expect(ids(two)).toBe("abcd");
    expect(two.cursor).toBe("d");
  });

  it("have a session once, also if it moved while they were read", () => {
    const moved = withNextPage(two, page([row("b", 8), row("e", 5)]));
    expect(ids(moved)).toBe("abcde");
    expect(moved.hasMore).toBe(false);
  });

  it("stay as far as they were read when the first is read anew", () => {
    const fresh = withFirstPage(two, page([row("c", 11, { revision: 2 }), row("a", 9)], "a"));
    expect(ids(fresh)).toBe("cabd");
    expect(fresh.cursor).toBe("d");
  });

  it("lose what was deleted within the first", () => {
    expect(ids(withFirstPage(two, page([row("b", 8), row("c", 7)], "c")))).toBe("bcd");
  });

  it("are the first alone when nothing follows it", () => {
    expect(withFirstPage(two, page([row("a", 9)]))).toEqual(page([row("a", 9)]));
    expect(withFirstPage(two, NO_PAGES)).toEqual(NO_PAGES);
  });

  it("take its cursor when nothing that was read lies below it", () => {
    const fresh = withFirstPage(page([row("a", 9)]), page([row("c", 11), row("a", 9)], "a"));
    expect(fresh.cursor).toBe("a");
  });

  it("keep what is newer than a page that was on its way", () => {
    const known = withRow(two, row("a", 12, { revision: 5, name: "newer" }));
    const late = withFirstPage(known, page([row("a", 9), row("b", 8)], "b"));
    expect(late.rows[0]).toMatchObject({ id: "a", name: "newer", revision: 5 });
  });

  it("take in a session that was used, at its place", () => {
    expect(ids(withRow(two, row("d", 20, { revision: 2 })))).toBe("dabc");
    expect(ids(withRow(two, row("new", 20)))).toBe("newabcd");
    expect(withRow(two, row("a", 9, { revision: 0, name: "older" })).rows[0]?.name).toBe("a");
  });

  it("leave where it is what lies in what has not been read", () => {
    expect(ids(withRow(two, row("z", 1)))).toBe("abcd");
    expect(ids(withRow(page([row("a", 9)]), row("z", 1)))).toBe("az");
  });

  it("do without a row", () => {
    expect(ids(withoutRow(two, "b"))).toBe("acd");
  });

  it("tell the same, however they are read, of a list that stands still", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        (minutes, size) => {
          const all = minutes.sort((a, b) => b - a).map((it) => row(`s${it}`, it));
          const at = (start: number) =>
            page(all.slice(start, start + size), start + size < all.length ? String(start + size) : null);
          let pages = withFirstPage(NO_PAGES, at(0));
          while (pages.hasMore) {
            pages = withNextPage(pages, at(Number(pages.cursor)));
            pages = withFirstPage(pages, at(0));
          }
          expect(pages.rows).toEqual(all);
        },
      ),
    );
  });
});
