/** How conversations begin: what those without a name are called. Asked once for each, many at a time. */

import { gql } from "@urql/core";
import { create } from "zustand";
import { request } from "../api/request";
import type { SessionRow } from "./pages";

/** The server takes at most 30 aliases in a document; the questions may be long. */
const AT_A_TIME = 10;
const LONGEST = 80;

type Answer = Record<string, { edges: readonly { node: { userContent: string } }[] }>;

export const useFirstWords = create<Readonly<Record<string, string>>>()(() => ({}));

const asked = new Set<string>();

/** Remember how a conversation begins. */
export function learnFirstWords(id: string, text: string): void {
  const begins = text.slice(0, LONGEST).replace(/\s+/g, " ").trim();
  if (begins && useFirstWords.getState()[id] !== begins) useFirstWords.setState({ [id]: begins });
}

/** Ask for those of the rows that need it. Silent where it fails: such a row is called new, and asked for again. */
export async function readFirstWords(rows: readonly SessionRow[]): Promise<void> {
  const known = useFirstWords.getState();
  const ids = rows
    .filter((it) => !it.name?.trim() && it.nodeCount > 0 && !(it.id in known) && !asked.has(it.id))
    .map((it) => it.id);
  for (const id of ids) asked.add(id);
  for (let start = 0; start < ids.length; start += AT_A_TIME) {
    const some = ids.slice(start, start + AT_A_TIME);
    try {
      const found = await request(
        documentFor(some.length),
        Object.fromEntries(some.map((id, i) => [`i${i}`, id])),
      );
      for (const [i, id] of some.entries()) {
        const first = found[`s${i}`]?.edges[0]?.node.userContent;
        if (first) learnFirstWords(id, first);
      }
    } catch {
      for (const id of some) asked.delete(id);
    }
  }
}

function documentFor(count: number) {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const variables = numbers.map((i) => `$i${i}: ID!`).join(" ");
  const fields = numbers.map(
    (i) => `s${i}: allNodes(sessionId: $i${i}, first: 1) { edges { node { userContent } } }`,
  );
  // In a variable: the generator of types would read what stands in the call, and knows only whole documents.
  const document = `query FirstWords(${variables}) { ${fields.join(" ")} }`;
  return gql<Answer, Record<string, string>>(document);
}
