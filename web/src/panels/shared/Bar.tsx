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
      {parts
        .filter((it) => it.value > 0 && whole > 0)
        .map(({ key, value, colour }) => (
          <span
            key={key}
            className="pn-bar-part"
            style={{ width: `${(100 * value) / whole}%`, background: `var(--${colour})` }}
          />
        ))}
      {children}
    </div>
  );
}
