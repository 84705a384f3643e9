import { expect, it } from "vitest";
import { keptIn } from "./kept";

it("keeps nothing, and raises nothing, where the browser does not let it", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  for (const kept of [
    keptIn(refuse),
    keptIn(() => ({ getItem: refuse, setItem: refuse, removeItem: refuse })),
  ]) {
    kept.setItem("a", "1");
    kept.removeItem("a");
    expect(kept.getItem("a")).toBeNull();
  }
});
