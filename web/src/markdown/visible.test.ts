import { expect, it } from "vitest";
import { visibleControls, visibleOverrides } from "./visible";

const CONTROLS = [
  0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
];

it("every control of direction is written out in code and names", () => {
  for (const code of CONTROLS) {
    const hex = code.toString(16).toUpperCase().padStart(4, "0");
    expect(visibleControls(`a${String.fromCharCode(code)}b`)).toBe(`a⟦U+${hex}⟧b`);
  }
  expect(visibleControls("plain متن 文字\u200b\n\t")).toBe("plain متن 文字\u200b\n\t");
});

it("in prose only the overrides are", () => {
  for (const code of CONTROLS) {
    const shown = visibleOverrides(String.fromCharCode(code));
    if (code === 0x202d || code === 0x202e) expect(shown).toMatch(/^⟦U\+202[DE]⟧$/);
    else expect(shown).toBe(String.fromCharCode(code));
  }
});
