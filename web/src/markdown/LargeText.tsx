/** A text as it is written: line breaks kept, nothing understood, and a long one cut until it is asked for. */

import { useState } from "react";
import { CopyButton } from "./CopyButton";
import { cutAt, size } from "./cut";
import { Pieces } from "./Pieces";
import { words } from "./texts";
import { visibleOverrides } from "./visible";

const CUT_LINES = 40;
const CUT_CHARACTERS = 3_000;
/** Nobody wants a button for the last few lines. */
const SLACK = 1.5;

export function LargeText({ text, copy = false }: { text: string; copy?: boolean }) {
  const [open, setOpen] = useState(false);
  const say = words.use();
  const long = cutAt(text, 0, CUT_LINES * SLACK, CUT_CHARACTERS * SLACK) < text.length;
  const shown = long ? text.slice(0, cutAt(text, 0, CUT_LINES, CUT_CHARACTERS)) : text;
  return (
    <div className="md-plain">
      <div className="md-plain-text" dir="auto">
        {open ? <Pieces text={text} visible={visibleOverrides} /> : visibleOverrides(shown)}
        {long && !open && "…"}
      </div>
      {long && (
        <div className="md-actions">
          <button type="button" className="md-more" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? say.showLess : say.showAll(size(text))}
          </button>
          {copy && <CopyButton text={text} />}
        </div>
      )}
    </div>
  );
}
