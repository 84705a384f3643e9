/**
 * What a turn holds, in the order in which a person reads it: questions, thinking, text, and each tool call as one
 * part with its result. Pure functions over entries.
 */

import type { LiveAnswer } from "../session/live";
import { type Entry, isShown, type MessageEntry } from "../session/turns";

export interface Picture {
  readonly mimeType: string;
  readonly data: string;
}

export interface ToolResult {
  readonly text: string;
  readonly pictures: readonly Picture[];
  readonly isError: boolean;
}

export type Part = { readonly key: string } & (
  | { readonly kind: "text" | "thinking"; readonly text: string }
  /** `args` is undefined where a result came without its call, `result` null where the call has none yet. */
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly args: unknown;
      readonly result: ToolResult | null;
    }
  | { readonly kind: "picture"; readonly picture: Picture }
  /** A block of a type that this page does not know. */
  | { readonly kind: "unknown"; readonly block: unknown }
  /** A change or a message of an application in the middle of the turn. */
  | { readonly kind: "entry"; readonly entry: Entry }
);

type Fields = Record<string, unknown>;

/** The blocks of a message's content, which may also be a text alone. */
function blocksOf(content: unknown): Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter((it): it is Fields => typeof it === "object" && it !== null);
}

export function textOf(content: unknown): string {
  return blocksOf(content)
    .map((it) => (it.type === "text" ? String(it.text ?? "") : ""))
    .join("");
}

export function picturesOf(content: unknown): Picture[] {
  return blocksOf(content)
    .filter((it) => it.type === "image")
    .map((it) => ({ mimeType: String(it.mimeType), data: String(it.data) }));
}

/** All that answers a turn's question. entries: the turn's, oldest first. */
export function answerParts(entries: readonly Entry[]): Part[] {
  const parts: Part[] = [];
  const counts = new Map<string, number>();
  const callAt = new Map<string, number>();
  const key = (kind: string) => {
    const number = counts.get(kind) ?? 0;
    counts.set(kind, number + 1);
    return keyOf(kind, number);
  };
  const takeResult = (entry: MessageEntry) => {
    const result: ToolResult = {
      text: textOf(entry.content),
      pictures: picturesOf(entry.content),
      isError: entry.isError,
    };
    const at = callAt.get(entry.toolCallId ?? "");
    const call = at === undefined ? undefined : parts[at];
    if (at !== undefined && call?.kind === "tool" && call.result === null) parts[at] = { ...call, result };
    else parts.push({ key: key("tool"), kind: "tool", name: entry.toolName ?? "", args: undefined, result });
  };
  for (const entry of entries) {
    if (entry.__typename !== "MessageEntry") {
      if (isShown(entry)) parts.push({ key: entry.id, kind: "entry", entry });
      continue;
    }
    if (entry.role === "user") continue;
    if (entry.role === "toolResult") {
      takeResult(entry);
      continue;
    }
    for (const block of blocksOf(entry.content)) {
      const part = partOf(block, key);
      if (part?.kind === "tool") callAt.set(String(block.id), parts.length);
      if (part) parts.push(part);
    }
  }
  return parts;
}

/** Null: there is nothing in it to show. */
function partOf(block: Fields, key: (kind: string) => string): Part | null {
  switch (block.type) {
    case "text": {
      const text = String(block.text ?? "");
      return text.trim() === "" ? null : { key: key("text"), kind: "text", text };
    }
    case "thinking": {
      const text = String(block.thinking ?? "");
      return text.trim() === "" ? null : { key: key("thinking"), kind: "thinking", text };
    }
    case "toolCall":
      return {
        key: key("tool"),
        kind: "tool",
        name: String(block.name ?? ""),
        args: block.arguments ?? null,
        result: null,
      };
    case "image": {
      const [picture] = picturesOf([block]);
      return picture ? { key: key("picture"), kind: "picture", picture } : null;
    }
    default:
      return { key: key("unknown"), kind: "unknown", block };
  }
}

/** What has come of an answer, after those parts; with the keys that they will have when it has ended. */
export function liveParts(before: readonly Part[], { text, thinking }: LiveAnswer): Part[] {
  const parts: Part[] = [];
  const next = (kind: string) => keyOf(kind, before.filter((it) => it.kind === kind).length);
  if (thinking !== "") parts.push({ key: next("thinking"), kind: "thinking", text: thinking });
  if (text !== "") parts.push({ key: next("text"), kind: "text", text });
  return parts;
}

function keyOf(kind: string, number: number): string {
  return `${kind}:${number}`;
}

/** The answer as it was written, to copy. */
export function answerText(parts: readonly Part[]): string {
  return parts.flatMap((it) => (it.kind === "text" ? [it.text] : [])).join("\n\n");
}

/** Arguments of a call in one line. */
export function argumentsLine(args: unknown): string {
  if (args === undefined || args === null) return "";
  if (typeof args !== "object" || Array.isArray(args)) return short(args);
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${short(value)}`)
    .join(", ")
    .slice(0, 200);
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replace(/\s+/g, " ").slice(0, 100);
}

export interface TurnUsage {
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null: a price is not known. */
  readonly costUsd: number | null;
}

/** What answering has taken; null: nothing is known of it. */
export function usageOf(entries: readonly Entry[]): TurnUsage | null {
  let sum: TurnUsage | null = null;
  for (const entry of entries) {
    if (entry.__typename !== "MessageEntry" || entry.role !== "assistant") continue;
    const { usage } = entry;
    const before: TurnUsage = sum ?? { model: null, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    sum = {
      model: entry.model ?? before.model,
      inputTokens:
        before.inputTokens + (usage ? usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens : 0),
      outputTokens: before.outputTokens + (usage?.outputTokens ?? 0),
      costUsd:
        before.costUsd === null || (usage && usage.costUsd === null)
          ? null
          : before.costUsd + (usage?.costUsd ?? 0),
    };
  }
  return sum;
}

/** How the turn's last message of the assistant ended. */
export function endingOf(entries: readonly Entry[]): { stopReason: string | null; error: string | null } {
  for (const entry of [...entries].reverse())
    if (entry.__typename === "MessageEntry" && entry.role === "assistant")
      return { stopReason: entry.stopReason ?? null, error: entry.error ?? null };
  return { stopReason: null, error: null };
}
