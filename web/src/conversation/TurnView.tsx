/**
 * A turn: its question and all that answers it. Drawn again only when an entry of it or what the tree says of its node
 * changes, and, while its answer comes, with each piece of that.
 */

import { type CSSProperties, memo, useId, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { useSession, useSessionStore } from "../session/context";
import { type Entry, isQuestion, type Turn } from "../session/turns";
import { Heading } from "./Heading";
import { PartView } from "./PartView";
import { answerParts, liveParts } from "./parts";
import { QuestionView } from "./QuestionView";
import { TurnEnding } from "./TurnEnding";
import { TurnFoot } from "./TurnFoot";
import { TurnHead } from "./TurnHead";
import { words } from "./texts";
import { useNear } from "./useNear";

interface TurnProps {
  turn: Turn;
  /** Where it stands: another version of it stands there too. */
  place: string;
  isLast: boolean;
}

export const TurnView = memo(function TurnView({ turn, place, isLast }: TurnProps) {
  const text = words.use();
  const store = useSessionStore();
  const headingId = useId();
  const article = useRef<HTMLElement>(null);
  const isNear = useNear(article, isLast);
  const { nodeId, entries } = turn;
  const status = useSession(() => (nodeId === null ? null : (store.outline.get(nodeId)?.status ?? null)));
  const questions = useMemo(() => entries.filter(isQuestion), [entries]);
  const [question] = questions;
  const isFollowed = useStore(store.live.state, ({ answer }) => answer !== null && answer.nodeId === nodeId);
  // The tree may tell of the end before the answer has come to it, or the answer's entry before the tree.
  const isRunning = (status === "RUNNING" || isFollowed) && !entries.some(({ id }) => id === nodeId);
  return (
    <article
      ref={article}
      className={isLast ? "turn turn-last" : "turn"}
      data-place={place}
      data-node={nodeId ?? undefined}
      aria-labelledby={headingId}
      aria-busy={isRunning}
      style={useHeight(entries)}
    >
      <Heading
        level={2}
        id={headingId}
        name={question ? `${text.question}: ${question.text.slice(0, 120)}` : text.noQuestion}
      />
      {nodeId !== null && <TurnHead nodeId={nodeId} />}
      {questions.map((question) => (
        <QuestionView key={question.id} question={question} turn={turn} isNear={isNear} />
      ))}
      <Heading level={3} name={text.answer} />
      <Answer key={nodeId} turn={turn} isRunning={isRunning} />
      {nodeId !== null && status !== null && !isRunning && <TurnEnding turn={turn} status={status} />}
      <TurnFoot turn={turn} isRunning={isRunning} isNear={isNear} />
    </article>
  );
}, isSame);

/** The entries are new objects only if they are others. */
function isSame(before: TurnProps, after: TurnProps): boolean {
  return (
    before.place === after.place &&
    before.isLast === after.isLast &&
    before.turn.nodeId === after.turn.nodeId &&
    before.turn.entries.length === after.turn.entries.length &&
    before.turn.entries.every((entry, at) => entry === after.turn.entries[at])
  );
}

/** What has come while it comes and all of it afterwards are the same elements, so that nothing moves when it ends. */
function Answer({ turn: { nodeId, entries }, isRunning }: { turn: Turn; isRunning: boolean }) {
  const { live } = useSessionStore();
  const parts = useMemo(() => answerParts(entries), [entries]);
  const coming = useStore(live.state, (it) => (isRunning && it.answer?.nodeId === nodeId ? it.answer : null));
  const shown = coming ? [...parts, ...liveParts(parts, coming)] : parts;
  return (
    <div className="answer">
      {shown.map((part, at) => (
        <PartView key={part.key} part={part} growing={at === shown.length - 1 && at >= parts.length} />
      ))}
    </div>
  );
}

const LINE = 25;
const LINE_CHARACTERS = 85;

/** About how high it will be: the browser takes that until it comes near, so that the scroll bar does not jump. */
function useHeight(entries: readonly Entry[]): CSSProperties {
  return useMemo(() => {
    let lines = 0;
    for (const entry of entries)
      if (entry.__typename === "MessageEntry" && entry.role !== "toolResult")
        lines += 2 + entry.text.length / LINE_CHARACTERS + countLines(entry.text) / 2;
    return { containIntrinsicBlockSize: `auto ${Math.round(80 + lines * LINE)}px` };
  }, [entries]);
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
