/**
 * The entries of paths, read page by page from below and kept: what an entry holds never changes, but for the text of a
 * branch's summary, which comes later.
 */

import { request } from "../api/request";
import type { NodeFieldsFragment } from "../graphql/generated/graphql";
import { PathPage, ReadEntry, ReadNode } from "./operations";
import { type Entry, type PathItem, pathItems } from "./turns";

const PAGE = 80;
/** Pages grow with what has been read, up to what the server gives: each costs what drawing all of it does. */
const LARGEST_PAGE = 500;
/** With fewer entries than these, what lies above is read without being asked for. */
const ENOUGH = 24;

export interface Place {
  /** Null: above all. */
  readonly nodeId: string | null;
  /** The session's leaf if it stands at or below this node and above the next; else null. */
  readonly leafId: string | null;
  /** The node's answer is no entry yet. */
  readonly running: boolean;
}

export class PathReader {
  private readonly entries = new Map<string, Entry>();
  private readonly questions = new Map<string, string>();

  /** Keep what a node holds. */
  take(node: NodeFieldsFragment): void {
    for (const entry of node.entries) this.keep(entry);
    const last = node.entries.at(-1);
    if (last && last.id !== node.nodeId) this.questions.set(node.nodeId, last.id);
  }

  /** The last entry above a running answer, where it is known. */
  questionOf(nodeId: string): string | undefined {
    return this.questions.get(nodeId);
  }

  /** Null: nothing of the path has been read. */
  shown(place: Place, isNode: (id: string) => boolean): { items: PathItem[]; hasEarlier: boolean } | null {
    if (place.nodeId === null) return { items: [], hasEarlier: false };
    const { entries, missing } = this.chain(place);
    if (entries.length === 0) return null;
    const items = pathItems(entries, isNode);
    const last = items.at(-1);
    if (place.running && last?.kind === "turn") items[items.length - 1] = { ...last, nodeId: place.nodeId };
    return { items, hasEarlier: missing !== null };
  }

  /** Whether `read` would find more; `earlier`: than what is enough to begin with, which `reach` is part of. */
  lacks(place: Place, earlier: boolean, reach: string | null = null): boolean {
    if (place.nodeId === null) return false;
    const { entries, missing } = this.chain(place);
    if (missing === null) return false;
    return earlier || entries.length < ENOUGH || (reach !== null && !entries.some((it) => it.id === reach));
  }

  /** Read one page more of a path. Raises what `request` raises. */
  async read(place: Place): Promise<void> {
    if (place.nodeId === null) return;
    if (place.running && !this.questions.has(place.nodeId)) {
      const { node } = await request(ReadNode, { nodeId: place.nodeId });
      if (node) this.take(node);
    }
    const { entries, missing } = this.chain(place);
    if (missing === null) return;
    const first = Math.min(LARGEST_PAGE, Math.max(PAGE, entries.length));
    const { pathToRoot } = await request(PathPage, { entryId: missing, first });
    for (const { node } of pathToRoot.edges) this.keep(node);
  }

  /** Read branch summaries again: their text comes later. ids: those to look at; null: all. Whether one was there. */
  async readSummaries(ids: readonly string[] | null): Promise<boolean> {
    const waiting = [...(ids ?? this.entries.keys())].filter((id) => isUnfinished(this.entries.get(id)));
    for (const id of waiting) {
      const { entry } = await request(ReadEntry, { id });
      if (entry) this.keep(entry);
    }
    return waiting.length > 0;
  }

  /** What is known stays the same object, so that what shows it need not be drawn again. */
  private keep(entry: Entry): void {
    const known = this.entries.get(entry.id);
    if (!known || isUnfinished(known)) this.entries.set(entry.id, entry);
  }

  /** From below up as far as is known; `missing`: the first that is not. Oldest first. */
  private chain({ nodeId, leafId, running }: Place): { entries: Entry[]; missing: string | null } {
    const entries: Entry[] = [];
    let at = leafId ?? (running && nodeId !== null ? (this.questions.get(nodeId) ?? nodeId) : nodeId);
    while (at !== null) {
      const entry = this.entries.get(at);
      if (!entry) break;
      entries.push(entry);
      at = entry.parentId ?? null;
    }
    return { entries: entries.reverse(), missing: at };
  }
}

function isUnfinished(entry: Entry | undefined): boolean {
  return entry?.__typename === "BranchSummaryEntry" && !["NONE", "DONE"].includes(entry.summaryState);
}
