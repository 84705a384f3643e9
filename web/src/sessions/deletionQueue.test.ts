import { beforeEach, describe, expect, it, vi } from "vitest";
import { DeletionQueue } from "./deletionQueue";

describe("deletions that wait", () => {
  let ran: string[];
  let queue: DeletionQueue;
  beforeEach(() => {
    vi.useFakeTimers();
    ran = [];
    queue = new DeletionQueue(8000, (id) => ran.push(id));
  });

  it("are done when their time has come, each in its own", () => {
    queue.add("a");
    vi.advanceTimersByTime(5000);
    queue.add("b");
    vi.advanceTimersByTime(3000);
    expect(ran).toEqual(["a"]);
    vi.advanceTimersByTime(5000);
    expect(ran).toEqual(["a", "b"]);
  });

  it("are not done once they are undone, and others are", () => {
    queue.add("a");
    queue.add("b");
    expect(queue.undo("a")).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(ran).toEqual(["b"]);
  });

  it("cannot be undone when they are done", () => {
    queue.add("a");
    vi.advanceTimersByTime(8000);
    expect(queue.undo("a")).toBe(false);
  });

  it("are added once, with the time of the first", () => {
    queue.add("a");
    vi.advanceTimersByTime(7000);
    queue.add("a");
    vi.advanceTimersByTime(60_000);
    expect(ran).toEqual(["a"]);
  });

  it("can be added again after they were undone, and wait anew", () => {
    queue.add("a");
    queue.undo("a");
    vi.advanceTimersByTime(7999);
    queue.add("a");
    vi.advanceTimersByTime(7999);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual(["a"]);
  });

  it("are taken away by whoever does them at once", () => {
    queue.add("a");
    queue.add("b");
    expect(queue.last).toBe("b");
    expect(queue.takeAll()).toEqual(["a", "b"]);
    vi.advanceTimersByTime(60_000);
    expect(ran).toEqual([]);
    expect(queue.last).toBeUndefined();
  });
});
