/**
 * The list of conversations as this window knows it. It is read again when the window is looked at, now and then
 * while it is, and when something changes here or in another window; the open conversation's changes come at once.
 */

import { create } from "zustand";
import { useConnection } from "../api/connection";
import { request } from "../api/request";
import { readFirstWords } from "./firstWords";
import { ListSessions } from "./operations";
import {
  NO_PAGES,
  type Pages,
  type SessionRow,
  withFirstPage,
  withNextPage,
  withoutRow,
  withRow,
} from "./pages";
import { explain } from "./texts";
import { hear, tell } from "./windows";

const PAGE = 40;
const RECENT = 5;
const EVERY = 30_000;
/** Coming back to a window is told as several events. */
const AT_ONCE = 1_000;

interface SessionList extends Pages {
  /** What is searched for among the names. */
  query: string;
  /** What the rows were found by. */
  found: string;
  phase: "loading" | "ready" | "failed";
  /** Why the last reading failed; the rows are those of before. */
  problem: string | null;
  more: "idle" | "loading" | "failed";
  /** The first of all, whatever is searched for. */
  recent: readonly SessionRow[];
  /** Deleted here, and not yet told to the server. */
  hidden: ReadonlySet<string>;
}

const AT_FIRST: SessionList = {
  ...NO_PAGES,
  query: "",
  found: "",
  phase: "loading",
  problem: null,
  more: "idle",
  recent: [],
  hidden: new Set(),
};

export const useSessions = create<SessionList>()(() => AT_FIRST);

const { getState: get, setState: set } = useSessions;
let reading = 0;
let lastReading = 0;
let token: string | null = null;

/** The rows that are to be seen. */
export function shownRows({ rows, hidden }: Pick<SessionList, "rows" | "hidden">): SessionRow[] {
  return rows.filter((it) => !hidden.has(it.id));
}

/** Follow the list until the returned function is called. */
export function followList(): () => void {
  const known = useConnection.getState().token;
  // Whoever comes with another token sees other conversations.
  if (known !== token) set(AT_FIRST, true);
  token = known;
  void refresh();
  const look = () => {
    if (document.visibilityState === "visible" && Date.now() - lastReading > AT_ONCE) void refresh();
  };
  const timer = setInterval(look, EVERY);
  window.addEventListener("focus", look);
  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  const stopHearing = hear((news) => {
    if (news.kind === "changed") showRow(news.row);
    else if (news.kind === "deleted") drop(news.id);
    else void refresh();
  });
  const stopWatching = useConnection.subscribe((now, before) => {
    if (now.live === "live" && before.live === "connecting") look();
  });
  return () => {
    clearInterval(timer);
    window.removeEventListener("focus", look);
    window.removeEventListener("online", look);
    document.removeEventListener("visibilitychange", look);
    stopHearing();
    stopWatching();
  };
}

/** Read the first page again. Never raises: what went wrong stands in `problem`. */
export async function refresh(): Promise<void> {
  const { query } = get();
  reading += 1;
  const mine = reading;
  lastReading = Date.now();
  try {
    const first = await readPage(query, null);
    if (mine !== reading) return;
    const before = get();
    const pages = before.found === query ? withFirstPage(before, first) : first;
    show({ ...pages, found: query, phase: "ready", problem: null, more: "idle" });
  } catch (error) {
    if (mine !== reading) return;
    const kept = get().found === query && get().rows.length > 0;
    set({ phase: kept ? "ready" : "failed", problem: explain(error) });
  }
}

/** Find by name; an empty text finds all. */
export function find(query: string): void {
  if (query === get().query) return;
  set({ query, phase: "loading", problem: null });
  void refresh();
}

/** Read the page that follows. */
export async function readMore(): Promise<void> {
  const { query, cursor, hasMore, more } = get();
  if (!hasMore || more === "loading") return;
  set({ more: "loading" });
  try {
    const next = await readPage(query, cursor);
    if (get().query === query) show({ ...withNextPage(get(), next), more: "idle" });
  } catch {
    if (get().query === query) set({ more: "failed" });
  }
}

/** A session is so now: show it at once, here and in the other windows. */
export function learn(row: SessionRow): void {
  const known = get().rows.find((it) => it.id === row.id);
  if (known && known.revision >= row.revision) return;
  showRow(row);
  tell({ kind: "changed", row });
}

/** A session is no more. */
export function forget(id: string): void {
  drop(id);
  tell({ kind: "deleted", id });
}

/** Show a session no more, or again, without having anybody else know. */
export function hide(id: string, hidden: boolean): void {
  const ids = new Set(get().hidden);
  if (hidden) ids.add(id);
  else ids.delete(id);
  set({ hidden: ids });
}

/** Show a session so in this window. */
export function showRow(row: SessionRow): void {
  const state = get();
  if (state.phase === "loading" && state.rows.length === 0) return;
  // Only the server says whether a name that is new fits what is searched for.
  if (state.query !== "" && !state.rows.some((it) => it.id === row.id)) return;
  show(withRow(state, row));
}

function drop(id: string): void {
  set({ recent: get().recent.filter((it) => it.id !== id) });
  show(withoutRow(get(), id));
}

function show(change: Partial<SessionList> & Pages): void {
  set(change);
  const { rows, found } = get();
  if (found === "") set({ recent: rows.slice(0, RECENT) });
  void readFirstWords(rows);
}

async function readPage(query: string, after: string | null): Promise<Pages> {
  const { sessions } = await request(ListSessions, { first: PAGE, after, query: query || null });
  return {
    rows: sessions.edges.map((it) => it.node),
    cursor: sessions.pageInfo.endCursor ?? null,
    hasMore: sessions.pageInfo.hasNextPage,
  };
}
