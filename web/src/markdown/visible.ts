/**
 * Characters that steer the direction of text and show nothing themselves: with them `exe.txt` can be made of
 * `txt.exe`, and code can be made to read otherwise than it runs (CVE-2021-42574).
 */

const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const OVERRIDES = /[\u202d\u202e]/g;

function name(character: string): string {
  return `⟦U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

/** For code, names and addresses: every such character is written out, as ⟦U+202E⟧. */
export function visibleControls(text: string): string {
  return text.replace(CONTROLS, name);
}

/**
 * For prose, where Arabic and Hebrew have an honest use for marks and isolates: only what turns letters around is
 * written out.
 */
export function visibleOverrides(text: string): string {
  return text.replace(OVERRIDES, name);
}
