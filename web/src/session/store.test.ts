import { beforeEach, describe, expect, it, vi } from "vitest";
import type { OutlinePage } from "./outline";
import { page } from "./outlineTesting";
import { SessionStore } from "./store";

/** What the server would answer, by the name of the operation. */
let answers: Record<string, unknown>;
let tell: (change: object) => Promise<void>;

vi.mock("../api/request", () => ({
  ServerError: class extends Error {},
  request: async (document: { definitions: { name: { value: string } }[] }, variables: object) => {
    const name = document.definitions[0]?.name.value ?? "";
    const answer = name === "OutlineOf" ? { treeOutline: outlineOf(variables) } : answers[name];
    if (!answer) throw new Error(`${name} was not expected`);
    return answer;
  },
}));

vi.mock("../api/follow", () => ({
  follow: ({ next }: { next: (data: object) => void }) => {
    tell = async (sessionChanged) => {
      next({ sessionChanged });
      await new Promise((resolve) => setTimeout(resolve));
    };
    return () => undefined;
  },
}));

/** As the server: an entry that is no node has no row; marks come with the node above them. */
function withMark(nodeIds: string[]): OutlinePage {
  return nodeIds.includes("a") ? page([["a", null]], [["m", "a", "BRANCH_SUMMARY", "BRANCH"]]) : page([]);
}
let outlineRows = withMark;

function outlineOf(variables: object): OutlinePage {
  return outlineRows((variables as { nodeIds: string[] }).nodeIds);
}

const session = (leafId: string, revision: number) => ({ id: "s", leafId, revision });
const question = { __typename: "MessageEntry", id: "q", type: "MESSAGE", role: "user", parentId: null };
const answer = { __typename: "MessageEntry", id: "a", type: "MESSAGE", role: "assistant", parentId: "q" };
const summary = (text: string) => ({
  __typename: "BranchSummaryEntry",
  id: "m",
  type: "BRANCH_SUMMARY",
  parentId: "a",
  branchSummary: text,
  summaryState: text ? "DONE" : "PENDING",
});
const pathPage = (...nodes: object[]) => ({ pathToRoot: { edges: nodes.map((node) => ({ node })) } });

describe("what other windows and the server's workers do", () => {
  let store: SessionStore;

  beforeEach(async () => {
    outlineRows = withMark;
    answers = {
      OpenSession: { session: session("a", 1), activePath: ["a"], treeOutline: page([["a", null]]) },
      PathPage: pathPage(answer, question),
      ActivePath: { activePath: ["a"] },
    };
    store = new SessionStore("s");
    await store.open(null);
  });

  it("shows a branch's summary when it is asked for, and its text when that comes", async () => {
    answers.PathPage = pathPage(summary(""), answer, question);
    await tell({ revision: 2, kind: "ENTRIES", nodeIds: [], session: session("m", 2) });
    expect(store.outline.marks("a").map((it) => it.entryId)).toEqual(["m"]);
    expect(store.get().items.at(-1)).toMatchObject({ kind: "between", entry: { branchSummary: "" } });

    answers.ReadEntry = { entry: summary("What happened there.") };
    await tell({ revision: 3, kind: "SUMMARY", nodeIds: ["m"], session: session("m", 3) });
    expect(store.get().items.at(-1)).toMatchObject({ entry: { branchSummary: "What happened there." } });
  });

  it("sees that an answer's end has made a summary due of a turn above it", async () => {
    const rows = page([
      ["a", null],
      ["b", "a", "RUNNING"],
    ]);
    store.outline.take(rows);
    outlineRows = (nodeIds) => {
      const now = page([
        ["a", null],
        ["b", "a"],
      ]);
      const [a] = now.rows as [unknown[]];
      a[now.columns.indexOf("summaryState")] = "PENDING";
      return { ...now, rows: now.rows.filter((row) => nodeIds.includes(row[0] as string)) };
    };
    await tell({ revision: 2, kind: "ENTRIES", nodeIds: ["b"], session: session("b", 2) });
    expect(store.outline.get("b")?.status).toBe("DONE");
    expect(store.outline.get("a")?.summaryState).toBe("PENDING");
  });

  it("reads a summary's text that came while the connection was lost", async () => {
    answers.PathPage = pathPage(summary(""), answer, question);
    await tell({ revision: 2, kind: "ENTRIES", nodeIds: [], session: session("m", 2) });

    answers.ReadEntry = { entry: summary("What happened there.") };
    answers.OpenSession = {
      session: session("m", 3),
      activePath: ["a"],
      treeOutline: outlineOf({ nodeIds: ["a"] }),
    };
    await tell({ revision: 3, kind: "CHANGED", nodeIds: [], session: session("m", 3) });
    expect(store.get().items.at(-1)).toMatchObject({ entry: { branchSummary: "What happened there." } });
  });
});
