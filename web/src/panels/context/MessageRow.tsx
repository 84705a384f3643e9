import { BookOpenText, ChevronDown, Database } from "lucide-react";
import { useId, useState } from "react";
import { count } from "../../i18n/texts";
import { useSessionStore } from "../../session/context";
import { Button } from "../../ui/Button";
import { Attachment } from "../raw/RawTurn";
import { Bar } from "../shared/Bar";
import { pieces } from "../shared/content";
import { Folded } from "../shared/Folded";
import { COLOURS, SourceChip } from "../shared/SourceChip";
import { showTurn } from "../shared/showTurn";
import { words as shared } from "../texts";
import type { Span } from "./covered";
import type { ContextMessage } from "./shown";
import { isSummary } from "./sources";
import { words } from "./texts";

interface MessageRowProps {
  message: ContextMessage;
  /** Turns of the path that it stands for; null: none of this path. */
  span: Span | null;
  path: readonly string[];
  /** Tokens of the largest message: its bar fills the row. */
  largest: number;
  onRead: () => void;
}

/** One message of the context: what it was made from, what it takes, and what it says, word for word. */
export function MessageRow({ message, span, path, largest, onRead }: MessageRowProps) {
  const text = words.use();
  const { role: roleName, turn, turns } = shared.use();
  const id = useId();
  const [from, setFrom] = useState(false);
  const { source, tokens, role } = message;
  return (
    <li className={`pn-message pn-source-${source}`}>
      <div className="pn-message-head">
        <SourceChip source={source} />
        <span className="soft">{roleName(role)}</span>
        {span && (
          <button
            type="button"
            className="pn-link"
            aria-expanded={from}
            aria-controls={id}
            onClick={() => setFrom(!from)}
          >
            {span.from === span.to ? turn(span.to) : turns(span.from, span.to)}
            <ChevronDown aria-hidden />
          </button>
        )}
        <Tokens count={tokens} />
      </div>
      <Bar
        whole={largest}
        className="pn-bar-thin"
        parts={[{ key: source, value: tokens, colour: COLOURS[source] }]}
      />
      {span && from && <Origins id={id} nodeIds={path.slice(span.from - 1, span.to)} first={span.from} />}
      <Content message={message} />
      {isSummary(source) && (
        <Button kind="quiet" className="pn-read" onClick={onRead}>
          <BookOpenText aria-hidden />
          {text.readBeside}
        </Button>
      )}
      {message.cacheBreakpoint && (
        <p className="pn-breakpoint" title={text.breakpointHelp}>
          <Database aria-hidden />
          {text.breakpoint}
        </p>
      )}
    </li>
  );
}

function Content({ message }: { message: ContextMessage }) {
  const { noText } = shared.use();
  const found = pieces(message.content);
  if (found.length === 0) return <p className="soft pn-message-text">{noText}</p>;
  return (
    <Folded lines={isSummary(message.source) ? 7 : 4}>
      {found.map((piece, index) =>
        piece.kind === "text" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the content of a message never changes
          <p key={index} className="pn-message-text" dir="auto">
            {piece.text}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Attachment key={index} {...piece} />
        ),
      )}
    </Folded>
  );
}

function Tokens({ count: tokens }: { count: number }) {
  const text = words.use();
  return (
    <span className="pn-tokens">
      {count(tokens)} <span className="pn-unit">{text.tokensUnit(tokens)}</span>
    </span>
  );
}

/** The turns that a message came from; each leads to its place in the conversation. */
function Origins({ id, nodeIds, first }: { id: string; nodeIds: readonly string[]; first: number }) {
  const text = words.use();
  const { noText } = shared.use();
  const store = useSessionStore();
  return (
    <ul id={id} className="pn-origins" aria-label={text.origins}>
      {nodeIds.map((nodeId, index) => (
        <li key={nodeId}>
          <button type="button" className="pn-origin" onClick={() => showTurn(store, nodeId)}>
            <span className="soft">{first + index}</span>
            <bdi>{store.outline.get(nodeId)?.question || noText}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The system prompt, which goes before all messages. */
export function SystemRow({ system, tokens, largest }: { system: string; tokens: number; largest: number }) {
  return (
    <li className="pn-message pn-source-SYSTEM">
      <div className="pn-message-head">
        <SourceChip source="SYSTEM" />
        <Tokens count={tokens} />
      </div>
      <Bar
        whole={largest}
        className="pn-bar-thin"
        parts={[{ key: "system", value: tokens, colour: COLOURS.SYSTEM }]}
      />
      <Folded lines={4}>
        <p className="pn-message-text" dir="auto">
          {system}
        </p>
      </Folded>
    </li>
  );
}
