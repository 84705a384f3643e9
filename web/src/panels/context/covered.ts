/** Which turns of the path the messages of a context stand for, and which are not sent as they were written. */

import type { ContextSource } from "../../graphql/generated/graphql";

export interface Message {
  readonly source: ContextSource;
  readonly entryIds: readonly string[];
  readonly nodeId?: string | null;
}

/** Numbers of turns on the path, the first is 1. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The turns that a message stands for; null where it stands for none of this path (another branch's summary, an
 * application's message, the question).
 *
 * path: ids of the path's nodes. below: the number of turns above an entry that stands between turns, null where it is
 * not known.
 */
export function spanOf(
  index: number,
  messages: readonly Message[],
  path: readonly string[],
  below: (entryId: string) => number | null,
): Span | null {
  const message = messages[index];
  if (!message) return null;
  const own = message.nodeId ? path.indexOf(message.nodeId) + 1 : 0;
  switch (message.source) {
    case "RAW":
    case "NODE_SUMMARY":
      return own > 0 ? { from: own, to: own } : null;
    case "ANCHOR_SUMMARY":
      return upTo(own > 0 ? own : standing(message, below));
    case "COMPACTION": {
      // What it keeps follows it as it was written.
      const kept = messages.slice(index + 1).find((it) => it.nodeId && path.includes(it.nodeId));
      return upTo(kept?.nodeId ? path.indexOf(kept.nodeId) : standing(message, below));
    }
    default:
      return null;
  }
}

function standing(message: Message, below: (entryId: string) => number | null): number {
  const entryId = message.entryIds[0];
  return entryId === undefined ? 0 : (below(entryId) ?? 0);
}

function upTo(last: number): Span | null {
  return last > 0 ? { from: 1, to: last } : null;
}

export interface Replaced {
  /** Turns that the summary at the beginning stands for. */
  readonly byBoundary: number;
  /** Turns that a summary of their own stands for. */
  readonly byOwn: number;
}

/** How many turns of the path are not sent as they were written. */
export function replaced(messages: readonly Message[], path: readonly string[]): Replaced {
  const of = (source: ContextSource) =>
    new Set(messages.filter((it) => it.source === source).map((it) => it.nodeId));
  const raw = of("RAW");
  const own = of("NODE_SUMMARY");
  const boundary = messages.some((it) => it.source === "ANCHOR_SUMMARY" || it.source === "COMPACTION");
  let [byBoundary, byOwn] = [0, 0];
  for (const id of path) {
    if (raw.has(id)) continue;
    if (own.has(id)) byOwn += 1;
    else if (boundary) byBoundary += 1;
  }
  return { byBoundary, byOwn };
}
