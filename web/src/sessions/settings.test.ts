import { describe, expect, it } from "vitest";
import type { SessionFieldsFragment } from "../graphql/generated/graphql";
import { badNumbers, boundsIn, changesOf, fieldNamed, settingsOf } from "./settings";

const session: SessionFieldsFragment = {
  id: "s",
  name: null,
  leafId: null,
  revision: 1,
  nodeCount: 0,
  entryCount: 0,
  systemPrompt: "Be brief.",
  model: "opus",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  config: {
    linearThreshold: 12,
    keepRawCount: 3,
    anchorBudgetTokens: 2000,
    reserveTokens: 16384,
    keepRecentTokens: 20000,
  },
};
const before = settingsOf(session, "opus");

describe("settings", () => {
  it("that were not changed are not sent", () => {
    expect(changesOf("s", before, { ...before })).toBeNull();
    expect(changesOf("s", before, { ...before, keepRawCount: " 3 " })).toBeNull();
  });

  it("that were changed are, and no others", () => {
    expect(changesOf("s", before, { ...before, name: "Lisbon", keepRawCount: "5" })).toEqual({
      id: "s",
      name: "Lisbon",
      config: { keepRawCount: 5 },
    });
  });

  it("that were emptied are cleared", () => {
    expect(changesOf("s", before, { ...before, systemPrompt: "  " })).toEqual({
      id: "s",
      systemPrompt: null,
    });
  });

  it("leave the choice of the model to the server where it is its own", () => {
    expect(before.model).toBe("");
    expect(settingsOf(session, "sonnet").model).toBe("opus");
    expect(changesOf("s", { ...before, model: "opus" }, { ...before, model: "" })).toEqual({
      id: "s",
      model: null,
    });
  });

  it("that are no whole numbers are found, and those too large for an Int still get the server's answer", () => {
    const after = { ...before, keepRawCount: "many", reserveTokens: "1.5", linearThreshold: "99999999999" };
    expect(badNumbers(after)).toEqual(["keepRawCount", "reserveTokens"]);
    expect(changesOf("s", before, { ...before, linearThreshold: "99999999999" })?.config).toEqual({
      linearThreshold: 2147483647,
    });
  });
});

describe("a refusal", () => {
  it("is shown at its field", () => {
    expect(fieldNamed("config.linearThreshold")).toBe("linearThreshold");
    expect(fieldNamed("systemPrompt")).toBe("systemPrompt");
    expect(fieldNamed("id")).toBeNull();
    expect(fieldNamed(undefined)).toBeNull();
  });

  it("tells the bounds", () => {
    expect(boundsIn("linear_threshold is 0; it must be from 1 to 10,000.")).toEqual(["1", "10,000"]);
    expect(boundsIn("name has 501 characters; the limit here is 500.")).toBeNull();
  });
});
