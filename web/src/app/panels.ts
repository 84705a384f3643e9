/** Which panel is open beside the conversation, and which dialogs. One for the page. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { kept } from "../api/kept";

export const PANELS = ["tree", "context", "compare", "search", "usage"] as const;
export type Panel = (typeof PANELS)[number];

/** On a phone only one of them is seen at a time. */
export type Place = "sessions" | "conversation" | "panel";

interface Panels {
  /** Null: the conversation alone. */
  panel: Panel | null;
  /** Pixels, of each panel. */
  widths: Readonly<Record<Panel, number>>;
  sidebar: boolean;
  place: Place;
  /** The node that the shown place is compared with. */
  compareWith: string | null;
  /** The node whose label is being written. */
  labelling: string | null;
  /** The node whose summaries are being read beside its turns. */
  details: string | null;
  help: boolean;
  settings: boolean;
  open: (panel: Panel | null) => void;
  compare: (nodeId: string) => void;
  setWidth: (panel: Panel, width: number) => void;
}

export const usePanels = create<Panels>()(
  persist(
    (set) => ({
      panel: "tree",
      // Two branches side by side need more room.
      widths: { tree: 440, context: 440, compare: 700, search: 440, usage: 440 },
      sidebar: true,
      place: "conversation",
      compareWith: null,
      labelling: null,
      details: null,
      help: false,
      settings: false,
      open: (panel) => set({ panel, place: panel === null ? "conversation" : "panel" }),
      setWidth: (panel, width) => set(({ widths }) => ({ widths: { ...widths, [panel]: width } })),
      compare: (compareWith) => set({ compareWith, panel: "compare", place: "panel" }),
    }),
    {
      name: "graph_session.panels",
      storage: createJSONStorage(() => kept),
      partialize: ({ panel, widths, sidebar }) => ({ panel, widths, sidebar }),
    },
  ),
);
