/**
 * Subscriptions that outlive their connection: after a loss each is asked for again from where it stood, so nothing is
 * told twice and nothing is missed. One socket carries all of them.
 */

import { stringifyDocument, type TypedDocumentNode } from "@urql/core";
import { type Client, CloseCode, createClient } from "graphql-ws";
import { useConnection } from "./connection";

const PING_EVERY = 10_000;
const PONG_WITHIN = 5_000;
const LONGEST_WAIT = 5_000;
/** Asking again gives the same. Anything else may pass: a database that is away, a socket that carries too much. */
const FINAL: ReadonlySet<unknown> = new Set(["NOT_FOUND", "INVALID_INPUT"]);

/** Milliseconds before the nth try, so that a server that starts again is not met by all clients at once. */
export function waitBefore(attempt: number, random = Math.random()): number {
  return Math.min(LONGEST_WAIT, 250 * 2 ** attempt) * (0.5 + random / 2);
}

let socketClient: Client | undefined;
let lastHeard = Date.now();
const waiting = new Set<() => void>();

function sockets(): Client {
  socketClient ??= connect();
  return socketClient;
}

function connect(): Client {
  let socket: WebSocket | undefined;
  let overdue: ReturnType<typeof setTimeout> | undefined;
  const { setLive, refused } = useConnection.getState();
  const url = new URL("/graphql", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return createClient({
    url: url.href,
    lazy: true,
    lazyCloseTimeout: 3_000,
    keepAlive: PING_EVERY,
    // Subscriptions are asked for again below, with variables that say how far they came.
    retryAttempts: 0,
    connectionParams: () => {
      const { token } = useConnection.getState();
      return token ? { token } : {};
    },
    on: {
      connected: (opened) => {
        socket = opened as WebSocket;
        lastHeard = Date.now();
        setLive("live");
      },
      closed: (event) => {
        clearTimeout(overdue);
        setLive("connecting");
        if ((event as CloseEvent).code === CloseCode.Forbidden) refused();
      },
      ping: (received) => {
        if (received) return;
        overdue = setTimeout(
          () => socket?.close(CloseCode.ConnectionAcknowledgementTimeout, "no pong"),
          PONG_WITHIN,
        );
      },
      pong: (received) => {
        if (!received) return;
        lastHeard = Date.now();
        clearTimeout(overdue);
      },
    },
  });
}

/** Try again now: the network is back, the laptop woke, or there is a token. */
export function reconnectNow(): void {
  for (const wake of waiting) wake();
}

if (typeof window !== "undefined") {
  window.addEventListener("online", reconnectNow);
  window.addEventListener("offline", () => socketClient?.terminate());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    // After a sleep the old socket may look open for minutes.
    if (Date.now() - lastHeard > PING_EVERY + PONG_WITHIN) socketClient?.terminate();
    reconnectNow();
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    waiting.add(wake);
    signal.addEventListener("abort", wake);
  });
}

export interface Followed<D, V> {
  document: TypedDocumentNode<D, V>;
  /** Asked before each try: how far it has come. */
  variables: () => V;
  next: (data: D) => void;
  /** The server has ended it. */
  ended?: () => void;
  /** The server will never have it (an id that is unknown); it is not tried again. */
  failed?: (message: string) => void;
}

/** Refused: not now. */
type Outcome = "ended" | "failed" | "refused" | "lost";

interface Told {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Follow a subscription until the returned function is called or the server ends it. */
export function follow<D, V extends object>(what: Followed<D, V>): () => void {
  const stop = new AbortController();
  void run(what, stop.signal);
  return () => stop.abort();
}

async function run<D, V extends object>(what: Followed<D, V>, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const outcome = await followOnce(what, signal, () => {
      attempt = 0;
    });
    if (signal.aborted || outcome === "failed") return;
    if (outcome === "ended") {
      what.ended?.();
      return;
    }
    // The socket of what was refused is there, and tells of itself.
    if (outcome === "lost") useConnection.getState().setLive("connecting");
    if (useConnection.getState().refusedToken) await untilToken(signal);
    else await pause(waitBefore(attempt), signal);
  }
}

/** heard: is called with each piece of data. */
function followOnce<D, V extends object>(
  what: Followed<D, V>,
  signal: AbortSignal,
  heard: () => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let dispose = () => {};
    const settle = (outcome: Outcome) => {
      signal.removeEventListener("abort", stop);
      resolve(outcome);
    };
    const stop = () => {
      dispose();
      settle("ended");
    };
    const refuse = (error: Told | undefined) => {
      const isFinal = FINAL.has(error?.extensions?.code);
      if (isFinal) what.failed?.(String(error?.message));
      settle(isFinal ? "failed" : "refused");
    };
    signal.addEventListener("abort", stop);
    dispose = sockets().subscribe<D>(
      {
        query: stringifyDocument(what.document),
        variables: what.variables() as Record<string, unknown>,
      },
      {
        next: ({ data, errors }) => {
          if (errors?.[0]) {
            refuse(errors[0]);
            dispose();
          } else if (data && !signal.aborted) {
            heard();
            what.next(data);
          }
        },
        error: (error) => (Array.isArray(error) ? refuse(error[0]) : settle("lost")),
        complete: () => settle("ended"),
      },
    );
  });
}

/** Until a person has given another token. */
function untilToken(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = useConnection.subscribe(({ refusedToken }) => refusedToken || done());
    signal.addEventListener("abort", done);
  });
}
