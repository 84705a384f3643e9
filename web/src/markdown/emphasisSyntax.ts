/**
 * `**` beside Chinese, Japanese and Korean text. CommonMark takes `**重点：**后面` for no emphasis, because a closing
 * mark after punctuation needs a space or punctuation behind it, and these scripts put no spaces. Here a character of
 * theirs beside the mark does as well as a space.
 */

import type { Code, Context, Effects, Extension, State } from "./micromark";

const ASTERISK = 42;

function kind(code: Code): "space" | "punctuation" | "letter" {
  if (code === null || code < 0) return "space";
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return "space";
  return /[\p{P}\p{S}]/u.test(character) ? "punctuation" : "letter";
}

function isEastAsian(code: Code): boolean {
  return (
    code !== null &&
    ((code >= 0x2e80 && code <= 0x9fff) ||
      (code >= 0xac00 && code <= 0xd7af) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xff00 && code <= 0xffef))
  );
}

function asterisks(this: Context, effects: Effects, ok: State): State {
  const previous = this.previous;
  const markers = this.parser.constructs.attentionMarkers.null ?? [];
  const before = kind(previous);
  return start;

  function start(code: Code) {
    effects.enter("attentionSequence");
    return inside(code);
  }
  function inside(code: Code): State | undefined {
    if (code === ASTERISK) {
      effects.consume(code);
      return inside;
    }
    const token = effects.exit("attentionSequence");
    const after = kind(code);
    token._open =
      after === "letter" ||
      (after === "punctuation" && (before !== "letter" || isEastAsian(previous))) ||
      markers.includes(code);
    token._close =
      before === "letter" ||
      (before === "punctuation" && (after !== "letter" || isEastAsian(code))) ||
      markers.includes(previous);
    return ok(code);
  }
}

export const emphasisSyntax: Extension = {
  text: {
    [ASTERISK]: {
      name: "asterisks",
      tokenize: asterisks,
      resolveAll(events, context) {
        const own = context.parser.constructs.insideSpan.null?.find((it) => it.name === "attention");
        return own?.resolveAll?.(events, context) ?? events;
      },
    },
  },
};
