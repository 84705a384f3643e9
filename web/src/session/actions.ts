/** What a person does in a session. Each raises what `request` and `payload` raise, unless it says otherwise. */

import { payload, request } from "../api/request";
import type { NodeFieldsFragment } from "../graphql/generated/graphql";
import {
  Ask,
  CancelAnswer,
  ChangeModel,
  ChangeThinkingLevel,
  Compact,
  Fork,
  MergeBranch,
  Regenerate,
  RetrySummary,
  SetLabel,
} from "./mutations";
import type { SessionStore } from "./store";
import { questionOf, type Turn } from "./turns";

/**
 * Ask below the shown path. Never raises: what went wrong stands in `pending`, with the question, and `askAgain` asks
 * it again, which can never ask twice.
 */
export async function ask(store: SessionStore, text: string): Promise<void> {
  await send(store, text, store.get().path, crypto.randomUUID());
}

export async function askAgain(store: SessionStore): Promise<void> {
  const { pending } = store.get();
  if (pending) await send(store, pending.text, pending.path, pending.requestId);
}

/** Give up a question that could not be asked; its text. */
export function takeBack(store: SessionStore): string {
  const text = store.get().pending?.text ?? "";
  store.set({ pending: null });
  return text;
}

async function send(
  store: SessionStore,
  text: string,
  path: readonly string[],
  requestId: string,
): Promise<void> {
  store.leaveUntold();
  const { visit } = store.get();
  store.set({ pending: { text, path, requestId, problem: null } });
  try {
    const { ask: result } = await request(Ask, {
      input: {
        sessionId: store.id,
        activePath: [...path],
        userQuestion: text,
        wait: false,
        clientRequestId: requestId,
      },
    });
    if (result.__typename === "InvalidActivePath") {
      // The tree is another than was thought: read it again, and ask from where it stands.
      await store.open(null);
      store.set({ pending: { text, path: store.get().path, requestId, problem: result.message } });
      return;
    }
    if (result.__typename === "ModelFailure" && result.failedNode) {
      // The question has been written, and its node says what went wrong.
      store.set({ pending: null, editing: null });
      await store.open(result.failedNode.nodeId);
      return;
    }
    const asked = payload(result);
    store.set({ pending: null });
    if (store.arrive(asked.node, asked.session, visit)) store.set({ editing: null });
  } catch (error) {
    store.set({ pending: { text, path, requestId, problem: (error as Error).message } });
  }
}

/** Answer a node's question again, as its sibling. */
export async function regenerate(store: SessionStore, nodeId: string): Promise<void> {
  const { visit } = store.get();
  const result = payload((await request(Regenerate, { nodeId })).regenerate);
  store.arrive(result.node, result.session, visit);
}

export async function cancelAnswer(nodeId: string): Promise<void> {
  payload((await request(CancelAnswer, { nodeId })).cancelAnswer);
}

/** Stand above a turn's question, and get its text back to ask it in other words. */
export async function editQuestion(store: SessionStore, turn: Turn): Promise<void> {
  const question = questionOf(turn);
  if (!question || turn.nodeId === null) return;
  const parentId = store.outline.get(turn.nodeId)?.parentId ?? null;
  const { visit, currentId: from } = store.get();
  const result = payload(
    (await request(Fork, { input: { sessionId: store.id, entryId: question.id, position: "BEFORE" } })).fork,
  );
  // Who has gone elsewhere meanwhile, or asked for this twice, is not taken away from there.
  if (store.get().visit !== visit) return;
  store.leafIsAt(parentId, result.session);
  store.goTo(parentId, { record: false });
  store.set({ editing: { nodeId: turn.nodeId, text: result.editText ?? question.text, from } });
}

/** Leave an edited question as it was, and go back to where one stood. */
export function stopEditing(store: SessionStore): void {
  const { editing } = store.get();
  if (editing?.from) store.goTo(editing.from);
  else if (editing) store.goDown(editing.nodeId);
}

/** Stand at a node, optionally with a summary of what came before in its place. */
export async function forkAt(store: SessionStore, nodeId: string, summarize: boolean): Promise<void> {
  const { visit } = store.get();
  const result = payload(
    (await request(Fork, { input: { sessionId: store.id, entryId: nodeId, position: "AT", summarize } }))
      .fork,
  );
  if (store.get().visit !== visit) return;
  store.leafIsAt(nodeId, result.session);
  store.goTo(nodeId, { record: false });
}

/** null: no label. */
export async function setLabel(nodeId: string, label: string | null): Promise<void> {
  payload((await request(SetLabel, { targetId: nodeId, label })).setLabel);
}

/** From the shown place down another model answers. */
export async function changeModel(store: SessionStore, provider: string, modelId: string): Promise<void> {
  await store.standHere();
  payload((await request(ChangeModel, { sessionId: store.id, provider, modelId })).changeModel);
}

export async function changeThinkingLevel(store: SessionStore, level: string): Promise<void> {
  await store.standHere();
  payload((await request(ChangeThinkingLevel, { sessionId: store.id, level })).changeThinkingLevel);
}

/** Bring a branch, as a summary of it, into the one that ends at `intoId`: the id of the summary's entry, and the session,
 * whose leaf is that entry now. */
export async function mergeBranch(fromId: string, intoId: string) {
  const { entry, session } = payload((await request(MergeBranch, { fromId, intoId })).mergeBranch);
  return { entryId: entry.id, session };
}

/** Whether there was something to gain. */
export async function compact(store: SessionStore, instructions: string | null): Promise<boolean> {
  await store.standHere();
  const result = payload((await request(Compact, { sessionId: store.id, instructions })).compact);
  return Boolean(result.entry);
}

/** Of a node, which is given back as it is now, or of a branch by its summary's entry. */
export async function retrySummary(nodeId: string): Promise<NodeFieldsFragment | null> {
  return payload((await request(RetrySummary, { nodeId })).retrySummary).node ?? null;
}

/** What to tell a person of an error that an action raised. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
