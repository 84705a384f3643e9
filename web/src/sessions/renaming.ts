import { payload, request } from "../api/request";
import { learn, showRow, useSessions } from "./list";
import { UpdateSession } from "./operations";

/**
 * Give a conversation another name; an empty one takes its name away. The list shows it at once, and the old one again
 * where it fails. Raises what `request` and `payload` raise.
 */
export async function renameSession(id: string, name: string): Promise<void> {
  const wanted = name.trim() || null;
  const known = useSessions.getState().rows.find((it) => it.id === id);
  if (known && (known.name ?? null) === wanted) return;
  if (known) showRow({ ...known, name: wanted });
  try {
    const { session } = payload(
      (await request(UpdateSession, { input: { id, name: wanted } })).updateSession,
    );
    learn(session);
  } catch (error) {
    const now = useSessions.getState().rows.find((it) => it.id === id);
    if (known && now) showRow({ ...now, name: known.name });
    throw error;
  }
}
