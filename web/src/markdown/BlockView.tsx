/** One top-level block of an answer. Parsed again only when its text, or a definition it uses, changes. */

import { memo, type ReactNode, useMemo } from "react";
import { type Block, codeOf, formulaOf } from "./blocks";
import { CodeBlock } from "./CodeBlock";
import { LargeText } from "./LargeText";
import { tooHard } from "./limits";
import { Maths } from "./Maths";
import { mend } from "./mend";
import type { Part } from "./pages";
import { parse } from "./parse";
import { visibleOverrides } from "./visible";

interface BlockViewProps {
  part: Part;
  /** The last of an answer that still streams. */
  live: boolean;
}

export const BlockView = memo(function BlockView({ part, live }: BlockViewProps) {
  const content = useMemo(() => contentOf(part, live), [part, live]);
  return (
    <div className="md-block" dir="auto">
      {content}
    </div>
  );
});

function contentOf({ block, preamble }: Part, live: boolean): ReactNode {
  if (block.kind !== "code" && tooHard(block.text)) return asWritten(block);
  switch (block.kind) {
    case "code": {
      const { code, language } = codeOf(live ? withoutHalfEnd(block) : block);
      // Half a name would be shown, and maybe known.
      const named = !live || /[\r\n]/.test(block.text);
      return <CodeBlock code={code} language={named ? language : null} growing={live && block.open} />;
    }
    case "maths":
      // Without an end, and none to come, it was no formula.
      if (!block.open || live) return <Maths source={formulaOf(block)} display open={block.open} />;
      return parse(block.text, preamble) ?? asWritten(block);
    case "html":
      return <p className="md-literal">{visibleOverrides(block.text.trimEnd())}</p>;
    case "markdown":
      if (block.text.trim() === "") return null;
      return parse(live ? mend(block.text) : block.text, preamble) ?? asWritten(block);
  }
}

function asWritten({ text }: Block): ReactNode {
  return <LargeText text={text.trimEnd()} copy />;
}

/** While the closing line of code arrives character by character, it is not shown as code. */
function withoutHalfEnd(block: Block): Block {
  const text = block.open ? block.text.replace(/(\r\n?|\n) {0,3}(?:`{1,2}|~{1,2})$/, "$1") : block.text;
  return { ...block, text };
}
