import { describe, expect, it } from "vitest";
import { commandOf } from "./keys";

const press = (key: string, rest = {}) => ({
  key,
  code: "",
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...rest,
});

describe("keys", () => {
  it("are letters where one writes", () => {
    expect(commandOf(press("?"), true)).toBeNull();
    expect(commandOf(press("?"), false)).toBe("help");
  });

  it("with Alt work everywhere, whatever letter the keyboard makes of it", () => {
    expect(commandOf(press("†", { code: "KeyT", altKey: true }), true)).toBe("tree");
  });

  it("with Ctrl are the browser's", () => {
    expect(commandOf(press("n", { code: "KeyN", ctrlKey: true }), false)).toBeNull();
    expect(commandOf(press("/", { ctrlKey: true }), false)).toBeNull();
  });
});
