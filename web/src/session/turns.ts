/**
 * The entries of a path, put together as a person reads them: turns, and between them what changed.
 *
 * A turn begins with a question and ends with the entry whose id is that of its dialogue node.
 */

import type { EntryFieldsFragment } from "../graphql/generated/graphql";

export type Entry = EntryFieldsFragment;
export type MessageEntry = Extract<Entry, { __typename: "MessageEntry" }>;

export interface Turn {
  readonly kind: "turn";
  /** Null: nothing has ended it, and no node is known for it. */
  readonly nodeId: string | null;
  readonly entries: readonly Entry[];
}

/** A change of model, a label, a compaction, another branch's summary: what stands between turns. */
export interface Between {
  readonly kind: "between";
  readonly entry: Entry;
}

export type PathItem = Turn | Between;

const UNSEEN: ReadonlySet<string> = new Set(["LEAF", "LABEL", "CUSTOM", "SESSION_INFO"]);

/** Whether a person is shown an entry that stands between turns. */
export function isShown(entry: Entry): boolean {
  if (entry.__typename === "CustomMessageEntry") return entry.display;
  return !UNSEEN.has(entry.type);
}

/** entries: oldest first. isNode: whether an id is a dialogue node's. */
export function pathItems(entries: readonly Entry[], isNode: (id: string) => boolean): PathItem[] {
  const items: PathItem[] = [];
  let open: Entry[] = [];
  let nodeId: string | null = null;
  const close = () => {
    if (open.length > 0) items.push({ kind: "turn", nodeId, entries: open });
    open = [];
    nodeId = null;
  };
  for (const entry of entries) {
    if (isQuestion(entry)) close();
    if (open.length > 0 || entry.type === "MESSAGE") open.push(entry);
    else if (isShown(entry)) items.push({ kind: "between", entry });
    if (!isNode(entry.id)) continue;
    nodeId = entry.id;
    // A question is a node of its own as long as no answer ends its turn, and what follows it may still be its turn.
    if (!isQuestion(entry)) close();
  }
  close();
  return items;
}

export function isQuestion(entry: Entry): entry is MessageEntry {
  return entry.__typename === "MessageEntry" && entry.role === "user";
}

export function questionOf(turn: Turn): MessageEntry | undefined {
  return turn.entries.find(isQuestion);
}
