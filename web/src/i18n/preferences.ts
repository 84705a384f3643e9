/** What a person chose for this browser: theme and language. Kept in localStorage, shared by its windows. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { kept } from "../api/kept";

export type Theme = "system" | "light" | "dark";
export type Language = "en" | "zh";

interface Preferences {
  theme: Theme;
  /** Null: the browser's. */
  language: Language | null;
  setTheme: (theme: Theme) => void;
  setLanguage: (language: Language | null) => void;
}

export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      theme: "system",
      language: null,
      setTheme: (theme) => set({ theme }),
      setLanguage: (language) => set({ language }),
    }),
    {
      name: "graph_session.preferences",
      storage: createJSONStorage(() => kept),
      partialize: ({ theme, language }) => ({ theme, language }),
    },
  ),
);

export function browserLanguage(languages: readonly string[]): Language {
  for (const language of languages) {
    if (/^zh\b/i.test(language)) return "zh";
    if (/^en\b/i.test(language)) return "en";
  }
  return "en";
}

export function currentLanguage(): Language {
  return usePreferences.getState().language ?? browserLanguage(navigator.languages);
}

export function useLanguage(): Language {
  return usePreferences((it) => it.language) ?? browserLanguage(navigator.languages);
}

/** Put theme and language on the document, now and whenever they change. */
export function applyPreferences(): void {
  const apply = () => {
    const root = document.documentElement;
    const { theme } = usePreferences.getState();
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    root.lang = currentLanguage() === "zh" ? "zh-Hans" : "en";
  };
  apply();
  usePreferences.subscribe(apply);
  window.addEventListener("storage", (event) => {
    if (event.key === usePreferences.persist.getOptions().name) void usePreferences.persist.rehydrate();
  });
}
