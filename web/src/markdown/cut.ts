/** A long text in pieces that the browser lays out only when they come near. */

const PIECE_LINES = 200;
const PIECE_CHARACTERS = 10_000;

/** Where the text ends that has so many lines and characters at most: after a line, or else between two characters. */
export function cutAt(text: string, from: number, lines: number, characters: number): number {
  let end = from;
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf("\n", end);
    if ((next < 0 ? text.length : next + 1) - from > characters)
      return end > from ? end : between(text, from + characters);
    if (next < 0) return text.length;
    end = next + 1;
  }
  return end;
}

/** Not within a character of two units, nor before what joins the one before it. */
function between(text: string, at: number): number {
  let end = at;
  while (end < text.length && end < at + 64 && /[\udc00-\udfff]|\u200d|\p{M}/u.test(text.charAt(end)))
    end += 1;
  return end;
}

/** Joined, the pieces are the text. */
export function pieces(text: string): string[] {
  const all: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = cutAt(text, start, PIECE_LINES, PIECE_CHARACTERS);
    all.push(text.slice(start, end));
    start = end;
  }
  return all;
}

export function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return text.endsWith("\n") ? lines - 1 : lines;
}

/** The bytes of a text, as people write them: "1.0 MB". */
export function size(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
