/** Tokens of a context by what they come from, and what sending the whole path would have cost. */

import type { ContextSource } from "../../graphql/generated/graphql";

/** The system prompt is no message, and takes tokens like one. */
export type Source = ContextSource | "SYSTEM";

export interface Part {
  readonly source: Source;
  readonly tokens: number;
  readonly count: number;
}

/** In the order in which they mostly stand in a context. */
const ORDER: readonly Source[] = [
  "SYSTEM",
  "COMPACTION",
  "ANCHOR_SUMMARY",
  "NODE_SUMMARY",
  "BRANCH_SUMMARY",
  "CUSTOM",
  "RAW",
  "QUESTION",
];

const SUMMARIES: ReadonlySet<Source> = new Set([
  "COMPACTION",
  "ANCHOR_SUMMARY",
  "NODE_SUMMARY",
  "BRANCH_SUMMARY",
]);

export function isSummary(source: Source): boolean {
  return SUMMARIES.has(source);
}

interface Counted {
  readonly source: ContextSource;
  readonly tokens: number;
}

/** What the total has beyond the messages is the system prompt's. */
export function systemTokens(messages: readonly Counted[], total: number): number {
  return Math.max(0, total - messages.reduce((sum, it) => sum + it.tokens, 0));
}

/** Only the sources that are there. */
export function bySource(messages: readonly Counted[], total: number): Part[] {
  const system = systemTokens(messages, total);
  const all = [
    ...(system > 0 ? [{ source: "SYSTEM" as const, tokens: system }] : []),
    ...messages.map(({ source, tokens }) => ({ source, tokens })),
  ];
  return ORDER.flatMap((source) => {
    const these = all.filter((it) => it.source === source);
    const tokens = these.reduce((sum, it) => sum + it.tokens, 0);
    return these.length > 0 ? [{ source, tokens, count: these.length }] : [];
  });
}

/** Between 0 and 1, also where the whole is nothing. */
export function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}

/** What is saved of the whole path's tokens, as a share of them; negative where the context takes more. */
export function saving(total: number, full: number): number {
  return full > 0 ? (full - total) / full : 0;
}
