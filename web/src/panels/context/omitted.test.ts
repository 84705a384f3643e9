import { describe, expect, it } from "vitest";
import { groupOmitted } from "./omitted";

const out = (entryId: string, reason: string) => ({ entryId, reason });

describe("groupOmitted", () => {
  it("puts those of one reason together, by type and by tool", () => {
    const groups = groupOmitted([
      out("1", "entries of type label are never sent to a model"),
      out("2", "entries of type model_change are never sent to a model"),
      out("3", "entries of type label are never sent to a model"),
      out("4", "the call of tool read has no result on this path"),
    ]);
    expect(groups).toEqual([
      { kind: "neverSent", detail: "label", entryIds: ["1", "3"] },
      { kind: "neverSent", detail: "model_change", entryIds: ["2"] },
      { kind: "callAlone", detail: "read", entryIds: ["4"] },
    ]);
  });

  it("knows all reasons of the server", () => {
    const reasons = [
      "a summary whose text is not there yet",
      "an older summary of what came before it; the newest one covers it",
      "a tool result whose call is not on this path",
      "it has no content",
    ];
    expect(groupOmitted(reasons.map((it) => out(it, it))).map((it) => it.kind)).toEqual([
      "awaited",
      "older",
      "resultAlone",
      "empty",
    ]);
  });

  it("keeps the words of a reason that it does not know", () => {
    expect(groupOmitted([out("1", "the moon")])).toEqual([
      { kind: "other", detail: "the moon", entryIds: ["1"] },
    ]);
  });
});
