import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { words } from "../texts";

/** As the style sheet has it. */
const LINE = 1.55;

/** A long text, of which some lines are shown until one asks for the rest. */
export function Folded({ lines = 4, children }: { lines?: number; children: ReactNode }) {
  const text = words.use();
  const id = useId();
  const content = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);
  useEffect(() => {
    const element = content.current;
    if (!element || open) return;
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 2));
    observer.observe(element);
    return () => observer.disconnect();
  }, [open]);
  return (
    <div className="pn-folded">
      <div
        ref={content}
        id={id}
        className={open ? "pn-folded-text" : `pn-folded-text pn-folded-shut${long ? " pn-folded-long" : ""}`}
        style={open ? {} : { maxHeight: `${lines * LINE}em` }}
      >
        {children}
      </div>
      {(long || open) && (
        <button
          type="button"
          className="pn-link"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? text.less : text.all}
        </button>
      )}
    </div>
  );
}
