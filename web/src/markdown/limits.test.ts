import { expect, it } from "vitest";
import { hasLongLine, tooHard } from "./limits";

it.each([
  ["a long block", "word ".repeat(10_001)],
  ["a long line", "x".repeat(20_001)],
  ["a text of marks", "a`b".repeat(4_001)],
  ["a text of brackets", "[a".repeat(4_001)],
  ["a paragraph of emphasis", "*a".repeat(1_001)],
  ["a quoted paragraph of emphasis", "> *a*b\n".repeat(501)],
  ["deep quotes", ">".repeat(30)],
  ["deep lists", `text\n${"- ".repeat(30)}`],
  ["deep numbering", "1. > ".repeat(12)],
  ["lists in lists", `- a\n${" ".repeat(42)}- b`],
  ["many items", "- - - a\n".repeat(700)],
])("%s is too hard", (_, text) => {
  expect(tooHard(text)).toBe(true);
});

it.each([
  ["prose", "The **quick** fox\n".repeat(400)],
  ["a list", "- item `a` and more of it\n".repeat(700)],
  ["a list with emphasis", "- **item** and more of it\n".repeat(700)],
  ["a rule", "-".repeat(100)],
  ["some depth", "> > - 1. a"],
  ["a table", "| a | b | c |\n".repeat(700)],
])("%s is not", (_, text) => {
  expect(tooHard(text)).toBe(false);
});

it("a line is long by its own length", () => {
  expect(hasLongLine("a\n".repeat(20_000))).toBe(false);
  expect(hasLongLine(`a\n${"b".repeat(20_001)}\nc`)).toBe(true);
});
