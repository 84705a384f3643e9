/**
 * Bare addresses in Chinese and Japanese text, `见https://example.com/路径。更多`. GFM lets an address run on to the
 * next space, and these scripts put none: here one ends at their punctuation. All other addresses are left to GFM.
 */

import {
  type Code,
  type Construct,
  type Context,
  type Effects,
  type Events,
  type Extension,
  isLineEnd,
  isSpace,
  type State,
} from "./micromark";

const LONGEST = 2_000;
const LONGEST_TRAIL = 20;
/** Marks that end a sentence, and not an address, when nothing of it follows. */
const TRAIL = new Set("!\"'),.:;?_~*".split("").map((it) => it.charCodeAt(0)));
const EAST_ASIAN_MARK =
  /[\u3000-\u3011\u3014-\u301f\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u2018\u2019\u201c\u201d]/;

function isMark(code: Code): boolean {
  return code !== null && code > 0x2000 && EAST_ASIAN_MARK.test(String.fromCharCode(code));
}

function endsAddress(code: Code): boolean {
  return code === null || isLineEnd(code) || isSpace(code) || code === 60;
}

/** As in GFM, there is no bare address in the text of a link. */
function withinLink(events: Events): boolean {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const token = events[index]?.[1];
    if ((token?.type === "labelLink" || token?.type === "labelImage") && !token._balanced) return true;
    // GFM's own mark on what it has walked over.
    if (token?._gfmAutolinkLiteralWalkedInto) return false;
  }
  return false;
}

const trail: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let length = 0;
    return function inside(code): State | undefined {
      if (isMark(code)) return ok(code);
      if (code === null || !TRAIL.has(code) || length > LONGEST_TRAIL) return nok(code);
      if (length === 0) effects.enter("trail");
      length += 1;
      effects.consume(code);
      return (next) => {
        if (next !== null && TRAIL.has(next)) return inside(next);
        effects.exit("trail");
        return isMark(next) ? ok(next) : nok(next);
      };
    };
  },
};

function address(this: Context, effects: Effects, ok: State, nok: State): State {
  const context = this;
  let text = "";
  return start;

  function start(code: Code) {
    if (withinLink(context.events)) return nok(code);
    effects.enter("literalAutolink");
    effects.enter("literalAutolinkHttp");
    return scheme(code);
  }
  function scheme(code: Code): State | undefined {
    if (code === null || code < 0) return nok(code);
    text += String.fromCharCode(code).toLowerCase();
    if (!"https://".startsWith(text) && !"http://".startsWith(text)) return nok(code);
    effects.consume(code);
    return text.endsWith("//") ? host : scheme;
  }
  function host(code: Code): State | undefined {
    return code === null || !/[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? nok(code) : body(code);
  }
  function body(code: Code): State | undefined {
    if (isMark(code)) return end(code);
    if (endsAddress(code) || text.length > LONGEST) return nok(code);
    if (code !== null && TRAIL.has(code)) return effects.check(trail, end, more)(code);
    return more(code);
  }
  function more(code: Code): State | undefined {
    effects.consume(code);
    text += "x";
    return body;
  }
  function end(code: Code): State | undefined {
    effects.exit("literalAutolinkHttp");
    effects.exit("literalAutolink");
    return ok(code);
  }
}

const bareAddress: Construct = {
  name: "bareAddress",
  tokenize: address,
  previous: (code) => code === null || !/[a-z]/i.test(String.fromCharCode(code)),
};

export const addressSyntax: Extension = { text: { 72: bareAddress, 104: bareAddress } };
