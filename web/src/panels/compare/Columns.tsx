import { useRef, useState } from "react";
import { count } from "../../i18n/texts";
import { Markdown, PlainText } from "../../markdown/Markdown";
import { useSession, useSessionStore } from "../../session/context";
import { Button } from "../../ui/Button";
import { Folded } from "../shared/Folded";
import { dollars } from "../shared/format";
import { showTurn } from "../shared/showTurn";
import { words as shared } from "../texts";
import { BringButton } from "./Bring";
import type { ComparedTurn, Comparison } from "./compared";
import { Merged } from "./Merged";
import { align, type Sides, sideOf } from "./sides";
import { words } from "./texts";

const SHOWN = 40;

type Side = "a" | "b";
const LETTERS: Readonly<Record<Side, string>> = { a: "A", b: "B" };

/** The two branches beside each other, turn by turn; one below the other where there is no room. */
export function Columns({ sides, comparison }: { sides: Sides; comparison: Comparison }) {
  const text = words.use();
  const { outline } = useSessionStore();
  const currentId = useSession((it) => it.currentId);
  const [shown, setShown] = useState(SHOWN);
  const columnA = useRef<HTMLElement>(null);
  const columnB = useRef<HTMLElement>(null);
  const rows = align(comparison.onlyA, comparison.onlyB);
  const before = comparison.commonAncestor ? outline.path(comparison.commonAncestor).length : 0;
  const here = sideOf(sides, currentId, outline);
  const column = (side: Side) => {
    const own = side === "a" ? comparison.onlyA : comparison.onlyB;
    return (
      <section
        ref={side === "a" ? columnA : columnB}
        className={`pn-side pn-side-${side}`}
        style={{ gridRow: `span ${Math.min(rows.length, shown) + 2}` }}
        aria-label={text.side(LETTERS[side], own.length)}
      >
        <Head
          side={side}
          sides={sides}
          turns={own.length}
          usage={side === "a" ? comparison.usageA : comparison.usageB}
          here={here === side}
          other={side === "a" ? comparison.onlyB.length : comparison.onlyA.length}
        />
        {/* Above the turns, where one sees it come: below them it may be far away. */}
        <Merged side={LETTERS[side]} nodeId={sides[side]} />
        {rows.slice(0, shown).map((row, index) => {
          const turn = row[side];
          return turn === null ? (
            <span key={`none ${row.a?.nodeId ?? row.b?.nodeId}`} className="pn-cell-none" aria-hidden />
          ) : (
            <Cell key={turn.nodeId} turn={turn} number={before + index + 1} same={row.sameQuestion} />
          );
        })}
      </section>
    );
  };
  const jump = (side: Side) => {
    const section = side === "a" ? columnA.current : columnB.current;
    section?.scrollIntoView({ block: "start", behavior: "smooth" });
  };
  return (
    <>
      <div className="pn-side-jump">
        <JumpButton side="a" turns={comparison.onlyA.length} onJump={jump} />
        <JumpButton side="b" turns={comparison.onlyB.length} onJump={jump} />
      </div>
      <div className="pn-sides">
        {column("a")}
        {column("b")}
      </div>
      {rows.length > shown && (
        <Button onClick={() => setShown(shown + SHOWN)}>{text.moreTurns(rows.length - shown)}</Button>
      )}
    </>
  );
}

/** To a side that stands far below the other. */
function JumpButton({ side, turns, onJump }: { side: Side; turns: number; onJump: (side: Side) => void }) {
  const text = words.use();
  return (
    <button type="button" className={`pn-jump pn-side-${side}`} onClick={() => onJump(side)}>
      <span className="pn-letter" aria-hidden>
        {LETTERS[side]}
      </span>
      {text.ownTurns(turns)}
    </button>
  );
}

interface HeadProps {
  side: Side;
  sides: Sides;
  turns: number;
  usage: Comparison["usageA"];
  here: boolean;
  /** How many turns the other side has alone. */
  other: number;
}

function Head({ side, sides, turns, usage, here, other }: HeadProps) {
  const text = words.use();
  const store = useSessionStore();
  const end = sides[side];
  const [letter, otherLetter] = side === "a" ? ["A", "B"] : ["B", "A"];
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return (
    <header className="pn-side-head">
      <div className="pn-row">
        <span className="pn-letter" aria-hidden>
          {letter}
        </span>
        <h3>{text.ownTurns(turns)}</h3>
        {here && <span className="pn-badge">{text.youAreHere}</span>}
      </div>
      <p className="pn-side-usage soft">
        {text.tokens(count(input), count(usage.outputTokens))}
        {" · "}
        {usage.costUsd == null ? text.priceUnknown : dollars(usage.costUsd)}
      </p>
      {turns === 0 && <p className="soft">{text.nothingOnly(letter)}</p>}
      <div className="pn-row">
        {!here && turns > 0 && <Button onClick={() => showTurn(store, end)}>{text.goTo(letter)}</Button>}
        {other > 0 && (
          <BringButton
            fromId={sides[side === "a" ? "b" : "a"]}
            intoId={end}
            from={otherLetter}
            into={letter}
            turns={other}
          />
        )}
      </div>
    </header>
  );
}

function Cell({ turn, number, same }: { turn: ComparedTurn; number: number; same: boolean }) {
  const text = words.use();
  const { turn: turnName } = shared.use();
  const store = useSessionStore();
  return (
    <article className="pn-cell">
      <div className="pn-row">
        <button
          type="button"
          className="pn-link"
          title={text.jump}
          onClick={() => showTurn(store, turn.nodeId)}
        >
          {turnName(number)}
        </button>
        {same && <span className="pn-same">{text.sameQuestion}</span>}
        {turn.label && (
          <span className="pn-label">
            <bdi>{turn.label}</bdi>
          </span>
        )}
      </div>
      <div className="pn-raw-question">
        <Folded lines={4}>
          <PlainText text={turn.userContent} />
        </Folded>
      </div>
      {turn.aiContent === "" ? (
        <p className="soft">{turn.error ?? text.noAnswer}</p>
      ) : (
        <Folded lines={9}>
          <Markdown text={turn.aiContent} />
        </Folded>
      )}
    </article>
  );
}
