/** Importing files: one after the other, with what became of each. */

import { create } from "zustand";
import { payload, Refused, request, ServerError, Unreachable } from "../api/request";
import { toast } from "../ui/toasts";
import type { Report } from "./importReport";
import { learn } from "./list";
import { openConversation } from "./newSession";
import { ImportConversation } from "./operations";
import { explain, words } from "./texts";

export type ImportState =
  | { readonly kind: "waiting" | "running" }
  | {
      readonly kind: "done";
      readonly sessionId: string;
      readonly name: string | null;
      readonly report: Report;
    }
  /** `sessionId`: of the one that is here. */
  | { readonly kind: "exists"; readonly sessionId: string }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "failed"; readonly problem: string; readonly retryable: boolean };

export interface ImportJob {
  readonly id: number;
  readonly file: File;
  readonly newIds: boolean;
  readonly state: ImportState;
}

interface Imports {
  readonly jobs: readonly ImportJob[];
  /** Whether the dialog with them is open. */
  readonly open: boolean;
}

export const useImports = create<Imports>()(() => ({ jobs: [], open: false }));

const ACCEPTED = ".jsonl,.json,.ndjson,application/json,application/x-ndjson";
/** What a server takes in one request, unless it is set otherwise (GRAPH_SESSION_MAX_BODY_BYTES). */
const USUAL_LIMIT = 8 * 1024 ** 2;
/** More than any browser should be asked to hold as a text. */
const UNREADABLE = 256 * 1024 ** 2;

const { getState: get, setState: set } = useImports;
let lastId = 0;
let working = false;

/** Let a person choose files, and import them. */
export function chooseFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ACCEPTED;
  input.addEventListener("change", () => importFiles([...(input.files ?? [])]));
  input.click();
}

export function importFiles(files: readonly File[]): void {
  if (files.length === 0) return;
  // What is over and read gives way to what begins.
  const before = working ? get().jobs : [];
  const added = files.map((file): ImportJob => {
    lastId += 1;
    return { id: lastId, file, newIds: false, state: { kind: "waiting" } };
  });
  set({ jobs: [...before, ...added], open: true });
  void work();
}

/** Try one again; `newIds`: beside the one that is here. */
export function importAgain(id: number, newIds: boolean): void {
  set({
    jobs: get().jobs.map((it) =>
      it.id === id ? { ...it, newIds, state: { kind: "waiting" } as const } : it,
    ),
    open: true,
  });
  void work();
}

export function isOver({ state }: ImportJob): boolean {
  return state.kind !== "waiting" && state.kind !== "running";
}

async function work(): Promise<void> {
  if (working) return;
  working = true;
  let last: ImportJob | undefined;
  for (let next = waiting(); next; next = waiting()) {
    change(next.id, { kind: "running" });
    change(next.id, await importOne(next));
    last = next;
  }
  working = false;
  finish(last);
}

function waiting(): ImportJob | undefined {
  return get().jobs.find((it) => it.state.kind === "waiting");
}

function change(id: number, state: ImportState): void {
  set({ jobs: get().jobs.map((it) => (it.id === id ? { ...it, state } : it)) });
}

/** Go to what was imported if it is one, and say how it went if the dialog has been closed. */
function finish(last: ImportJob | undefined): void {
  const { jobs, open } = get();
  const done = jobs.flatMap((it) => (it.state.kind === "done" ? [it.state] : []));
  const state = jobs.find((it) => it.id === last?.id)?.state;
  const only = jobs.length === 1 || last?.newIds;
  if (only && state?.kind === "done") openConversation(state.sessionId);
  if (open) return;
  const text = words.now();
  const well = done.length === jobs.length && done.every((it) => it.report.problemCount === 0);
  toast(well ? text.importedToast(done.length) : text.importIncomplete, {
    action: { label: text.showReport, run: () => set({ open: true }) },
  });
}

async function importOne({ file, newIds }: ImportJob): Promise<ImportState> {
  if (file.size > UNREADABLE) return { kind: "tooLarge" };
  let content: string;
  try {
    content = await file.text();
  } catch (error) {
    return { kind: "failed", problem: words.now().unreadable(explain(error)), retryable: true };
  }
  try {
    const answer = await request(ImportConversation, {
      input: { content, filename: file.name, format: null, newIds },
    });
    const outcome = answer.importConversation;
    if (outcome.__typename === "SessionExists") return { kind: "exists", sessionId: outcome.sessionId };
    const { session, report } = payload(outcome);
    learn(session);
    return { kind: "done", sessionId: session.id, name: session.name ?? null, report };
  } catch (error) {
    return stateAfter(error, content);
  }
}

function stateAfter(error: unknown, content: string): ImportState {
  const refusedAsLarge =
    error instanceof ServerError && (error.code === "BODY_TOO_LARGE" || error.code === "HTTP_413");
  // A server that will not read a large request may hang up before its answer is heard.
  const cutOff = error instanceof Unreachable && JSON.stringify(content).length > USUAL_LIMIT;
  if (refusedAsLarge || cutOff) return { kind: "tooLarge" };
  const refused = error instanceof Refused && error.failure.code !== "STORAGE_UNAVAILABLE";
  return { kind: "failed", problem: explain(error), retryable: !refused };
}
