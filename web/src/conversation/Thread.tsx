/** The turns of the shown path, in a list that scrolls, with what lies above and below them. */

import { ArrowDown, ArrowUp } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { useSession, useSessionStore } from "../session/context";
import type { Outline } from "../session/outline";
import { pendingPlace } from "../session/pending";
import type { PathItem } from "../session/turns";
import { Button } from "../ui/Button";
import { words as common } from "../ui/texts";
import { BetweenView } from "./BetweenView";
import { PendingQuestion } from "./PendingQuestion";
import { Start } from "./Start";
import { TurnView } from "./TurnView";
import { words } from "./texts";
import { ThreadScroll, ThreadScrollContext } from "./threadScroll";
import { WaysOn } from "./WaysOn";

export function Thread() {
  const text = words.use();
  const store = useSessionStore();
  const { items, isEmpty } = useSession((it) => ({
    items: it.items,
    isEmpty: it.phase === "ready" && store.outline.size === 0 && it.pending === null,
  }));
  const [isFar, setFar] = useState(false);
  const [scroll] = useState(
    () =>
      new ThreadScroll({
        far: setFar,
        nearStart: () => {
          const { hasEarlier, pathPhase } = store.get();
          // After a failure it is for the person to try again.
          if (hasEarlier && pathPhase === "ready") void store.loadEarlier();
        },
      }),
  );
  const last = items.findLast((it) => it.kind === "turn");
  return (
    <ThreadScrollContext value={scroll}>
      <div className="thread-holder">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it */}
        <section className="thread" aria-label={text.thread} tabIndex={0}>
          <div className="thread-list">
            <Place scroll={scroll} />
            <Earlier />
            {isEmpty && <Start />}
            {items.map((item) => {
              const place = placeOf(item, store.outline);
              return item.kind === "turn" ? (
                <TurnView key={place} place={place} turn={item} isLast={item === last} />
              ) : (
                <div key={place} className="between-place" data-place={place}>
                  <BetweenView entry={item.entry} />
                </div>
              );
            })}
            <PendingQuestion />
            <WaysOn />
          </div>
          <div className="thread-room" />
        </section>
        {isFar && (
          <button type="button" className="to-end" onClick={() => scroll.toEnd({ smoothly: true })}>
            <ArrowDown aria-hidden />
            {text.newest}
          </button>
        )}
      </div>
    </ThreadScrollContext>
  );
}

/** A turn's place is below its parent: another version of it has the same, and so keeps what stands there. */
function placeOf(item: PathItem, outline: Outline): string {
  if (item.kind === "between") return item.entry.id;
  const node = item.nodeId === null ? undefined : outline.get(item.nodeId);
  return node ? `below ${node.parentId ?? "nothing"}` : `from ${item.entries[0]?.id}`;
}

/**
 * Tells the scrolling of changes of the page. It stands before the turns, so that the view is where it belongs when
 * they find out whether they are seen.
 */
function Place({ scroll }: { scroll: ThreadScroll }) {
  const store = useSessionStore();
  const marker = useRef<HTMLDivElement>(null);
  const shown = useSession((it) => ({
    at: it.currentId,
    visit: it.visit,
    path: it.path,
    content: it.items,
  }));
  const isAsking = useSession((it) => pendingPlace(it, store.outline)?.is === "here");
  useLayoutEffect(() => {
    const list = marker.current?.parentElement;
    const room = list?.nextElementSibling;
    if (list?.parentElement && room instanceof HTMLElement)
      return scroll.attach(list.parentElement, list, room);
  }, [scroll]);
  useLayoutEffect(() => scroll.settle(shown), [scroll, shown]);
  useLayoutEffect(() => {
    if (isAsking) scroll.toEnd({ smoothly: false });
  }, [scroll, isAsking]);
  return <div ref={marker} hidden />;
}

/** What is said about the turns above those that are shown. */
function Earlier() {
  const text = words.use();
  const { retry } = common.use();
  const store = useSessionStore();
  const { phase, pathPhase, hasEarlier, isShown } = useSession((it) => ({
    phase: it.phase,
    pathPhase: it.pathPhase,
    hasEarlier: it.hasEarlier,
    isShown: it.items.length > 0,
  }));
  if (phase === "ready" && pathPhase === "failed")
    return (
      <div className="thread-earlier" role="alert">
        <span>{isShown ? text.earlierFailed : text.pathFailed}</span>
        <Button onClick={() => void (isShown ? store.loadEarlier() : store.retryPath())}>{retry}</Button>
      </div>
    );
  if (!isShown && (phase === "loading" || pathPhase === "loading"))
    return <p className="thread-earlier thread-loading">{text.loading}</p>;
  if (!hasEarlier) return null;
  const isLoading = pathPhase === "loading";
  return (
    <div className="thread-earlier">
      {/* A button that is disabled would lose the focus. */}
      <Button
        kind="quiet"
        aria-disabled={isLoading}
        aria-busy={isLoading}
        onClick={() => void (isLoading || store.loadEarlier())}
      >
        <ArrowUp aria-hidden />
        {isLoading ? text.loading : text.loadEarlier}
      </Button>
    </div>
  );
}
