/** How the page looks and speaks: choices of a menu. */

import { Keyboard, Monitor, Moon, Settings2, Sun } from "lucide-react";
import { usePanels } from "../app/panels";
import { usePreferences } from "../i18n/preferences";
import { Menu, type MenuItem } from "../ui/Menu";
import { words } from "./texts";

export function usePreferenceItems(): MenuItem[] {
  const text = words.use();
  const { theme, language, setTheme, setLanguage } = usePreferences();
  const themes = [
    { value: "system", label: text.themeSystem, icon: <Monitor /> },
    { value: "light", label: text.themeLight, icon: <Sun /> },
    { value: "dark", label: text.themeDark, icon: <Moon /> },
  ] as const;
  // A language is called by its own name, so that whoever reads only that one finds it.
  const languages = [
    { value: null, label: text.auto },
    { value: "en", label: "English" },
    { value: "zh", label: "中文" },
  ] as const;
  return [
    ...themes.map(({ value, label, icon }) => ({
      label,
      icon,
      group: text.theme,
      checked: theme === value,
      onSelect: () => setTheme(value),
    })),
    ...languages.map(({ value, label }) => ({
      label,
      group: text.language,
      checked: language === value,
      onSelect: () => setLanguage(value),
    })),
  ];
}

export function useHelpItem(): MenuItem {
  const text = words.use();
  return {
    label: text.help,
    icon: <Keyboard />,
    shortcut: "?",
    onSelect: () => usePanels.setState({ help: true }),
  };
}

export function PreferencesMenu() {
  const text = words.use();
  const choices = usePreferenceItems();
  const help = useHelpItem();
  return (
    <Menu label={text.preferences} items={[help, ...choices]}>
      <Settings2 />
    </Menu>
  );
}
