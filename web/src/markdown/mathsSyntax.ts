/**
 * Maths as models write it: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, and blocks between `$$` or `\[ \]` on lines of their own.
 *
 * remark-math's own syntax takes `$5 and $6` for a formula, or no single dollars at all; and `$$` with text after it,
 * at the start of a line, for a block that may swallow the rest. Its tokens are kept, so that what it makes of them
 * (`inlineMath` and `math` nodes) stays the same.
 */

import {
  type Code,
  type Construct,
  type Context,
  type Effects,
  type Extension,
  isLineEnd,
  isSpace,
  type State,
} from "./micromark";

const DOLLAR = 36;
const BACKSLASH = 92;
/** Longer ones are no formulas; also bounds what is read again for every opening. */
const LONGEST_SINGLE = 1_000;
const LONGEST = 5_000;

const isDigit = (code: Code) => code !== null && code >= 48 && code <= 57;
const isLetter = (code: Code) => code !== null && ((code >= 65 && code <= 90) || (code >= 97 && code <= 122));

/** Whether what stands between single dollars is a formula, and not prose between two prices or variables. */
export function isFormula(text: string, next: Code = null): boolean {
  if (/^\s|\s$/.test(text) || text === "" || isDigit(next)) return false;
  if (isLetter(next) && !/^[\w\\{}^+-]{1,30}$/.test(text)) return false;
  return (
    text.includes("\\") ||
    !/[A-Za-z]{2,}\s+[A-Za-z]{2,}|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af，。；：！？]/.test(text)
  );
}

function dollars(this: Context, effects: Effects, ok: State, nok: State): State {
  const before = this.previous;
  let size = 0;
  let closing = 0;
  let text = "";
  return start;

  function start(code: Code) {
    effects.enter("mathText");
    effects.enter("mathTextSequence");
    return opening(code);
  }
  function opening(code: Code): State | undefined {
    if (code === DOLLAR) {
      effects.consume(code);
      size += 1;
      return opening;
    }
    if (size > 2 || (size === 1 && (isDigit(before) || isLetter(before)))) return nok(code);
    effects.exit("mathTextSequence");
    return between(code);
  }
  function between(code: Code): State | undefined {
    if (code === null || text.length > (size === 1 ? LONGEST_SINGLE : LONGEST)) return nok(code);
    if (isLineEnd(code)) {
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      text += "\n";
      return between;
    }
    if (code === DOLLAR) {
      closing = 0;
      effects.enter("mathTextSequence");
      return close(code);
    }
    effects.enter("mathTextData");
    return data(code);
  }
  function data(code: Code): State | undefined {
    if (code === null || code === DOLLAR || isLineEnd(code)) {
      effects.exit("mathTextData");
      return between(code);
    }
    effects.consume(code);
    text += code < 0 ? " " : String.fromCharCode(code);
    return code === BACKSLASH ? escaped : data;
  }
  function escaped(code: Code): State | undefined {
    if (code !== DOLLAR && code !== BACKSLASH) return data(code);
    effects.consume(code);
    text += String.fromCharCode(code);
    return data;
  }
  function close(code: Code): State | undefined {
    if (code === DOLLAR) {
      effects.consume(code);
      closing += 1;
      return close;
    }
    const token = effects.exit("mathTextSequence");
    if (closing === size && (size === 2 ? text.trim() !== "" : isFormula(text, code))) {
      effects.exit("mathText");
      return ok(code);
    }
    if (size === 1 || closing > 1) return nok(code);
    // A formula within the text of a displayed one.
    token.type = "mathTextData";
    text += "$";
    return between(code);
  }
}

const dollarText: Construct = {
  name: "formulaInDollars",
  tokenize: dollars,
  previous(code) {
    return code !== DOLLAR || this.events.at(-1)?.[1].type === "characterEscape";
  },
};

function brackets(this: Context, effects: Effects, ok: State, nok: State): State {
  let end: Code = null;
  let length = 0;
  return start;

  function start(code: Code) {
    effects.enter("mathText");
    effects.enter("mathTextSequence");
    effects.consume(code);
    return opening;
  }
  function opening(code: Code) {
    if (code !== 40 && code !== 91) return nok(code);
    end = code === 40 ? 41 : 93;
    effects.consume(code);
    effects.exit("mathTextSequence");
    return between;
  }
  function between(code: Code): State | undefined {
    if (code === null || length > LONGEST) return nok(code);
    length += 1;
    if (isLineEnd(code)) {
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      return between;
    }
    const token = effects.enter("mathTextData");
    if (code === BACKSLASH) {
      effects.consume(code);
      return function afterBackslash(next: Code) {
        // LaTeX has none within another; and a text of openings only is read once.
        if (next === 40 || next === 91) return nok(next);
        if (next === end) {
          token.type = "mathTextSequence";
          effects.consume(next);
          effects.exit("mathTextSequence");
          effects.exit("mathText");
          return ok;
        }
        if (next === null || isLineEnd(next)) return data(next);
        effects.consume(next);
        return data;
      };
    }
    return data(code);
  }
  function data(code: Code): State | undefined {
    if (code === null || code === BACKSLASH || isLineEnd(code) || length > LONGEST) {
      effects.exit("mathTextData");
      return between(code);
    }
    length += 1;
    effects.consume(code);
    return data;
  }
}

const bracketText: Construct = { name: "formulaInBrackets", tokenize: brackets };

/** A line end, if what follows still belongs to the container of the block. */
const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return (code) => {
      if (!isLineEnd(code)) return nok(code);
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next));
    };
  },
};

/** A line of nothing but the two characters that open or close a block. */
function fence(first: number, second: number): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      return (code) => {
        effects.enter("mathFlowFence");
        return before(code);
      };
      function before(code: Code): State | undefined {
        if (isSpace(code)) {
          effects.consume(code);
          return before;
        }
        if (code !== first) return nok(code);
        effects.consume(code);
        return (next) => {
          if (next !== second) return nok(next);
          effects.consume(next);
          return after;
        };
      }
      function after(code: Code): State | undefined {
        if (isSpace(code)) {
          effects.consume(code);
          return after;
        }
        if (code !== null && !isLineEnd(code)) return nok(code);
        effects.exit("mathFlowFence");
        return ok(code);
      }
    },
  };
}

function block(begin: Construct, end: Construct): Construct {
  return {
    name: "formulaBlock",
    concrete: true,
    tokenize(effects, ok, nok) {
      const context = this;
      return (code) => {
        effects.enter("mathFlow");
        return effects.attempt(begin, opened, nok)(code);
      };
      function opened(code: Code): State | undefined {
        return context.interrupt ? done(code) : lineEnd(code);
      }
      function lineEnd(code: Code): State | undefined {
        return effects.attempt(nextLine, effects.attempt(end, done, line), done)(code);
      }
      function line(code: Code): State | undefined {
        if (code === null || isLineEnd(code)) return lineEnd(code);
        effects.enter("mathFlowValue");
        return value(code);
      }
      function value(code: Code): State | undefined {
        if (code === null || isLineEnd(code)) {
          effects.exit("mathFlowValue");
          return lineEnd(code);
        }
        effects.consume(code);
        return value;
      }
      function done(code: Code): State | undefined {
        effects.exit("mathFlow");
        return ok(code);
      }
    },
  };
}

export const mathsSyntax: Extension = {
  disable: { null: ["mathText", "mathFlow"] },
  text: { [DOLLAR]: dollarText, [BACKSLASH]: bracketText },
  flow: {
    [DOLLAR]: block(fence(DOLLAR, DOLLAR), fence(DOLLAR, DOLLAR)),
    [BACKSLASH]: block(fence(BACKSLASH, 91), fence(BACKSLASH, 93)),
  },
};
