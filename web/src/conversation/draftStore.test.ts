// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readDraft } from "../session/drafts";
import { closeDraft, editName, emptyDraft, openDraft, useDraft, writeDraft } from "./draftStore";

const text = () => useDraft.getState().text;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  closeDraft();
  vi.useRealTimers();
});

describe("the draft of the open session", () => {
  it("is kept a moment after one writes, and at once when the field is left", () => {
    openDraft("s");
    writeDraft("why");
    expect(readDraft("s")).toBe("");
    vi.advanceTimersByTime(500);
    expect(readDraft("s")).toBe("why");
    writeDraft("why not");
    closeDraft();
    expect(readDraft("s")).toBe("why not");
    expect(text()).toBe("");
  });

  it("comes back after another question was edited, and so does what was written there", () => {
    openDraft("s");
    writeDraft("my next question");
    openDraft(editName("s", "n"), "the old one");
    expect(text()).toBe("the old one");
    writeDraft("the old one, but better");
    openDraft("s");
    expect(text()).toBe("my next question");
    openDraft(editName("s", "n"), "the old one");
    expect(text()).toBe("the old one, but better");
  });

  it("is kept while a question is edited, and not if that was left as it was", () => {
    openDraft(editName("s", "n"), "the old one");
    expect(readDraft(editName("s", "n"))).toBe("the old one");
    openDraft("s");
    expect(readDraft(editName("s", "n"))).toBe("");
  });

  it("is gone when it was sent", () => {
    openDraft("s");
    writeDraft("sent");
    emptyDraft();
    openDraft("s");
    expect(text()).toBe("");
  });
});
