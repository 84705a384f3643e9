/** Which words of a text were searched for, as the server understands a search. */

export interface Marked {
  readonly text: string;
  readonly hit: boolean;
}

const TERM = /"([^"]*)"|(\S+)/g;
/** Scripts that part no words by blanks: there a term may stand anywhere. */
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A word this long also finds longer ones. */
const PREFIX = 3;

/** The words of a search, and its "phrases", each once. */
export function terms(search: string): string[] {
  const found = [...search.matchAll(TERM)].map(([, quoted, word]) => (quoted ?? word ?? "").trim());
  return [...new Set(found.filter((term) => /[\p{L}\p{N}]/u.test(term)))];
}

/** The text in pieces, those that were searched for marked. Joined they are the text. */
export function marked(text: string, search: string): Marked[] {
  // The longest first: of two terms that begin at a place, the longer one is marked.
  const patterns = terms(search)
    .sort((one, other) => other.length - one.length)
    .map(pattern);
  if (patterns.length === 0) return [{ text, hit: false }];
  const pieces: Marked[] = [];
  let end = 0;
  for (const found of text.matchAll(new RegExp(patterns.join("|"), "giu"))) {
    if (found.index > end) pieces.push({ text: text.slice(end, found.index), hit: false });
    pieces.push({ text: found[0], hit: true });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), hit: false });
  return pieces;
}

function pattern(term: string): string {
  const escaped = term
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    // A phrase may be broken over lines.
    .replace(/\s+/g, "\\s+");
  if (WITHOUT_BLANKS.test(term)) return escaped;
  const begins = /^[\p{L}\p{N}]/u.test(term) ? "(?<![\\p{L}\\p{N}])" : "";
  const ends = term.length < PREFIX && /[\p{L}\p{N}]$/u.test(term) ? "(?![\\p{L}\\p{N}])" : "";
  return `${begins}${escaped}${ends}`;
}
