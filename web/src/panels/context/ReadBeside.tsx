import { useMemo } from "react";
import { BesideDialog } from "../raw/Beside";
import type { SummaryPlace } from "../raw/range";
import { summaryIn } from "../shared/content";
import { words as shared } from "../texts";
import type { Span } from "./covered";
import type { ContextMessage } from "./shown";
import { words } from "./texts";

interface ReadBesideProps {
  message: ContextMessage;
  span: Span | null;
  path: readonly string[];
  onClose: () => void;
}

/** A summary of the context beside the turns that it stands for. */
export function ReadBeside({ message, span, path, onClose }: ReadBesideProps) {
  const text = words.use();
  const { source } = shared.use();
  const place = useMemo(() => placeOf(message, path), [message, path]);
  return (
    <BesideDialog
      title={text.beside(source(message.source), span)}
      summary={summaryIn(message.text)}
      place={place}
      onClose={onClose}
    />
  );
}

function placeOf({ source, nodeId, entryIds }: ContextMessage, path: readonly string[]): SummaryPlace {
  if (source === "NODE_SUMMARY" && nodeId) return { kind: "turn", id: nodeId, path: [] };
  if (source === "ANCHOR_SUMMARY" && nodeId) return { kind: "anchor", id: nodeId, path: [] };
  return { kind: "entry", id: entryIds[0] ?? "", path };
}
