/** What this browser's windows tell each other, so that their lists agree without asking the server. */

import type { SessionRow } from "./pages";

export type News =
  | { readonly kind: "changed"; readonly row: SessionRow }
  | { readonly kind: "deleted"; readonly id: string }
  /** Read the list again. */
  | { readonly kind: "list" };

let channel: BroadcastChannel | undefined;

function opened(): BroadcastChannel {
  channel ??= new BroadcastChannel("graph_session.sessions");
  return channel;
}

/** Tell the other windows. */
export function tell(news: News): void {
  opened().postMessage(news);
}

/** Hear what other windows tell, until the returned function is called. */
export function hear(listener: (news: News) => void): () => void {
  const onMessage = ({ data }: MessageEvent<News>) => listener(data);
  opened().addEventListener("message", onMessage);
  return () => opened().removeEventListener("message", onMessage);
}
