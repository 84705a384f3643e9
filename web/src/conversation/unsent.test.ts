// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PendingQuestion } from "../session/state";
import { keepUnsent } from "./unsent";

const askAgain = vi.hoisted(() => vi.fn());
vi.mock("../session/actions", () => ({ askAgain }));
vi.mock("../api/follow", () => ({ follow: () => () => {} }));

const { SessionStore } = await import("../session/store");
const question = (problem: string | null): PendingQuestion => ({
  text: "q",
  path: ["a"],
  requestId: "r",
  problem,
});

beforeEach(() => {
  sessionStorage.clear();
  askAgain.mockReset();
});

describe("a question that has not been asked", () => {
  it("is there again after a reload, with its problem", () => {
    const before = new SessionStore("s");
    keepUnsent(before);
    before.set({ pending: question("The server cannot be reached.") });
    const after = new SessionStore("s");
    keepUnsent(after);
    expect(after.get().pending).toEqual(question("The server cannot be reached."));
    expect(askAgain).not.toHaveBeenCalled();
  });

  it("is asked again, under the same id, if it was on its way", () => {
    const before = new SessionStore("s");
    keepUnsent(before);
    before.set({ pending: question(null) });
    const after = new SessionStore("s");
    keepUnsent(after);
    expect(askAgain).toHaveBeenCalledExactlyOnceWith(after);
    expect(after.get().pending?.requestId).toBe("r");
  });

  it("is forgotten once it was asked or taken back", () => {
    const store = new SessionStore("s");
    keepUnsent(store);
    store.set({ pending: question(null) });
    store.set({ pending: null });
    const after = new SessionStore("s");
    keepUnsent(after);
    expect(after.get().pending).toBeNull();
  });
});
