/** What each turn of a path has used. */

import { type PathItem, questionOf } from "../../session/turns";

export interface Used {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Null: a price is not known. */
  readonly costUsd: number | null;
}

export interface TurnUsage extends Used {
  readonly nodeId: string | null;
  readonly question: string;
  readonly models: readonly string[];
  /** How many calls of a model it took. */
  readonly calls: number;
}

const NOTHING: Used = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
};

/** The turns of a path, as far as it has been read, oldest first. A turn without a call of a model used nothing. */
export function turnUsages(items: readonly PathItem[]): TurnUsage[] {
  return items.flatMap((item) => {
    if (item.kind !== "turn") return [];
    const models = new Set<string>();
    let used = NOTHING;
    let calls = 0;
    for (const entry of item.entries) {
      if (entry.__typename !== "MessageEntry" || !entry.usage) continue;
      calls += 1;
      if (entry.model) models.add(entry.model);
      used = plus(used, { ...entry.usage, costUsd: entry.usage.costUsd ?? null });
    }
    return [
      { ...used, nodeId: item.nodeId, question: questionOf(item)?.text ?? "", models: [...models], calls },
    ];
  });
}

function plus(one: Used, other: Used): Used {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  };
}

export function allTokens(used: Used): number {
  return used.inputTokens + used.outputTokens + used.cacheReadTokens + used.cacheWriteTokens;
}
