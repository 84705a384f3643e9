/** A formula: its source until KaTeX is there, and where it is none. */

import { memo, useMemo } from "react";
import { lazy } from "./lazy";
import { useScrolls } from "./useScrolls";
import { visibleControls } from "./visible";

export const tex = lazy(() => import("./tex"));

/** Wider than a narrow screen, maybe: scrolls by itself. */
const LONG = 60;

interface MathsProps {
  source: string;
  display: boolean;
  /** Its end has not come yet: the source, which need not make sense, is only shown. */
  open?: boolean;
}

export const Maths = memo(function Maths({ source, display, open = false }: MathsProps) {
  const engine = tex.use(!open);
  const formula = useMemo(() => engine?.formula(source, display) ?? null, [engine, source, display]);
  const [ref, scrolls] = useScrolls<HTMLSpanElement>();
  const kind = display
    ? "md-maths md-maths-display"
    : source.length > LONG
      ? "md-maths md-maths-long"
      : "md-maths";
  return (
    <span className={kind} dir="ltr" ref={ref} tabIndex={scrolls ? 0 : undefined}>
      {formula ?? <code>{visibleControls(source)}</code>}
    </span>
  );
});
