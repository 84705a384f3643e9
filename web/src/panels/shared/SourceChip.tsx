import {
  Anchor,
  CircleQuestionMark,
  FileText,
  FoldVertical,
  GitMerge,
  MessageSquare,
  ScrollText,
  StickyNote,
} from "lucide-react";
import type { Source } from "../context/sources";
import { words } from "../texts";

const ICONS = {
  SYSTEM: ScrollText,
  RAW: MessageSquare,
  NODE_SUMMARY: FileText,
  ANCHOR_SUMMARY: Anchor,
  COMPACTION: FoldVertical,
  BRANCH_SUMMARY: GitMerge,
  CUSTOM: StickyNote,
  QUESTION: CircleQuestionMark,
} satisfies Record<Source, unknown>;

/** Names in the style sheet of colours. */
export const COLOURS: Readonly<Record<Source, string>> = {
  SYSTEM: "source-custom",
  RAW: "source-raw",
  NODE_SUMMARY: "source-node-summary",
  ANCHOR_SUMMARY: "source-anchor",
  COMPACTION: "source-compaction",
  BRANCH_SUMMARY: "source-branch",
  CUSTOM: "source-custom",
  QUESTION: "source-question",
};

/** What a message was made from: by colour, icon and word. */
export function SourceChip({ source }: { source: Source }) {
  const text = words.use();
  const Icon = ICONS[source];
  return (
    <span className={`pn-chip pn-source-${source}`}>
      <Icon aria-hidden />
      {text.source(source)}
    </span>
  );
}
