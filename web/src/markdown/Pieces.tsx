/** Shows a long text in steps, so that no step keeps the page waiting. */

import { memo, useEffect, useMemo, useState } from "react";
import { lineCount, pieces } from "./cut";

const AT_ONCE = 8;
const LONGEST_LINE = 120;

interface PiecesProps {
  text: string;
  /** What to write of steering characters. */
  visible: (text: string) => string;
}

const Piece = memo(function Piece({ text, visible }: PiecesProps) {
  // What it measures while it is out of sight; a line of prose wraps.
  const lines = Math.max(lineCount(text), text.length / LONGEST_LINE);
  return (
    <span className="md-piece" style={{ containIntrinsicSize: `auto none auto ${Math.ceil(lines)}lh` }}>
      {visible(text)}
    </span>
  );
});

export function Pieces({ text, visible }: PiecesProps) {
  const all = useMemo(() => pieces(text), [text]);
  const [shown, setShown] = useState(AT_ONCE);
  const more = shown < all.length;
  useEffect(() => {
    if (!more) return;
    const timer = setTimeout(() => setShown(shown + AT_ONCE), 16);
    return () => clearTimeout(timer);
  }, [more, shown]);
  return all.slice(0, shown).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other order
    <Piece key={index} text={piece} visible={visible} />
  ));
}
