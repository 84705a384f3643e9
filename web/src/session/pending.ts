/** Where a question that is on its way, or could not be asked, stands. */

import type { Outline } from "./outline";
import type { SessionState } from "./state";

/**
 * Here: at the end of what is shown. There: elsewhere, below `at` (null: above all). One whose place is no more stands
 * wherever one is, so that it can be asked there.
 */
export type PendingPlace = { readonly is: "here" } | { readonly is: "there"; readonly at: string | null };

/** Null: there is no such question. */
export function pendingPlace(
  { pending, currentId }: Pick<SessionState, "pending" | "currentId">,
  outline: Pick<Outline, "has">,
): PendingPlace | null {
  if (pending === null) return null;
  const at = pending.path.at(-1) ?? null;
  return at === currentId || (at !== null && !outline.has(at)) ? { is: "here" } : { is: "there", at };
}
