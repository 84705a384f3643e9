/**
 * An answer of a model: Markdown with code, tables and maths. Its text is not trusted: it can show anything and do
 * nothing. See blocks.ts for how it is cut, parse.tsx for how a block is read, elements.tsx for what may become of it,
 * limits.ts for what is shown as written.
 */

import { useId, useState } from "react";
import { AnswerId } from "./elements";
import { PageView } from "./PageView";
import { pager } from "./pages";
import { useSteady } from "./useSteady";
import "./markdown.css";

export { CodeBlock } from "./CodeBlock";
export { PlainText } from "./PlainText";
export { visibleControls } from "./visible";

/** Answers of more pages let the browser skip those out of sight. */
const MANY_PAGES = 3;

interface MarkdownProps {
  text: string;
  /** More is to come. */
  streaming?: boolean;
}

export function Markdown({ text, streaming = false }: MarkdownProps) {
  const [toPages] = useState(pager);
  const pages = toPages(useSteady(text, streaming));
  return (
    <AnswerId value={useId()}>
      <div className="md">
        {pages.map((page, index) => {
          const last = index === pages.length - 1;
          return (
            <PageView
              // biome-ignore lint/suspicious/noArrayIndexKey: pages keep their places
              key={index}
              page={page}
              live={streaming && last}
              skipped={pages.length > MANY_PAGES && !last}
            />
          );
        })}
      </div>
    </AnswerId>
  );
}
