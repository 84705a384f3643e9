/** What the settings dialog holds, and what of it has to be told to the server. */

import type { SessionFieldsFragment, UpdateSessionInput } from "../graphql/generated/graphql";

export const NUMBERS = [
  "linearThreshold",
  "keepRawCount",
  "anchorBudgetTokens",
  "reserveTokens",
  "keepRecentTokens",
] as const;
export type NumberField = (typeof NUMBERS)[number];
export type Field = "name" | "systemPrompt" | "model" | NumberField;

export type Settings = Record<Field, string>;
export type Problems = Partial<Record<Field, string>>;

/** Larger ones are no Int of GraphQL; the server says what it takes instead. */
const LARGEST = 2 ** 31 - 1;

/** `defaultModel`: the server's choice, which is an empty text here. A session does not say whether it has its own. */
export function settingsOf(session: SessionFieldsFragment, defaultModel: string | null): Settings {
  return {
    name: session.name ?? "",
    systemPrompt: session.systemPrompt ?? "",
    model: session.model === defaultModel ? "" : session.model,
    ...(Object.fromEntries(NUMBERS.map((it) => [it, String(session.config[it])])) as Record<
      NumberField,
      string
    >),
  };
}

/** The numbers that are none. */
export function badNumbers(settings: Settings): NumberField[] {
  return NUMBERS.filter((it) => !/^-?\d+$/.test(settings[it].trim()));
}

/** What has changed, to be sent; null: nothing. */
export function changesOf(id: string, before: Settings, after: Settings): UpdateSessionInput | null {
  const changes: UpdateSessionInput = { id };
  for (const field of ["name", "systemPrompt", "model"] as const)
    if (before[field] !== after[field]) changes[field] = after[field].trim() === "" ? null : after[field];
  const numbers = NUMBERS.filter((it) => before[it] !== after[it].trim());
  if (numbers.length > 0)
    changes.config = Object.fromEntries(
      numbers.map((it) => [it, Math.max(-LARGEST, Math.min(LARGEST, Number(after[it])))]),
    );
  return Object.keys(changes).length > 1 ? changes : null;
}

/** The field that the server means: "config.linearThreshold" → "linearThreshold". */
export function fieldNamed(name: string | null | undefined): Field | null {
  const field = (name ?? "").split(".").at(-1) ?? "";
  const all: readonly string[] = ["name", "systemPrompt", "model", ...NUMBERS];
  return all.includes(field) ? (field as Field) : null;
}

/** The bounds that a refusal tells: "…; it must be from 1 to 10,000." → ["1", "10,000"] */
export function boundsIn(message: string): [string, string] | null {
  const found = /must be from (-?[\d,]+) to ([\d,]+)/.exec(message);
  return found ? [found[1] as string, found[2] as string] : null;
}
