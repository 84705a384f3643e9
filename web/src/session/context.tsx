/** The open session, for the components below the page of it. */

import { createContext, use } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { SessionState } from "./state";
import type { SessionStore } from "./store";

export const SessionContext = createContext<SessionStore | null>(null);

/** Raises Error outside of the page of a session. */
export function useSessionStore(): SessionStore {
  const store = use(SessionContext);
  if (!store) throw new Error("There is no open session here.");
  return store;
}

/** A part of the state; renders again when that part changes. */
export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(useSessionStore().state, useShallow(select));
}
