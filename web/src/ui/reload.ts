/** Loading the page again, which keeps what is being written. */

/** A part of the page could not be had from the server. */
export class NotLoaded extends Error {
  override name = "NotLoaded";

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Load the page again if the server is there, and else stay with what can still be read. Whether it is. */
export async function reloadWhenThere(): Promise<boolean> {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return false;
  window.location.reload();
  return true;
}
