import { describe, expect, it } from "vitest";
import { linkTarget, shownAddress, unexpectedHost } from "./links";

describe("linkTarget", () => {
  it.each([
    ["https://a.example/b?c#d", "https://a.example/b?c#d"],
    ["HTTP://A.example", "http://a.example/"],
    ["mailto:a@b.example", "mailto:a@b.example"],
    ["https:\\\\a.example", "https://a.example/"],
  ])("%s is a link", (address, target) => {
    expect(linkTarget(address)?.href).toBe(target);
  });

  it.each([
    ...[
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "\u0001javascript:alert(1)",
    ],
    ...[
      "data:text/html,<script>alert(1)</script>",
      "vbscript:x",
      "file:///etc/passwd",
      "blob:https://a.example/x",
    ],
    ...[
      "//a.example/x",
      "/x",
      "x.md",
      "#x",
      "",
      "?x",
      "ftp://a.example",
      "about:blank",
      "https://",
      "http://[::1",
      "chrome://x",
    ],
    `https://a.example/${"a".repeat(5_000)}`,
  ])("%j is none", (address) => {
    expect(linkTarget(address)).toBeNull();
  });
});

describe("unexpectedHost", () => {
  const host = (text: string, address: string) => unexpectedHost(text, linkTarget(address) as URL);

  it.each([
    ["documentation", "https://docs.example.com/a"],
    ["https://docs.example.com/a", "https://docs.example.com/a"],
    ["docs.example.com", "https://docs.example.com/other"],
    ["example.com", "https://docs.example.com/"],
    ["www.example.com", "https://example.com"],
    ["Version 1.2.3, e.g. this", "https://example.com"],
    ["a@b.example", "mailto:a@b.example"],
    ["write to us", "mailto:a@b.example"],
  ])("%s → %s needs no word", (text, address) => {
    expect(host(text, address)).toBeNull();
  });

  it.each([
    ["https://bank.example", "https://evil.example/", "evil.example"],
    ["bank.example", "https://bank.example.evil.example", "bank.example.evil.example"],
    ["https://bank.example@evil.example/", "https://bank.example@evil.example/", "evil.example"],
    ["example.com", "https://notexample.com", "notexample.com"],
    ["docs.example.com", "https://example.com", "example.com"],
    ["ｂａｎｋ．ｅｘａｍｐｌｅ", "https://evil.example", "evil.example"],
    ["b\u200bank.exa\u202emple", "https://evil.example", "evil.example"],
    ["bаnk.example", "https://bаnk.example", "xn--bnk-6cd.example"],
    ["click", "https://bаnk.example", "xn--bnk-6cd.example"],
    ["word ".repeat(100), "https://evil.example", "evil.example"],
    ["a@b.example", "mailto:x@evil.example", "x@evil.example"],
    ["bank.example", "mailto:x@evil.example", "x@evil.example"],
    ["a@b.example", "mailto:%E0%A4%A", "%E0%A4%A"],
  ])("%s → %s shows %s", (text, address, shown) => {
    expect(host(text, address)).toBe(shown);
  });

  it("is quick for texts made to be slow", () => {
    const start = performance.now();
    for (const text of ["a".repeat(300), "a.".repeat(150), "a-".repeat(150), "@".repeat(300)]) {
      host(text, "https://a.example");
      host(text, "mailto:a@a.example");
    }
    expect(performance.now() - start).toBeLessThan(200);
  });
});

it("an address is shown with what steers it, and cut", () => {
  expect(shownAddress("data:\u202etxt")).toBe("data:⟦U+202E⟧txt");
  expect(shownAddress("x".repeat(1_000))).toHaveLength(201);
});
