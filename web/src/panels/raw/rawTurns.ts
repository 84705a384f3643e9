/** The turns that a summary stands for, as they were written: read from below, page by page. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { request } from "../../api/request";
import { explain } from "../../session/actions";
import { useSessionStore } from "../../session/context";
import { PathPage, ReadEntry, ReadNode } from "../../session/operations";
import { type Entry, type PathItem, pathItems } from "../../session/turns";
import { cut, type Range, rangeOfAnchor, rangeOfEntry, type SummaryPlace } from "./range";

const PAGE = 40;

export interface RawTurns {
  readonly items: readonly PathItem[];
  readonly hasEarlier: boolean;
  readonly loading: boolean;
  readonly problem: string | null;
  /** Read the page before, or the one that failed. */
  readonly earlier: () => void;
}

interface Read {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  readonly hasEarlier: boolean;
}

const NOTHING: Read = { entries: [], hasEarlier: true };

/** place: the same object as long as it is the same summary. */
export function useRawTurns(place: SummaryPlace): RawTurns {
  const store = useSessionStore();
  const readMore = useMemo(() => reader(place), [place]);
  const wanted = useRef(readMore);
  const [read, setRead] = useState(NOTHING);
  const [state, setState] = useState<{ loading: boolean; problem: string | null }>(BUSY);

  const earlier = useCallback(() => {
    setState(BUSY);
    readMore().then(
      (found) => {
        if (wanted.current !== readMore) return;
        setRead(found);
        setState({ loading: false, problem: null });
      },
      (error) => {
        if (wanted.current === readMore) setState({ loading: false, problem: explain(error) });
      },
    );
  }, [readMore]);

  useEffect(() => {
    wanted.current = readMore;
    setRead(NOTHING);
    earlier();
  }, [readMore, earlier]);

  const items = useMemo(() => pathItems(read.entries, (id) => store.outline.has(id)), [read, store]);
  return { items, hasEarlier: read.hasEarlier, ...state, earlier };
}

const BUSY = { loading: true, problem: null };

/** A function that reads one page more, and gives all that has been read; called while it reads, it reads once. */
function reader(place: SummaryPlace): () => Promise<Read> {
  const readMore = pageReader(place);
  let reading: Promise<Read> | null = null;
  return () => {
    reading ??= readMore().finally(() => {
      reading = null;
    });
    return reading;
  };
}

function pageReader(place: SummaryPlace): () => Promise<Read> {
  let nearestFirst: Entry[] = [];
  let range: Range | null = place.kind === "anchor" ? rangeOfAnchor(place.id) : null;
  let after: string | null = null;
  return async () => {
    if (place.kind === "turn") {
      const { node } = await request(ReadNode, { nodeId: place.id });
      return { entries: node?.entries ?? [], hasEarlier: false };
    }
    range ??= await rangeAt(place);
    // A page may lie wholly within what a compaction keeps: then there is nothing of it to show.
    for (let found = 0; found === 0 && range.from !== null; ) {
      const page: Page = (await request(PathPage, { entryId: range.from, first: PAGE, after })).pathToRoot;
      const { entries, rest } = cut(
        page.edges.map((it) => it.node),
        range,
      );
      found = entries.length;
      nearestFirst = [...nearestFirst, ...entries];
      after = page.pageInfo.endCursor ?? null;
      range = page.pageInfo.hasNextPage ? rest : { ...rest, from: null };
    }
    return { entries: [...nearestFirst].reverse(), hasEarlier: range.from !== null };
  };
}

interface Page {
  readonly edges: readonly { readonly node: Entry }[];
  readonly pageInfo: { readonly endCursor?: string | null; readonly hasNextPage: boolean };
}

async function rangeAt(place: SummaryPlace): Promise<Range> {
  const { entry } = await request(ReadEntry, { id: place.id });
  return entry ? rangeOfEntry(entry, place.path) : { from: null, skipTo: null, stopAt: new Set() };
}
