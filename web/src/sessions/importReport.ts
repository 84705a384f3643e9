/** What became of a file, made short: problems of one kind that follow each other are one row. */

import type { ImportConversationMutation } from "../graphql/generated/graphql";

type Payload = Extract<ImportConversationMutation["importConversation"], { __typename: "ImportPayload" }>;
export type Report = Payload["report"];
type Problem = Report["problems"][number];

export interface ProblemGroup {
  /** As "3" or "3, 5–9"; null: the file as a whole. */
  readonly lines: string | null;
  readonly many: boolean;
  readonly message: string;
  readonly lost: boolean;
  readonly count: number;
}

/** Ranges that are written out before "…". */
const RANGES = 6;

/** The problems by what they say, in the order of the file. */
export function groupProblems(problems: readonly Problem[]): ProblemGroup[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const whole = problem.line === null || problem.line === undefined;
    const key = JSON.stringify([whole, problem.code, problem.message, problem.lost]);
    const group = groups.get(key);
    if (group) group.push(problem);
    else groups.set(key, [problem]);
  }
  return [...groups.values()].map((group) => {
    const { message, lost } = group[0] as Problem;
    const lines = group.flatMap((it) => it.line ?? []);
    return {
      lines: lines.length === 0 ? null : ranges(lines),
      many: lines.length > 1,
      message,
      lost,
      count: group.length,
    };
  });
}

/** [1, 2, 3, 7] → "1–3, 7" */
export function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else found.push([number, number]);
  }
  const shown = found.slice(0, RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return found.length > RANGES ? `${shown.join(", ")}, …` : shown.join(", ");
}

/** 12345678 → "11.8 MiB" */
export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
