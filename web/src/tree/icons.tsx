/** The tree's icons: 16 × 16, in the colour of the text around them, silent to a screen reader. */

import type { ReactNode } from "react";

const SHAPES = {
  anchor: (
    <>
      <circle cx="8" cy="3.4" r="1.6" />
      <path d="M8 5v9M5.3 7.4h5.4M2.5 9.5c.3 2.8 2.5 4.5 5.5 4.5s5.2-1.7 5.5-4.5" />
    </>
  ),
  compaction: <path d="M3 8h10M8 1.5v4M5.8 3.6 8 5.7l2.2-2.1M8 14.5v-4M5.8 12.4 8 10.3l2.2 2.1" />,
  branchSummary: (
    <>
      <path d="M4 2v12M4 10c0-3 2-3.5 4-3.5" />
      <path d="M10.5 4.5h4M10.5 8h4M10.5 11.5h4" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="3.5" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="6.5" className="tree-ring" />
    </>
  ),
  failed: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.8v3.8M8 10.9v.2" />
    </>
  ),
  interrupted: <path d="M9 1.8 4 9h3.8L7 14.2 12 7H8.2z" />,
  cancelled: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="m3.9 12.1 8.2-8.2" />
    </>
  ),
  unanswered: (
    <>
      <circle cx="8" cy="8" r="6" strokeDasharray="2.2 2" />
      <path d="M6.3 6.5c0-2.3 3.4-2.3 3.4-.2 0 1.3-1.7 1.4-1.7 2.7M8 11v.2" />
    </>
  ),
  summaryPending: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.3 1.6" />
    </>
  ),
  summaryFailed: (
    <>
      <path d="M2.5 3.5h11M2.5 7.5h6M2.5 11.5h5" />
      <path d="m10.5 9.5 4 4M14.5 9.5l-4 4" />
    </>
  ),
  leaf: <path d="M4 14.5v-13M4 2.2h8.5l-2 2.9 2 2.9H4" />,
  find: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.4 10.4 3.8 3.8" />
    </>
  ),
  up: <path d="m3.5 10 4.5-4.5 4.5 4.5" />,
  down: <path d="M3.5 6 8 10.5 12.5 6" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  plus: <path d="M8 3v10M3 8h10" />,
  minus: <path d="M3 8h10" />,
  fit: <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />,
  target: (
    <>
      <circle cx="8" cy="8" r="4.5" />
      <circle cx="8" cy="8" r="1" fill="currentColor" />
      <path d="M8 1v2.5M8 12.5V15M1 8h2.5M12.5 8H15" />
    </>
  ),
  foldOthers: <path d="M2.5 8h11M8 1.5V5M6 3.2 8 5.2l2-2M8 14.5V11M6 12.8l2-2 2 2" />,
  unfold: <path d="M2.5 8h11M8 5.5v-4M6 3.3l2-2 2 2M8 10.5v4M6 12.7l2 2 2-2" />,
  legend: (
    <>
      <path d="M2.5 4h1M2.5 8h1M2.5 12h1M6 4h7.5M6 8h7.5M6 12h7.5" />
    </>
  ),
  go: <path d="M3 8h10M9 4l4 4-4 4" />,
  fork: (
    <>
      <circle cx="4" cy="3.5" r="1.7" />
      <circle cx="4" cy="12.5" r="1.7" />
      <circle cx="12" cy="5.5" r="1.7" />
      <path d="M4 5.2v5.6M4 9.8c0-2 8-.6 8-2.6" />
    </>
  ),
  label: (
    <>
      <path d="M2 2.5h5.3l6.7 6.7-4.8 4.8L2 7.3z" />
      <circle cx="5" cy="5.3" r=".7" fill="currentColor" />
    </>
  ),
  compare: <path d="M2.5 3h4.5v10H2.5zM9 3h4.5v10H9z" />,
  merge: (
    <>
      <circle cx="4" cy="3.5" r="1.7" />
      <circle cx="4" cy="12.5" r="1.7" />
      <circle cx="12" cy="10" r="1.7" />
      <path d="M4 5.2v5.6M4 5.5c0 3 2.5 4.5 6.3 4.5" />
    </>
  ),
  details: <path d="M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3" />,
  more: (
    <>
      <circle cx="3.5" cy="8" r="1.3" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="1.3" fill="currentColor" stroke="none" />
      <circle cx="12.5" cy="8" r="1.3" fill="currentColor" stroke="none" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="tree-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {SHAPES[name]}
    </svg>
  );
}
