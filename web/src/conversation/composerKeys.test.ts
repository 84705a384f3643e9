import { describe, expect, it } from "vitest";
import { composerAction, type PressedKey, trimmed } from "./composerKeys";

function pressed(key: string, more: Partial<PressedKey> = {}): PressedKey {
  const none = {
    keyCode: 0,
    isComposing: false,
    shiftKey: false,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
  };
  return { key, ...none, ...more };
}

describe("composerAction", () => {
  it("sends on Enter, with Ctrl or Command too", () => {
    expect(composerAction(pressed("Enter"), false)).toBe("send");
    expect(composerAction(pressed("Enter", { ctrlKey: true }), false)).toBe("send");
    expect(composerAction(pressed("Enter", { metaKey: true }), false)).toBe("send");
  });

  it("leaves Shift+Enter and Alt+Enter to the field", () => {
    expect(composerAction(pressed("Enter", { shiftKey: true }), false)).toBeNull();
    expect(composerAction(pressed("Enter", { altKey: true }), false)).toBeNull();
  });

  it("does not send while characters are put together, nor by the key that ends it", () => {
    expect(composerAction(pressed("Enter", { isComposing: true }), false)).toBeNull();
    expect(composerAction(pressed("Enter", { keyCode: 229 }), false)).toBeNull();
    expect(composerAction(pressed("ArrowUp", { isComposing: true }), true)).toBeNull();
  });

  it("edits the last question on the arrow up, in an empty field only", () => {
    expect(composerAction(pressed("ArrowUp"), true)).toBe("editLast");
    expect(composerAction(pressed("ArrowUp"), false)).toBeNull();
    expect(composerAction(pressed("ArrowUp", { altKey: true }), true)).toBeNull();
  });
});

it("takes the empty lines around a question away, and no indentation", () => {
  expect(trimmed("\n  \n    code\nmore \n\n")).toBe("    code\nmore");
  expect(trimmed(" \n ")).toBe("");
  expect(trimmed("   ")).toBe("");
});
