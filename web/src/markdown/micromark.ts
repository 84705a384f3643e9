/** As much of micromark's types as the syntax extensions here use; the package itself comes with react-markdown. */

/** A UTF-16 unit, a line end (−5 to −3), a tab (−2), a space that fills a tab (−1), or the end (null). */
export type Code = number | null;
export type State = (code: Code) => State | undefined;

export interface Token {
  type: string;
  _open?: boolean;
  _close?: boolean;
  _balanced?: boolean;
  _gfmAutolinkLiteralWalkedInto?: boolean;
}

export interface Effects {
  enter(type: string): Token;
  exit(type: string): Token;
  consume(code: Code): void;
  check(construct: Construct, ok: State, nok: State): State;
  attempt(construct: Construct, ok: State, nok: State): State;
}

export type Events = [kind: "enter" | "exit", token: Token, context: Context][];

export interface Context {
  previous: Code;
  events: Events;
  interrupt?: boolean;
  now(): { line: number };
  parser: {
    lazy: Record<number, boolean>;
    constructs: {
      insideSpan: { null?: readonly Pick<Construct, "name" | "resolveAll">[] };
      attentionMarkers: { null?: readonly Code[] };
    };
  };
}

export interface Construct {
  name?: string;
  partial?: boolean;
  concrete?: boolean;
  previous?(this: Context, code: Code): boolean;
  tokenize(this: Context, effects: Effects, ok: State, nok: State): State;
  resolveAll?(events: Events, context: Context): Events;
}

export interface Extension {
  flow?: Record<number, Construct>;
  text?: Record<number, Construct | Construct[]>;
  disable?: { null: string[] };
}

export function isLineEnd(code: Code): boolean {
  return code !== null && code < -2;
}

export function isSpace(code: Code): boolean {
  return code === 32 || code === -1 || code === -2;
}
