/** Whether the server is reached, and with which token. One for the page. */

import { create } from "zustand";

const TOKEN_KEY = "graph_session.token";

interface Connection {
  /** Live: changes arrive. Connecting: not for the moment. Idle: nothing is followed. */
  live: "idle" | "connecting" | "live";
  /** The server has refused what was asked without a valid token. */
  needsToken: boolean;
  token: string | null;
  setLive: (live: Connection["live"]) => void;
  refused: () => void;
  setToken: (token: string | null) => void;
}

export const useConnection = create<Connection>()((set) => ({
  live: "idle",
  needsToken: false,
  token: localStorage.getItem(TOKEN_KEY),
  setLive: (live) => set({ live }),
  refused: () => set({ needsToken: true }),
  setToken: (token) => {
    if (token === null) {
      localStorage.removeItem(TOKEN_KEY);
    } else localStorage.setItem(TOKEN_KEY, token);
    set({ token, needsToken: false });
  },
}));
