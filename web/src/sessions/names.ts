/** Names of conversations, which may hold anything, made fit to be shown in a sentence, in a tooltip, as a file. */

import { words } from "./texts";

const LONGEST_SHOWN = 300;
const LONGEST_QUOTED = 48;
const LONGEST_FILE_NAME = 100;
/**
 * Controls, line ends, and the marks that turn the direction of what follows: none belongs into a file's name. The two
 * that join letters, as in Persian and in emoji, do.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What Windows, macOS or a shell reads as something other than a letter of a name. */
const RESERVED = /[\\/:*?"<>|]/g;
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/** The beginning of a text in at most so many characters, of which none is cut in half. */
export function shorten(text: string, longest: number): string {
  const start = text.slice(0, longest * 8);
  const pieces = [...new Intl.Segmenter().segment(start)].slice(0, longest + 1);
  if (pieces.length <= longest && start.length === text.length) return text;
  return `${pieces
    .slice(0, longest - 1)
    .map((it) => it.segment)
    .join("")
    .trimEnd()}…`;
}

/** What a conversation is called where one is shown: its name, else how it begins, else that it is new. */
export function titleOf(name: string | null | undefined, firstWords: string | undefined): string {
  const title = name?.trim() || firstWords?.trim() || words.now().unnamed;
  return shorten(title, LONGEST_SHOWN);
}

/** A title within a sentence: short, and without a say in the direction of the words around it. */
export function quoted(title: string): string {
  return `\u2068${shorten(title.replace(/\s+/g, " "), LONGEST_QUOTED)}\u2069`;
}

/** The file that a conversation is saved as. */
export function fileNameOf(title: string): string {
  const clean = title
    .replace(RESERVED, " ")
    .replace(/\s+/g, " ")
    .replace(INVISIBLE, "")
    .replace(/^[.\s]+/, "");
  let name = "";
  // File systems count bytes.
  for (const { segment } of new Intl.Segmenter().segment(clean.slice(0, LONGEST_FILE_NAME))) {
    if (new TextEncoder().encode(name + segment).length > LONGEST_FILE_NAME) break;
    name += segment;
  }
  name = name.replace(/[. ]+$/, "");
  if (DEVICES.test(name)) name = `_${name}`;
  return `${name || "conversation"}.jsonl`;
}
