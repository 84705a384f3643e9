import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionChangedSubscription } from "../graphql/generated/graphql";
import { ask, editQuestion, regenerate } from "./actions";
import { Ask, Fork, MoveLeaf, Regenerate } from "./mutations";
import {
  ActivePath,
  Answer,
  OpenSession,
  OutlineOf,
  PathPage,
  ReadEntry,
  ReadNode,
  SessionChanged,
} from "./operations";
import { page } from "./outlineTesting";
import { SessionStore } from "./store";
import type { Turn } from "./turns";

type Change = SessionChangedSubscription["sessionChanged"];

const server = vi.hoisted(() => ({
  answers: new Map<unknown, (variables: Record<string, unknown>) => unknown>(),
  asked: [] as [unknown, Record<string, unknown>][],
  followed: new Map<unknown, (data: unknown) => void>(),
}));

vi.mock("../api/request", async (original) => ({
  ...(await original<typeof import("../api/request")>()),
  request: async (document: unknown, variables: Record<string, unknown>) => {
    server.asked.push([document, variables]);
    const answer = server.answers.get(document);
    if (!answer) throw new Error("not expected");
    return answer(variables);
  },
}));

vi.mock("../api/follow", async (original) => ({
  ...(await original<typeof import("../api/follow")>()),
  follow: ({ document, next }: { document: unknown; next: (data: unknown) => void }) => {
    server.followed.set(document, next);
    return () => {};
  },
}));

vi.mock("../api/connection", () => ({ useConnection: { getState: () => ({}) } }));

const NODES: [string, string | null, string?][] = [
  ["a", null],
  ["b", "a"],
  ["c", "b"],
  ["x", "a"],
];
const session = (leafId: string, revision = 1) => ({ id: "s", name: null, leafId, revision });

function entriesTo(id: string) {
  const edges = [];
  for (let at: string | null = id; at; at = NODES.find(([node]) => node === at)?.[1] ?? null)
    edges.push({
      node: {
        __typename: "MessageEntry",
        id: at,
        parentId: NODES.find(([node]) => node === at)?.[1],
        type: "MESSAGE",
        role: "assistant",
      },
    });
  return { pathToRoot: { edges } };
}

async function opened(at: string | null = null): Promise<SessionStore> {
  const store = new SessionStore("s");
  await store.open(at);
  await vi.advanceTimersByTimeAsync(0);
  return store;
}

async function change(store: SessionStore, told: Partial<Change>): Promise<void> {
  server.followed.get(SessionChanged)?.({
    sessionChanged: { kind: "ENTRIES", nodeIds: [], revision: 2, ...told },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(store.get().phase).toBe("ready");
}

const moves = () =>
  server.asked.filter(([document]) => document === MoveLeaf).map(([, variables]) => variables.entryId);

/** What the server answers with when `finish` is called. */
function later<T>(): { answer: () => Promise<T>; finish: (value: T) => Promise<void> } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((it) => {
    resolve = it;
  });
  const finish = async (value: T) => {
    resolve(value);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { answer: () => promise, finish };
}

beforeEach(() => {
  vi.useFakeTimers();
  server.followed.clear();
  server.asked.length = 0;
  server.answers.clear();
  server.answers.set(OpenSession, () => ({
    session: session("c"),
    activePath: ["a", "b", "c"],
    treeOutline: page(NODES),
  }));
  server.answers.set(PathPage, ({ entryId }) => entriesTo(entryId as string));
  server.answers.set(MoveLeaf, ({ entryId }) => ({
    moveLeaf: { __typename: "MoveLeafPayload", session: session(entryId as string) },
  }));
});

afterEach(() => vi.useRealTimers());

describe("an open session", () => {
  it("shows the path to where it stands", async () => {
    const store = await opened();
    expect(store.get()).toMatchObject({
      phase: "ready",
      currentId: "c",
      path: ["a", "b", "c"],
      pathPhase: "ready",
    });
    expect(store.get().items.map((it) => it.kind === "turn" && it.nodeId)).toEqual(["a", "b", "c"]);
  });

  it("shows the place of a link without moving to it", async () => {
    const store = await opened("x");
    await vi.advanceTimersByTimeAsync(2000);
    expect(store.get()).toMatchObject({ currentId: "x", leafNodeId: "c", moving: false });
    expect(moves()).toEqual([]);
  });

  it("tells the server where one stops, and not of each place on the way", async () => {
    const store = await opened();
    store.goTo("b");
    store.goTo("a");
    store.goTo("x");
    expect(store.get().currentId).toBe("x");
    await vi.advanceTimersByTimeAsync(1000);
    expect(moves()).toEqual(["x"]);
    expect(store.get()).toMatchObject({ leafNodeId: "x", moving: false });
  });

  it("shows a place that the server could not be told of", async () => {
    const store = await opened();
    server.answers.delete(MoveLeaf);
    store.goTo("x");
    await vi.advanceTimersByTimeAsync(1000);
    expect(store.get()).toMatchObject({ currentId: "x", leafNodeId: "c", moving: false });
  });

  it("follows another window that goes on, from where the session stands", async () => {
    const store = await opened();
    server.answers.set(OutlineOf, () => ({ treeOutline: page([["d", "c"]]) }));
    NODES.push(["d", "c"]);
    await change(store, { nodeIds: ["d"], session: session("d", 2) as Change["session"] });
    NODES.pop();
    expect(store.get()).toMatchObject({
      currentId: "d",
      leafNodeId: "d",
      path: ["a", "b", "c", "d"],
      visit: 0,
    });
    store.goTo("x");
    expect(store.get().visit).toBe(1);
  });

  it("stays where one looks at something else", async () => {
    const store = await opened("x");
    await change(store, { kind: "LEAF", session: session("b", 2) as Change["session"] });
    expect(store.get()).toMatchObject({ currentId: "x", leafNodeId: "b" });
  });

  it("asks for the path where the leaf is an entry without a turn", async () => {
    const store = await opened();
    server.answers.set(ActivePath, () => ({ activePath: ["a", "b"] }));
    server.answers.set(OutlineOf, () => ({ treeOutline: page([["b", "a"]]) }));
    await change(store, { kind: "ENTRIES", session: session("a model change", 2) as Change["session"] });
    expect(store.get()).toMatchObject({ currentId: "b", leafNodeId: "b" });
  });

  it("sees a branch's summary in the tree when it is asked for", async () => {
    const store = await opened();
    const marks = (entryId: string) => [[entryId, "c", "BRANCH_SUMMARY", "BRANCH"]];
    server.answers.set(ActivePath, () => ({ activePath: ["a", "b", "c"] }));
    server.answers.set(OutlineOf, () => ({ treeOutline: page([["c", "b"]], marks("m")) }));
    await change(store, { nodeIds: ["c"], session: session("m", 2) as Change["session"] });
    expect(store.outline.marks("c").map((it) => it.entryId)).toEqual(["m"]);
  });

  it("shows a label that another window has written", async () => {
    const store = await opened();
    server.answers.set(ActivePath, () => ({ activePath: ["a", "b", "c"] }));
    server.answers.set(OutlineOf, () => {
      const labelled = page([["a", null]]);
      labelled.rows[0]?.splice(-1, 1, "a label");
      return { treeOutline: labelled };
    });
    await change(store, { nodeIds: ["a"], session: session("the label's entry", 2) as Change["session"] });
    expect(store.outline.get("a")?.label).toBe("a label");
  });

  it("has an answer from elsewhere in the place of its question, which was a node until then", async () => {
    server.answers.set(OpenSession, () => ({
      session: session("q"),
      activePath: ["a", "b", "q"],
      treeOutline: page([...NODES, ["q", "b", "UNANSWERED"]]),
    }));
    const store = await opened();
    server.answers.set(OutlineOf, ({ nodeIds }) => ({
      treeOutline: page((nodeIds as string[]).includes("n") ? [["n", "b"]] : []),
    }));
    await change(store, { nodeIds: ["n", "q"], session: session("n", 2) as Change["session"] });
    expect(store.outline.children("b")).toEqual(["c", "n"]);
    expect(store.get().currentId).toBe("n");
  });

  it("shows the text of a branch's summary when it comes", async () => {
    const summary = { __typename: "BranchSummaryEntry", id: "m", parentId: "c", type: "BRANCH_SUMMARY" };
    server.answers.set(OpenSession, () => ({
      session: session("m"),
      activePath: ["a", "b", "c"],
      treeOutline: page(NODES),
    }));
    server.answers.set(PathPage, () => ({
      pathToRoot: {
        edges: [
          { node: { ...summary, summaryState: "PENDING", branchSummary: "" } },
          ...entriesTo("c").pathToRoot.edges,
        ],
      },
    }));
    const store = await opened();
    const entriesOf = () => store.get().items.flatMap((it) => (it.kind === "turn" ? it.entries : []));
    const before = entriesOf();
    server.answers.set(OutlineOf, () => ({ treeOutline: page([]) }));
    server.answers.set(ReadEntry, () => ({
      entry: { ...summary, summaryState: "DONE", branchSummary: "It." },
    }));
    await change(store, { kind: "SUMMARY", nodeIds: ["m"], session: session("m", 2) as Change["session"] });
    expect(store.get().items.at(-1)).toMatchObject({ kind: "between", entry: { branchSummary: "It." } });
    expect(before).toHaveLength(3);
    expect(entriesOf().every((entry, at) => entry === before[at])).toBe(true);
  });

  it("reads as far as the turn from which one goes down a long branch", async () => {
    const long = Array.from({ length: 200 }, (_, at): [string, string] => [
      `l${at}`,
      at ? `l${at - 1}` : "a",
    ]);
    NODES.push(...long);
    server.answers.set(PathPage, ({ entryId, first }) => ({
      pathToRoot: { edges: entriesTo(entryId as string).pathToRoot.edges.slice(0, first as number) },
    }));
    const store = await opened();
    const shown: number[] = [];
    store.state.subscribe(({ items }) => shown.push(items.length));
    store.goDown("l0");
    await vi.advanceTimersByTimeAsync(0);
    NODES.splice(-200);
    expect(store.get().currentId).toBe("l199");
    expect(store.get().items.some((it) => it.kind === "turn" && it.nodeId === "l0")).toBe(true);
    expect(new Set(shown)).toEqual(new Set([3, 201]));
  });

  it("asks again from where the tree stands when the path did not fit it", async () => {
    const store = await opened("x");
    server.answers.set(Ask, () => ({
      ask: { __typename: "InvalidActivePath", code: "INVALID_ACTIVE_PATH", message: "no", activePath: [] },
    }));
    await ask(store, "why?");
    expect(store.get().pending).toMatchObject({ text: "why?", path: ["a", "b", "c"], problem: "no" });
  });

  it("shows an answer that has ended before it is told that the leaf has followed", async () => {
    const question = { __typename: "MessageEntry", id: "q", parentId: "c", type: "MESSAGE", role: "user" };
    const answer = { ...question, id: "n", parentId: "q", role: "assistant" };
    server.answers.set(OpenSession, () => ({
      session: session("q"),
      activePath: ["a", "b", "c", "n"],
      treeOutline: page([...NODES, ["n", "c", "RUNNING"]]),
    }));
    server.answers.set(ReadNode, () => ({ node: { nodeId: "n", entries: [question] } }));
    const store = await opened();
    expect(store.get().items.at(-1)).toMatchObject({ nodeId: "n", entries: [question] });
    const node = {
      nodeId: "n",
      parentNodeId: "c",
      status: "DONE",
      userContent: "q",
      entries: [question, answer],
    };
    server.followed.get(Answer)?.({ answer: { __typename: "AnswerDone", nodeId: "n", sequence: 1, node } });
    expect(store.get().items.at(-1)).toMatchObject({ nodeId: "n", entries: [question, answer] });
  });

  it("goes down a branch the way one went last", async () => {
    const store = await opened();
    store.goTo("x");
    store.goTo("a");
    store.goDown("a");
    expect(store.get().currentId).toBe("x");
  });

  it("says so when it is gone", async () => {
    server.answers.set(OpenSession, () => ({ session: null, activePath: [], treeOutline: page([]) }));
    expect((await opened()).get().phase).toBe("missing");
  });

  it("can be read again after a failure", async () => {
    const answer = server.answers.get(OpenSession);
    server.answers.delete(OpenSession);
    const store = await opened();
    expect(store.get()).toMatchObject({ phase: "failed", problem: "not expected" });
    if (answer) server.answers.set(OpenSession, answer);
    await store.open(null);
    expect(store.get().phase).toBe("ready");
  });
});

describe("a network that is slow or gone", () => {
  it("has nothing followed for a page that was left before it was read", async () => {
    const reading = later();
    server.answers.set(OpenSession, reading.answer);
    const store = new SessionStore("s");
    const opening = store.open(null);
    store.close();
    await reading.finish({
      session: session("c"),
      activePath: ["a", "b", "c"],
      treeOutline: page([["c", null, "RUNNING"]]),
    });
    await opening;
    expect(server.followed.size).toBe(0);
  });

  it("reads all again, until it can, where a change could not be read", async () => {
    const store = await opened();
    const answer = server.answers.get(OpenSession);
    server.answers.delete(OpenSession);
    await change(store, { nodeIds: ["d"], session: session("d", 2) as Change["session"] });
    expect(store.outline.has("d")).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    NODES.push(["d", "c"]);
    if (answer)
      server.answers.set(OpenSession, () => ({
        ...(answer({}) as object),
        session: session("d", 2),
        activePath: ["a", "b", "c", "d"],
      }));
    await vi.advanceTimersByTimeAsync(5_000);
    NODES.pop();
    expect(store.get()).toMatchObject({ currentId: "d", leafNodeId: "d" });
    const asked = server.asked.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked.length).toBe(asked);
  });

  it("does not believe an answer that a newer one has overtaken", async () => {
    const store = await opened();
    const moving = later();
    server.answers.set(MoveLeaf, moving.answer);
    store.goTo("x");
    await vi.advanceTimersByTimeAsync(1000);
    await change(store, { kind: "LEAF", session: session("b", 5) as Change["session"] });
    await moving.finish({ moveLeaf: { __typename: "MoveLeafPayload", session: session("x", 4) } });
    expect(store.get()).toMatchObject({ currentId: "x", leafNodeId: "b", session: { revision: 5 } });
  });

  it("leaves one who went elsewhere where they are when an answer comes to what they did before", async () => {
    const store = await opened();
    const node = { nodeId: "n", parentNodeId: "b", status: "RUNNING", userContent: "q", entries: [] };
    const [regenerating, forking] = [later(), later()];
    server.answers.set(Regenerate, regenerating.answer);
    server.answers.set(Fork, forking.answer);
    const turn = store.get().items.at(-1) as Turn;
    const done = [
      regenerate(store, "c"),
      editQuestion(store, { ...turn, entries: [{ ...turn.entries[0], role: "user" }] as Turn["entries"] }),
    ];
    store.goTo("x");
    await regenerating.finish({ regenerate: { __typename: "AskPayload", node, session: session("q", 2) } });
    await forking.finish({ fork: { __typename: "ForkPayload", session: session("b", 3), editText: "c?" } });
    await Promise.all(done);
    expect(store.get()).toMatchObject({ currentId: "x", editing: null });
    expect(store.outline.has("n")).toBe(true);
  });
});
