/** What of a path is not sent, by reason. The server gives reasons as English sentences; the page says them in its own. */

export type OmittedKind = "awaited" | "older" | "neverSent" | "resultAlone" | "callAlone" | "empty" | "other";

export interface OmittedGroup {
  readonly kind: OmittedKind;
  /** The type of the entries, the tool, or what the server says where it says something new. */
  readonly detail: string | null;
  readonly entryIds: readonly string[];
}

const REASONS: readonly (readonly [OmittedKind, RegExp])[] = [
  ["awaited", /^a summary whose text is not there yet$/],
  ["older", /^an older summary of what came before it/],
  ["neverSent", /^entries of type (\w+) are never sent/],
  ["resultAlone", /^a tool result whose call is not on this path$/],
  ["callAlone", /^the call of tool (.+) has no result on this path$/],
  ["empty", /^it has no content$/],
];

/** In the order in which their first entries stand on the path. */
export function groupOmitted(omitted: readonly { entryId: string; reason: string }[]): OmittedGroup[] {
  const groups = new Map<string, { kind: OmittedKind; detail: string | null; entryIds: string[] }>();
  for (const { entryId, reason } of omitted) {
    const { kind, detail } = understood(reason);
    const key = `${kind} ${detail}`;
    const group = groups.get(key);
    if (group) group.entryIds.push(entryId);
    else groups.set(key, { kind, detail, entryIds: [entryId] });
  }
  return [...groups.values()];
}

function understood(reason: string): { kind: OmittedKind; detail: string | null } {
  for (const [kind, pattern] of REASONS) {
    const found = pattern.exec(reason);
    if (found) return { kind, detail: found[1] ?? null };
  }
  return { kind: "other", detail: reason };
}
