/** Whether the server is reached, and with which token. One for the page. */

import { create } from "zustand";
import { kept } from "./kept";

const TOKEN_KEY = "graph_session.token";

interface Connection {
  /** Live: changes arrive. Connecting: not for the moment. Idle: nothing is followed. */
  live: "idle" | "connecting" | "live";
  /** The server has refused the token that there is, or that there is none, and no other has been given since. */
  refusedToken: boolean;
  /** A person is asked for one. */
  asksToken: boolean;
  token: string | null;
  setLive: (live: Connection["live"]) => void;
  refused: () => void;
  askToken: (asks: boolean) => void;
  setToken: (token: string | null) => void;
}

export const useConnection = create<Connection>()((set) => ({
  live: "idle",
  refusedToken: false,
  asksToken: false,
  token: kept.getItem(TOKEN_KEY),
  setLive: (live) => set({ live }),
  // Once for a token: what goes on in the background is refused again and again, and must not ask each time.
  refused: () => set(({ refusedToken }) => (refusedToken ? {} : { refusedToken: true, asksToken: true })),
  askToken: (asksToken) => set({ asksToken }),
  setToken: (token) => {
    if (token === null) kept.removeItem(TOKEN_KEY);
    else kept.setItem(TOKEN_KEY, token);
    set({ token, refusedToken: false, asksToken: false });
  },
}));
