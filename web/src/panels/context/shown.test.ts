import { describe, expect, it, vi } from "vitest";
import { questionAt } from "./shown";

vi.mock("../../api/request", () => ({ request: vi.fn() }));

const place = { running: false, lastQuestion: "last", draft: "", pending: null };

describe("questionAt", () => {
  it("is what is being written", () => {
    expect(questionAt({ ...place, draft: "next" })).toBe("next");
    expect(questionAt({ ...place, draft: "  \n" })).toBeNull();
  });

  it("is the one that is being answered while an answer is written", () => {
    expect(questionAt({ ...place, running: true, draft: "next" })).toBe("last");
  });

  it("is the one on its way", () => {
    expect(questionAt({ ...place, pending: "sent", draft: "next" })).toBe("sent");
  });
});
