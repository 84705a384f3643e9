/** The tree's icons, silent to a screen reader: the same as elsewhere on the page for the same thing. */

import {
  Anchor,
  ArrowRight,
  BookOpenText,
  ChevronDown,
  ChevronsDownUp,
  ChevronsUpDown,
  ChevronUp,
  CircleAlert,
  CircleQuestionMark,
  CircleStop,
  Ellipsis,
  FileWarning,
  Flag,
  FoldVertical,
  GitCompareArrows,
  GitFork,
  GitMerge,
  Hourglass,
  Info,
  LocateFixed,
  type LucideIcon,
  Maximize,
  Minus,
  Plus,
  Search,
  Tag,
  X,
  Zap,
} from "lucide-react";

const ICONS = {
  anchor: Anchor,
  compaction: FoldVertical,
  branchSummary: GitMerge,
  failed: CircleAlert,
  interrupted: Zap,
  cancelled: CircleStop,
  unanswered: CircleQuestionMark,
  summaryPending: Hourglass,
  summaryFailed: FileWarning,
  leaf: Flag,
  find: Search,
  up: ChevronUp,
  down: ChevronDown,
  close: X,
  plus: Plus,
  minus: Minus,
  fit: Maximize,
  target: LocateFixed,
  fold: ChevronsDownUp,
  unfold: ChevronsUpDown,
  legend: Info,
  go: ArrowRight,
  fork: GitFork,
  label: Tag,
  compare: GitCompareArrows,
  merge: GitMerge,
  details: BookOpenText,
  more: Ellipsis,
} satisfies Record<string, LucideIcon>;

export type IconName = keyof typeof ICONS | "running";

export function Icon({ name }: { name: IconName }) {
  if (name === "running") return <Running />;
  const Shape = ICONS[name];
  return <Shape className="tree-icon" aria-hidden focusable="false" />;
}

function Running() {
  return (
    <svg className="tree-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="3.5" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="6.5" className="tree-ring" />
    </svg>
  );
}
