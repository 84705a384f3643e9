// @vitest-environment jsdom
import type { TypedDocumentNode } from "@urql/core";
import { parse } from "graphql";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useConnection } from "./connection";
import { follow } from "./follow";

interface Sink {
  next: (result: unknown) => void;
  error: (error: unknown) => void;
  complete: () => void;
}

const socket = vi.hoisted(() => ({ sinks: [] as Sink[], stopped: 0 }));

vi.mock("graphql-ws", () => ({
  CloseCode: {},
  createClient: () => ({
    subscribe: (_: unknown, sink: Sink) => {
      socket.sinks.push(sink);
      return () => {
        socket.stopped += 1;
      };
    },
  }),
}));

const document = parse("subscription { a }") as TypedDocumentNode<{ a: number }, Record<string, never>>;
const told: unknown[] = [];
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  socket.sinks.length = 0;
  told.length = 0;
  useConnection.setState({ live: "live", refusedToken: false });
  stop = follow({
    document,
    variables: () => ({}),
    next: ({ a }) => told.push(a),
    ended: () => told.push("ended"),
    failed: (message) => told.push(message),
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

it("asks again after a refusal that may pass, and does not take the socket for lost", async () => {
  socket.sinks[0]?.error([{ message: "Subscription limit reached" }]);
  await vi.advanceTimersByTimeAsync(1_000);
  socket.sinks[1]?.next({ errors: [{ message: "no", extensions: { code: "STORAGE_UNAVAILABLE" } }] });
  await vi.advanceTimersByTimeAsync(1_000);
  socket.sinks[2]?.next({ data: { a: 1 } });
  expect(told).toEqual([1]);
  expect(useConnection.getState().live).toBe("live");
});

it("gives up what the server does not know", async () => {
  socket.sinks[0]?.error([{ message: "gone", extensions: { code: "NOT_FOUND" } }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual(["gone"]);
  expect(socket.sinks).toHaveLength(1);
});

it("waits for another token where this one was refused", async () => {
  useConnection.getState().refused();
  socket.sinks[0]?.error(new CloseEvent("close"));
  useConnection.getState().askToken(false);
  await vi.advanceTimersByTimeAsync(60_000);
  useConnection.getState().refused();
  expect(useConnection.getState().asksToken).toBe(false);
  expect(socket.sinks).toHaveLength(1);
  useConnection.getState().setToken("another");
  await vi.advanceTimersByTimeAsync(0);
  expect(socket.sinks).toHaveLength(2);
});
