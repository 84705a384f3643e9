/** The page's keys. What works in the tree and in the question field is written there, and listed here for the help. */

export const SHORTCUTS = [
  {
    where: "keysEverywhere",
    keys: [
      ["Alt+N", "key_new"],
      ["Alt+T", "key_tree"],
      ["Alt+C", "key_context"],
      ["Alt+B", "key_compare"],
      ["Alt+U", "key_usage"],
      ["Alt+S", "key_search"],
      ["/", "key_focus"],
      ["[ ]", "key_sibling"],
      ["Alt+↑ Alt+↓", "key_up"],
      ["Esc", "key_stop"],
      ["?", "key_help"],
    ],
  },
  {
    where: "keysTree",
    keys: [
      ["↑ ↓ ← →", "key_treeMove"],
      ["Enter", "key_treeGo"],
      ["F", "key_treeFork"],
      ["L", "key_treeLabel"],
      ["C", "key_treeCompare"],
      ["M", "key_treeMerge"],
      ["S", "key_treeDetails"],
      ["Space", "key_treeFold"],
      ["/", "key_find"],
    ],
  },
  {
    where: "keysList",
    keys: [
      ["↑ ↓", "key_listMove"],
      ["F2", "key_listRename"],
      ["Del", "key_listDelete"],
      ["Ctrl+Z", "key_listUndo"],
    ],
  },
  {
    where: "keysComposer",
    keys: [
      ["Enter", "key_send"],
      ["Shift+Enter", "key_line"],
      ["↑", "key_editLast"],
    ],
  },
] as const;

export type Command =
  | "new"
  | "tree"
  | "context"
  | "compare"
  | "usage"
  | "search"
  | "focus"
  | "previous"
  | "next"
  | "up"
  | "down"
  | "help";

const WITH_ALT: Readonly<Record<string, Command>> = {
  KeyN: "new",
  KeyT: "tree",
  KeyC: "context",
  KeyB: "compare",
  KeyU: "usage",
  KeyS: "search",
  ArrowUp: "up",
  ArrowDown: "down",
};

const ALONE: Readonly<Record<string, Command>> = { "?": "help", "/": "focus", "[": "previous", "]": "next" };

type Pressed = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey">;

/** What a key asks for; `writing`: the focus is where one writes, so a letter is a letter. Null: nothing. */
export function commandOf(
  { key, code, altKey, ctrlKey, metaKey }: Pressed,
  writing: boolean,
): Command | null {
  if (ctrlKey || metaKey) return null;
  // By place and not by letter: with Alt, some keyboards write another one.
  if (altKey) return WITH_ALT[code] ?? null;
  return writing ? null : (ALONE[key] ?? null);
}
