/** What a key does in the field for the next question. */

export type ComposerAction = "send" | "editLast";

export interface PressedKey {
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Null: what the key does in any field. */
export function composerAction(pressed: PressedKey, isEmpty: boolean): ComposerAction | null {
  // Safari ends a composition before it tells of the key that ended it, which then has this code.
  if (pressed.isComposing || pressed.keyCode === 229) return null;
  const { key, shiftKey, altKey, ctrlKey, metaKey } = pressed;
  if (key === "Enter" && !shiftKey && !altKey) return "send";
  if (key === "ArrowUp" && isEmpty && !shiftKey && !altKey && !ctrlKey && !metaKey) return "editLast";
  return null;
}

/** A question without the empty lines around it; what is indented stays so. */
export function trimmed(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}
