import type { ReactNode } from "react";

export interface BarPart {
  readonly key: string;
  readonly value: number;
  /** A colour of the style sheet, without the dashes. */
  readonly colour: string;
}

/** A bar of parts, as long as its share of `whole`. The numbers stand beside it, so a screen reader passes it over. */
export function Bar({
  parts,
  whole,
  className = "",
  children,
}: {
  parts: readonly BarPart[];
  whole: number;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <div className={`pn-bar ${className}`} aria-hidden>
      {parts.map(({ key, value, colour }) => (
        <span
          key={key}
          className="pn-bar-part"
          style={{ width: `${whole > 0 ? (100 * value) / whole : 0}%`, background: `var(--${colour})` }}
        />
      ))}
      {children}
    </div>
  );
}
