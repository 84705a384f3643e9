/** Code: with its language, a button to copy it, colours where they can be had, and a long one cut. */

import { memo, useId, useMemo, useState } from "react";
import { count } from "../i18n/texts";
import { CopyButton } from "./CopyButton";
import { cutAt, lineCount, size } from "./cut";
import { lazy } from "./lazy";
import { hasLongLine } from "./limits";
import { Pieces } from "./Pieces";
import { words } from "./texts";
import { useScrolls } from "./useScrolls";
import { visibleControls } from "./visible";
import "./markdown.css";

export const highlighter = lazy(() => import("./highlight"));

/** More is shown without colours: they take time for every character, and an element for every word. */
const MOST_COLOURED = 30_000;
const MOST_COLOURED_LINES = 2_000;
/** From so many lines on only the first are shown. */
const LONG = 200;
const CUT_LINES = 30;
const CUT_CHARACTERS = 4_000;
/** Growing code is coloured anew whenever it has grown by so much. */
const STEP = 2_000;
/** Code up to this size is one text. */
const ONE_TEXT = 20_000;
const LONGEST_NAME = 30;

interface CodeBlockProps {
  code: string;
  language?: string | null;
  /** Still being written: shown as far as it has come, and left so. */
  growing?: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, growing = false }: CodeBlockProps) {
  const [open, setOpen] = useState(growing);
  const [wrap, setWrap] = useState(false);
  const [ref, scrolls] = useScrolls<HTMLPreElement>();
  const id = useId();
  const say = words.use();

  const lines = useMemo(() => lineCount(code), [code]);
  const longLine = useMemo(() => hasLongLine(code), [code]);
  const long = lines > LONG || longLine;
  const shown = long && !open ? code.slice(0, cutAt(code, 0, CUT_LINES, CUT_CHARACTERS)) : code;
  const name = visibleControls((language ?? "").slice(0, LONGEST_NAME));
  return (
    <div className="md-code">
      <div className="md-code-head">
        <span className="md-code-language">{name || say.code}</span>
        <div className="md-actions">
          <button type="button" aria-pressed={wrap} aria-controls={id} onClick={() => setWrap(!wrap)}>
            {say.wrap}
          </button>
          <CopyButton text={code} />
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <pre
        id={id}
        ref={ref}
        dir="ltr"
        className={wrap ? "md-wrap" : undefined}
        role="group"
        aria-label={name ? say.codeIn(name) : say.code}
        tabIndex={scrolls ? 0 : undefined}
      >
        <Code
          code={shown}
          language={lines > MOST_COLOURED_LINES || longLine ? null : language}
          growing={growing}
        />
      </pre>
      {long && (
        <div className="md-actions md-code-foot">
          <button
            type="button"
            className="md-more"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {open ? say.showLess : lines > LONG ? say.showAllLines(count(lines)) : say.showAll(size(code))}
          </button>
        </div>
      )}
    </div>
  );
});

interface CodeProps {
  code: string;
  language: string | null | undefined;
  growing: boolean;
}

const Code = memo(function Code({ code, language, growing }: CodeProps) {
  // "c++" and "objective-c" are names; "{.python" and "python:file.py" hold one.
  const name = /[\w+#-]+/.exec(language ?? "")?.[0] ?? "";
  const colours = highlighter.use(name !== "" && code.length <= MOST_COLOURED);
  const end =
    growing && code.length > STEP
      ? code.lastIndexOf("\n", code.length - (code.length % STEP)) + 1
      : code.length;
  const settled = code.slice(0, end);
  const coloured = useMemo(() => colours?.highlight(settled, name) ?? null, [colours, settled, name]);
  if (coloured) {
    return (
      <code>
        {coloured}
        {visibleControls(code.slice(end))}
      </code>
    );
  }
  return (
    <code>
      {code.length > ONE_TEXT ? <Pieces text={code} visible={visibleControls} /> : visibleControls(code)}
    </code>
  );
});
