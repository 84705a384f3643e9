import { describe, expect, it } from "vitest";
import { commandOf, moved } from "./keys";
import { Layout, NOWHERE } from "./layout";
import { outlineOf } from "./treeTesting";

const NO_MODIFIER = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

describe("keys", () => {
  it("mean a command, in either case; with a modifier they are the browser's", () => {
    expect(commandOf({ ...NO_MODIFIER, key: "F" })).toBe("fork");
    expect(commandOf({ ...NO_MODIFIER, key: " " })).toBe("fold");
    expect(commandOf({ ...NO_MODIFIER, shiftKey: true, key: "F10" })).toBe("menu");
    expect(commandOf({ ...NO_MODIFIER, key: "F10" })).toBeNull();
    expect(commandOf({ ...NO_MODIFIER, ctrlKey: true, key: "f" })).toBeNull();
    expect(commandOf({ ...NO_MODIFIER, key: "constructor" })).toBeNull();
  });

  it("move through the tree", () => {
    const outline = outlineOf([
      ["a", null],
      ["b", "a"],
      ["x", "a"],
      ["c", "b"],
      ["y", "x"],
      ["z", "x"],
      ["r", null],
    ]);
    const layout = new Layout(outline);
    layout.grow();
    const onPath = Uint8Array.from(layout.ids, (id) => Number(["a", "x", "y"].includes(id)));
    const children = (index: number) =>
      outline
        .children(index === NOWHERE ? null : (layout.ids[index] as string))
        .map((id) => layout.indexOf(id));
    const go = (id: string, command: Parameters<typeof moved>[2]) =>
      layout.ids[moved({ layout, onPath, children }, layout.indexOf(id), command)];
    expect(go("y", "parent")).toBe("x");
    expect(go("a", "parent")).toBe("a");
    expect(go("a", "child")).toBe("b");
    expect(go("c", "child")).toBe("c");
    expect(go("b", "next")).toBe("x");
    expect(go("x", "next")).toBe("x");
    expect(go("x", "previous")).toBe("b");
    expect(go("b", "previous")).toBe("b");
    expect(go("a", "next")).toBe("r");
    expect(go("z", "root")).toBe("a");
    // Along the way to where one is, then to the newest.
    expect(go("a", "tip")).toBe("y");
    expect(go("b", "tip")).toBe("c");
    expect(go("a", "go")).toBe("a");
  });
});
