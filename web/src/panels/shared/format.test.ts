import { describe, expect, it, vi } from "vitest";
import { dollars, percent } from "./format";

vi.mock("../../i18n/preferences", () => ({ currentLanguage: () => "en" }));

describe("percent", () => {
  it("tells whole ones, and more of what is small", () => {
    expect(percent(0.834)).toBe("83%");
    expect(percent(0.0152)).toBe("1.5%");
    expect(percent(0.00071)).toBe("0.071%");
    expect(percent(0)).toBe("0%");
    expect(percent(1)).toBe("100%");
  });
});

describe("dollars", () => {
  it("does not tell what is small as nothing", () => {
    expect(dollars(0)).toBe("$0.00");
    expect(dollars(12.3456)).toBe("$12.35");
    expect(dollars(0.04567)).toBe("$0.046");
    expect(dollars(0.000123)).toBe("$0.00012");
    expect(dollars(0.0000001)).toBe("$0.00");
  });
});
