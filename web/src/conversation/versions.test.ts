import { expect, it } from "vitest";
import { Outline } from "../session/outline";
import { page } from "../session/outlineTesting";
import { versionsOf } from "./versions";

it("names the versions beside a turn, in the order of creation", () => {
  const outline = new Outline();
  outline.take(
    page([
      ["a", null],
      ["b", "a"],
      ["c", "a"],
      ["d", "a"],
    ]),
  );
  expect(versionsOf(outline, "c")).toEqual({ number: 2, count: 3, previous: "b", next: "d" });
  expect(versionsOf(outline, "b")).toMatchObject({ number: 1, previous: null });
  expect(versionsOf(outline, "a")).toBeNull();
  expect(versionsOf(outline, "?")).toBeNull();
});
