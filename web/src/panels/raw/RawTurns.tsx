import { Anchor } from "lucide-react";
import { useMemo } from "react";
import { useSessionStore } from "../../session/context";
import type { PathItem } from "../../session/turns";
import { Button } from "../../ui/Button";
import { Problem, Skeleton } from "../shared/Problem";
import { words } from "../texts";
import { RawBetween, RawTurn } from "./RawTurn";
import type { SummaryPlace } from "./range";
import { useRawTurns } from "./rawTurns";

/** The turns that a summary stands for, oldest first; a long row of them is read from its end. */
export function RawTurns({ place }: { place: SummaryPlace }) {
  const text = words.use();
  const { items, hasEarlier, loading, problem, earlier } = useRawTurns(place);
  const numbers = useNumbers(items);
  return (
    <div className="pn-raw" aria-busy={loading}>
      {problem !== null && <Problem message={problem} onRetry={earlier} />}
      {hasEarlier && !loading && problem === null && (
        <Button className="pn-raw-earlier" onClick={earlier}>
          {text.earlierTurns}
        </Button>
      )}
      {loading && <Skeleton lines={4} />}
      {!loading && problem === null && items.length === 0 && <p className="soft">{text.nothingRaw}</p>}
      {items.map((item) => (
        <Item
          key={item.kind === "turn" ? item.entries[0]?.id : item.entry.id}
          item={item}
          place={place}
          number={item.kind === "turn" ? (numbers.get(item.nodeId ?? "") ?? null) : null}
        />
      ))}
    </div>
  );
}

function Item({ item, place, number }: { item: PathItem; place: SummaryPlace; number: number | null }) {
  const text = words.use();
  const { outline } = useSessionStore();
  if (item.kind === "between") return <RawBetween entry={item.entry} />;
  const olderAnchor =
    item.nodeId !== null && item.nodeId !== place.id && (outline.get(item.nodeId)?.isAnchor ?? false);
  return (
    <>
      <RawTurn turn={item} number={number} />
      {olderAnchor && (
        <p className="pn-raw-anchor">
          <Anchor aria-hidden />
          {text.olderAnchor}
        </p>
      )}
    </>
  );
}

/** Which turn of its path each is; the first is 1. */
function useNumbers(items: readonly PathItem[]): ReadonlyMap<string, number> {
  const { outline } = useSessionStore();
  return useMemo(() => {
    const last = items.findLast((it) => it.kind === "turn" && it.nodeId !== null);
    const path = last?.kind === "turn" ? outline.path(last.nodeId) : [];
    return new Map(path.map((id, index) => [id, index + 1]));
  }, [items, outline]);
}
