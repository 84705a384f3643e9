/** What may be linked, and what a link must say about where it leads. */

import { visibleControls } from "./visible";

const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
const LONGEST_ADDRESS = 4_000;
const LONGEST_SHOWN = 200;
/** Nobody reads a text so long for the host in it. */
const LONGEST_CLAIM = 300;

const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const HOST = /(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+/gu;
const MAIL = /[^\s@<>()]+@[^\s@<>()]+/g;

/** The address as the browser will understand it, or null where there must be no link: relative ones too. */
export function linkTarget(address: string): URL | null {
  if (address.length > LONGEST_ADDRESS || !URL.canParse(address)) return null;
  const url = new URL(address);
  return PROTOCOLS.has(url.protocol) ? url : null;
}

/** The real host (for mail: the real address) where the text of a link lets one expect another, else null. */
export function unexpectedHost(text: string, url: URL): string | null {
  const real = url.protocol === "mailto:" ? mailAddress(url) : url.hostname;
  if (text.length > LONGEST_CLAIM) return real;
  const claim = text.normalize("NFKC").replace(INVISIBLE, "");
  if (url.protocol === "mailto:") {
    const claimed = [...(claim.match(MAIL) ?? []), ...(claim.includes("@") ? [] : (claim.match(HOST) ?? []))];
    return claimed.every((it) => real.toLowerCase() === it.replace(/^mailto:/i, "").toLowerCase())
      ? null
      : real;
  }
  // Letters of another script can look like any other host.
  if (real.split(".").some((label) => label.startsWith("xn--"))) return real;
  return (claim.match(HOST) ?? []).every((it) => belongsTo(real, it)) ? null : real;
}

/** Whether a host is the claimed one, or a part of it. */
function belongsTo(real: string, claimed: string): boolean {
  const address = `http://${claimed}`;
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/^www\./, "");
  return real === host || real.endsWith(`.${host}`);
}

function mailAddress(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

/** An address as text: its steering characters visible, and not endless. */
export function shownAddress(address: string): string {
  return visibleControls(address.length > LONGEST_SHOWN ? `${address.slice(0, LONGEST_SHOWN)}…` : address);
}
