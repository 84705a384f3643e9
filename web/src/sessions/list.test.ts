// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Unreachable } from "../api/request";
import { find, forget, hide, learn, readMore, refresh, shownRows, useSessions } from "./list";
import type { SessionRow } from "./pages";

const request = vi.hoisted(() => vi.fn());
vi.mock("../api/request", async (original) => ({ ...(await original<object>()), request }));
vi.mock("./windows", () => ({ tell: () => {}, hear: () => () => {} }));

const row = (id: string, minute: number, revision = 1): SessionRow => ({
  id,
  name: id,
  updatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
  revision,
  nodeCount: 0,
  entryCount: 0,
});
const page = (rows: SessionRow[], endCursor: string | null = null) => ({
  sessions: {
    edges: rows.map((node) => ({ node })),
    pageInfo: { endCursor, hasNextPage: endCursor !== null },
  },
});
const shown = () =>
  shownRows(useSessions.getState())
    .map((it) => it.id)
    .join("");

beforeEach(async () => {
  useSessions.setState(useSessions.getInitialState(), true);
  request.mockReset();
  request.mockResolvedValueOnce(page([row("a", 9), row("b", 8)], "b"));
  await refresh();
});

describe("the list", () => {
  it("is read page by page", async () => {
    request.mockResolvedValueOnce(page([row("c", 7)]));
    await readMore();
    expect(shown()).toBe("abc");
    expect(request.mock.lastCall?.[1]).toMatchObject({ after: "b" });
    await readMore();
    expect(request).toHaveBeenCalledTimes(2);
  });

  it("keeps what it has when it cannot be read again, and says so", async () => {
    request.mockRejectedValueOnce(new Unreachable("The server cannot be reached."));
    await refresh();
    expect(shown()).toBe("ab");
    expect(useSessions.getState()).toMatchObject({
      phase: "ready",
      problem: "The server cannot be reached.",
    });
    request.mockResolvedValueOnce(page([row("a", 9)]));
    await refresh();
    expect(useSessions.getState().problem).toBeNull();
  });

  it("has nothing to show where a search cannot be answered", async () => {
    request.mockRejectedValueOnce(new Unreachable("The server cannot be reached."));
    find("lisbon");
    await vi.waitFor(() => expect(useSessions.getState().phase).toBe("failed"));
  });

  it("shows what was searched for last, whatever comes first", async () => {
    let answerFirst = (_: unknown) => {};
    request.mockReturnValueOnce(new Promise((resolve) => (answerFirst = resolve)));
    find("x");
    request.mockResolvedValueOnce(page([row("y", 1)]));
    find("y");
    await vi.waitFor(() => expect(shown()).toBe("y"));
    answerFirst(page([row("x", 1)]));
    await Promise.resolve();
    expect(shown()).toBe("y");
  });

  it("has a session that is used at its top at once, and not twice", () => {
    learn(row("b", 20, 2));
    expect(shown()).toBe("ba");
    learn(row("b", 5, 1));
    expect(shown()).toBe("ba");
  });

  it("leaves to the server whether a new one fits what is searched for", async () => {
    request.mockResolvedValueOnce(page([row("a", 9)]));
    find("a");
    await vi.waitFor(() => expect(shown()).toBe("a"));
    learn(row("new", 30));
    expect(shown()).toBe("a");
    expect(useSessions.getState().recent.map((it) => it.id)).toEqual(["a", "b"]);
  });

  it("hides what may come back, and forgets what does not", () => {
    hide("a", true);
    expect(shown()).toBe("b");
    hide("a", false);
    expect(shown()).toBe("ab");
    forget("a");
    expect(shown()).toBe("b");
  });
});
