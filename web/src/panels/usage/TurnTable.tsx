import { useMemo } from "react";
import { count } from "../../i18n/texts";
import { useSession, useSessionStore } from "../../session/context";
import { Button } from "../../ui/Button";
import { dollars } from "../shared/format";
import { showTurn } from "../shared/showTurn";
import { words as shared } from "../texts";
import { UsedBar } from "./Totals";
import { words } from "./texts";
import { allTokens, type TurnUsage, turnUsages } from "./turns";

/** The turns of the path, as far as they have been read, the last one first: it is what one asks about. */
export function TurnTable() {
  const text = words.use();
  const store = useSessionStore();
  const { items, path, hasEarlier } = useSession((it) => ({
    items: it.items,
    path: it.path,
    hasEarlier: it.hasEarlier,
  }));
  const turns = useMemo(() => turnUsages(items).reverse(), [items]);
  const most = Math.max(1, ...turns.map(allTokens));
  const priced = turns.some((it) => it.calls > 0 && it.costUsd !== null);
  if (turns.length === 0) return null;
  return (
    <section aria-labelledby="pn-turns">
      <h3 id="pn-turns">{text.turns}</h3>
      <table className="pn-table">
        <thead>
          <tr>
            <th scope="col">{text.turn}</th>
            <th scope="col">{text.question}</th>
            <th scope="col">{text.used}</th>
            {priced && <th scope="col">{text.cost}</th>}
          </tr>
        </thead>
        <tbody>
          {turns.map((turn, index) => (
            <Row
              key={turn.nodeId ?? `open ${index}`}
              turn={turn}
              number={turn.nodeId === null ? null : path.indexOf(turn.nodeId) + 1}
              most={most}
              priced={priced}
            />
          ))}
        </tbody>
      </table>
      {hasEarlier && <Button onClick={() => void store.loadEarlier()}>{text.earlier}</Button>}
    </section>
  );
}

interface RowProps {
  turn: TurnUsage;
  number: number | null;
  /** The tokens of the largest turn, whose bar fills the row. */
  most: number;
  /** Whether there is a column of costs. */
  priced: boolean;
}

function Row({ turn, number, most, priced }: RowProps) {
  const text = words.use();
  const { noText } = shared.use();
  const store = useSessionStore();
  const { nodeId } = turn;
  const all = allTokens(turn);
  return (
    <tr>
      <td className="soft">{number ?? ""}</td>
      <th scope="row">
        {nodeId === null ? (
          <bdi>{turn.question || noText}</bdi>
        ) : (
          <button
            type="button"
            className="pn-turn-link"
            title={text.jump}
            onClick={() => showTurn(store, nodeId)}
          >
            <bdi>{turn.question || noText}</bdi>
          </button>
        )}
        <UsedBar used={turn} whole={most} className="pn-bar-thin" />
      </th>
      <td title={turn.calls > 1 ? text.calls(turn.calls) : undefined}>{turn.calls > 0 ? count(all) : "–"}</td>
      {priced && <td>{turn.calls === 0 || turn.costUsd === null ? "–" : dollars(turn.costUsd)}</td>}
    </tr>
  );
}
