/** A turn as it was written, and what stands between turns, small enough to stand beside a summary. */

import { ImageIcon, Wrench } from "lucide-react";
import { Markdown, PlainText } from "../../markdown/Markdown";
import type { Entry, MessageEntry, Turn } from "../../session/turns";
import { pieces } from "../shared/content";
import { Folded } from "../shared/Folded";
import { words } from "../texts";

export function RawTurn({ turn, number }: { turn: Turn; number: number | null }) {
  const text = words.use();
  return (
    <article className="pn-raw-turn">
      {number !== null && <h4 className="pn-raw-number">{text.turn(number)}</h4>}
      {turn.entries.map((entry) => (
        <RawEntry key={entry.id} entry={entry} />
      ))}
    </article>
  );
}

function RawEntry({ entry }: { entry: Entry }) {
  if (entry.__typename !== "MessageEntry") return <RawBetween entry={entry} />;
  if (entry.role === "user")
    return (
      <div className="pn-raw-question">
        <PlainText text={entry.text} />
        <Attachments entry={entry} />
      </div>
    );
  if (entry.role === "toolResult") return <ToolResult entry={entry} />;
  return (
    <div className="pn-raw-answer">
      {entry.text !== "" && <Markdown text={entry.text} />}
      <Attachments entry={entry} />
      {entry.error && <p className="pn-warning">{entry.error}</p>}
    </div>
  );
}

function ToolResult({ entry }: { entry: MessageEntry }) {
  const text = words.use();
  return (
    <div className={entry.isError ? "pn-raw-tool pn-raw-tool-error" : "pn-raw-tool"}>
      <p className="pn-raw-tool-name">
        <Wrench aria-hidden />
        {text.resultOf(entry.toolName ?? "")}
      </p>
      <Folded lines={6}>
        <PlainText text={entry.text} />
      </Folded>
    </div>
  );
}

/** Calls of tools and images. */
function Attachments({ entry }: { entry: MessageEntry }) {
  return pieces(entry.content).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the content of an entry never changes
    piece.kind === "text" ? null : <Attachment key={index} {...piece} />,
  );
}

export function Attachment(
  piece: { kind: "call"; name: string; text: string } | { kind: "image"; text: string },
) {
  const text = words.use();
  return (
    <p className="pn-attachment">
      {piece.kind === "call" ? <Wrench aria-hidden /> : <ImageIcon aria-hidden />}
      <span>{piece.kind === "call" ? text.callOf(piece.name) : text.image}</span>
      <code>{piece.text}</code>
    </p>
  );
}

/** A compaction, a change of model: one line. */
export function RawBetween({ entry }: { entry: Entry }) {
  const text = words.use();
  const said = saidBy(entry);
  return (
    <div className="pn-raw-between">
      <span>{text.entryType(entry.type)}</span>
      {said !== "" && (
        <Folded lines={3}>
          <PlainText text={said} />
        </Folded>
      )}
    </div>
  );
}

function saidBy(entry: Entry): string {
  switch (entry.__typename) {
    case "ModelChangeEntry":
      return entry.modelId;
    case "ThinkingLevelChangeEntry":
      return entry.level;
    case "ActiveToolsChangeEntry":
      return entry.toolNames.join(", ");
    case "CompactionEntry":
      return entry.summary;
    case "BranchSummaryEntry":
      return entry.branchSummary;
    case "CustomMessageEntry":
      return pieces(entry.customContent)
        .map((it) => it.text)
        .join("\n");
    default:
      return "";
  }
}
