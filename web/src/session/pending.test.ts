import { expect, it } from "vitest";
import { pendingPlace } from "./pending";

const outline = { has: (id: string) => id !== "gone" };
const asked = (...path: string[]) => ({ text: "why?", path, requestId: "r", problem: null });

it("stands where it would have been asked, and anywhere when that place is gone", () => {
  expect(pendingPlace({ pending: null, currentId: "a" }, outline)).toBeNull();
  expect(pendingPlace({ pending: asked("a", "b"), currentId: "b" }, outline)).toEqual({ is: "here" });
  expect(pendingPlace({ pending: asked("a", "b"), currentId: "a" }, outline)).toEqual({
    is: "there",
    at: "b",
  });
  expect(pendingPlace({ pending: asked(), currentId: null }, outline)).toEqual({ is: "here" });
  expect(pendingPlace({ pending: asked(), currentId: "a" }, outline)).toEqual({ is: "there", at: null });
  expect(pendingPlace({ pending: asked("gone"), currentId: "a" }, outline)).toEqual({ is: "here" });
});
