/** What the model sees: each message of the context at the shown place, what it was made from, and what was left out. */

import { useCallback, useMemo, useState } from "react";
import { useSession, useSessionStore } from "../session/context";
import type { Outline } from "../session/outline";
import { Compact } from "./context/Compact";
import { replaced, type Span, spanOf } from "./context/covered";
import { LeftOut } from "./context/LeftOut";
import { MessageRow, SystemRow } from "./context/MessageRow";
import { Note } from "./context/Note";
import { ReadBeside } from "./context/ReadBeside";
import { type ContextMessage, type Shown, useShownContext, useWindow } from "./context/shown";
import { systemTokens } from "./context/sources";
import { Totals } from "./context/Totals";
import { words } from "./context/texts";
import { Waiting } from "./context/Waiting";
import { Problem, Skeleton } from "./shared/Problem";
import { type Landed, useSummaries } from "./shared/summaries";
import "./panels.css";
import "./raw/raw.css";
import "./context/context.css";

export function ContextPanel() {
  const text = words.use();
  const [landed, setLanded] = useState<Landed | null>(null);
  const { data, loading, problem, again, running } = useShownContext(landed?.revision ?? 0);
  useSummaries(setLanded);
  return (
    <div className="pn-panel" aria-busy={loading}>
      <div className="pn-top">
        <p className="soft pn-intro">{running ? text.contextRunning : text.contextIntro}</p>
        <Note landed={landed} />
      </div>
      {problem !== null && <Problem message={problem} onRetry={again} />}
      {!data && problem === null && (
        <>
          <Skeleton lines={5} />
          <Skeleton lines={8} />
        </>
      )}
      {data && <Context shown={data} running={running} />}
    </div>
  );
}

function Context({ shown, running }: { shown: Shown; running: boolean }) {
  const text = words.use();
  const { outline } = useSessionStore();
  const { context, path } = shown;
  const { messages } = context;
  const reserve = useSession((it) => it.session?.config.reserveTokens ?? 0);
  const window = useWindow(context.model);
  const [reading, setReading] = useState<{ message: ContextMessage; span: Span | null } | null>(null);
  const below = useCallback((entryId: string) => turnsAbove(entryId, path, outline), [path, outline]);
  const spans = useMemo(
    () => messages.map((_, index) => spanOf(index, messages, path, below)),
    [messages, path, below],
  );
  const system = systemTokens(messages, context.totalTokens);
  const largest = Math.max(system, ...messages.map((it) => it.tokens), 1);
  return (
    <>
      <Totals context={context} window={window} reserve={reserve} />
      <Waiting path={path} />
      <Compact total={context.totalTokens} running={running} />
      <section aria-labelledby="pn-messages">
        <h3 id="pn-messages">{text.messages(messages.length)}</h3>
        {messages.length === 0 && <p className="soft">{text.noMessages}</p>}
        <ol className="pn-messages">
          {context.system && <SystemRow system={context.system} tokens={system} largest={largest} />}
          {messages.map((message, index) => (
            <MessageRow
              key={message.entryIds[0] ? `${message.source} ${message.entryIds[0]}` : `question ${index}`}
              message={message}
              span={spans[index] ?? null}
              path={path}
              largest={largest}
              onRead={() => setReading({ message, span: spans[index] ?? null })}
            />
          ))}
        </ol>
      </section>
      {messages.length > 0 && <LeftOut context={context} replaced={replaced(messages, path)} />}
      {reading && <ReadBeside {...reading} path={path} onClose={() => setReading(null)} />}
    </>
  );
}

/** How many turns of a path stand above what stands between two of them; null where that is not known. */
function turnsAbove(entryId: string, path: readonly string[], outline: Outline): number | null {
  for (const [index, nodeId] of [null, ...path].entries())
    if (outline.marks(nodeId).some((it) => it.entryId === entryId)) return index;
  return null;
}
