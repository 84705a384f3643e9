/** The list as far as it has been read, the one used last first, and how newer pages of it are taken in. */

import type { ListedFieldsFragment } from "../graphql/generated/graphql";

export type SessionRow = ListedFieldsFragment;

export interface Pages {
  readonly rows: readonly SessionRow[];
  /** Where what has not been read begins. */
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

export const NO_PAGES: Pages = { rows: [], cursor: null, hasMore: false };

/** As the server orders them. */
function byLastUse(a: SessionRow, b: SessionRow): number {
  return Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || (a.id < b.id ? 1 : -1);
}

/** Of each session the newest that is known, in order. */
function merged(older: readonly SessionRow[], newer: readonly SessionRow[]): SessionRow[] {
  const rows = new Map(older.map((it) => [it.id, it]));
  for (const row of newer) {
    const known = rows.get(row.id);
    if (!known || known.revision <= row.revision) rows.set(row.id, row);
  }
  return [...rows.values()].sort(byLastUse);
}

/**
 * Take in the first page, read anew. What lay within its reach and is not on it any more is gone; what lies further
 * down stays, so that a list that was scrolled does not shrink.
 */
export function withFirstPage(pages: Pages, first: Pages): Pages {
  const last = first.rows.at(-1);
  if (!first.hasMore || !last) return { ...first, rows: newest(first.rows, pages.rows) };
  const onPage = new Set(first.rows.map((it) => it.id));
  const below = pages.rows.filter((it) => !onPage.has(it.id) && byLastUse(last, it) < 0);
  if (below.length === 0) return { ...first, rows: newest(first.rows, pages.rows) };
  return { ...pages, rows: merged(below, newest(first.rows, pages.rows)) };
}

/** Take in the page that follows. */
export function withNextPage(pages: Pages, next: Pages): Pages {
  return { ...next, rows: merged(pages.rows, next.rows) };
}

/** Take in one session as it is now; one that lies in what has not been read is left there. */
export function withRow(pages: Pages, row: SessionRow): Pages {
  const last = pages.rows.at(-1);
  const known = pages.rows.some((it) => it.id === row.id);
  if (!known && pages.hasMore && last && byLastUse(last, row) < 0) return pages;
  return { ...pages, rows: merged(pages.rows, [row]) };
}

export function withoutRow(pages: Pages, id: string): Pages {
  return { ...pages, rows: pages.rows.filter((it) => it.id !== id) };
}

/** The rows, each as new as it is known: a page may have been on its way while a change was told. */
function newest(rows: readonly SessionRow[], known: readonly SessionRow[]): SessionRow[] {
  const ids = new Set(rows.map((it) => it.id));
  return merged(
    known.filter((it) => ids.has(it.id)),
    rows,
  );
}
