// @vitest-environment jsdom
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileNameOf, quoted, shorten, titleOf } from "./names";

describe("a title", () => {
  it("is the name, else how the conversation begins, else that it is new", () => {
    expect(titleOf("Lisbon", "Where to?")).toBe("Lisbon");
    expect(titleOf("  ", "Where to?")).toBe("Where to?");
    expect(titleOf(null, undefined)).toBe("New conversation");
  });

  it("is cut between letters, not inside of them", () => {
    expect(shorten("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2)).toBe("👩‍👩‍👧‍👦…");
    expect(shorten("abc", 3)).toBe("abc");
    expect(titleOf("x".repeat(10_000), undefined).length).toBe(300);
  });

  it("in a sentence does not turn the words around it", () => {
    expect(quoted("\u202eevil\n\ntext")).toBe("\u2068\u202eevil text\u2069");
  });
});

describe("a file's name", () => {
  it("keeps what a file system takes", () => {
    expect(fileNameOf("Trip to Lisbon")).toBe("Trip to Lisbon.jsonl");
    expect(fileNameOf("河流 🚀")).toBe("河流 🚀.jsonl");
  });

  it("has nothing that is a path, a device or hidden", () => {
    expect(fileNameOf("../../etc/passwd")).toBe("etc passwd.jsonl");
    expect(fileNameOf('a/b\\c:d*e?f"g<h>i|j')).toBe("a b c d e f g h i j.jsonl");
    expect(fileNameOf("CON")).toBe("_CON.jsonl");
    expect(fileNameOf("nul.txt")).toBe("_nul.txt.jsonl");
    expect(fileNameOf("invoice\u202efdp.exe")).toBe("invoicefdp.exe.jsonl");
    expect(fileNameOf("... ")).toBe("conversation.jsonl");
    expect(fileNameOf("")).toBe("conversation.jsonl");
  });

  it("is one that every file system takes, whatever the title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (title) => {
        const name = fileNameOf(title);
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in it
        expect(name).not.toMatch(/[\\/:*?"<>|\u0000-\u001f\u007f]|^\.|^\s|[. ]\.jsonl$/);
        expect(name.endsWith(".jsonl")).toBe(true);
      }),
    );
  });
});
