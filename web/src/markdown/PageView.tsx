/** A group of blocks: its text as written until it comes near what is seen, then parsed. */

import { memo, startTransition, use, useLayoutEffect, useRef, useState } from "react";
import { BlockView } from "./BlockView";
import { AnswerId, footnoteId } from "./elements";
import { whenNear } from "./near";
import type { Page } from "./pages";
import { footnotesOf } from "./references";
import { visibleOverrides } from "./visible";

const LONGEST_WAITING = 20_000;

interface PageViewProps {
  page: Page;
  /** The last of an answer that still streams. */
  live: boolean;
  /** Of a long answer: skipped by the browser when it is out of sight. */
  skipped: boolean;
}

export const PageView = memo(function PageView({ page, live, skipped }: PageViewProps) {
  const [near, setNear] = useState(live);
  const ref = useRef<HTMLDivElement>(null);
  const answer = use(AnswerId);

  useLayoutEffect(() => {
    const element = ref.current;
    if (near || !element) return;
    return whenNear(element, (seen) => {
      // What is seen is parsed before it is painted; what is only near, in between other work.
      if (seen) setNear(true);
      else startTransition(() => setNear(true));
    });
  }, [near]);

  const style = skipped ? { containIntrinsicSize: `auto none auto ${page.height}px` } : undefined;
  if (!near) {
    return (
      <div className="md-page md-waiting" ref={ref} style={style ?? { minHeight: page.height }}>
        {page.parts
          .flatMap((it) => footnotesOf(it.block))
          .map((it) => (
            <span key={it} id={footnoteId(answer, it)} />
          ))}
        {visibleOverrides(textOf(page))}
      </div>
    );
  }
  return (
    <div className={skipped ? "md-page md-skipped" : "md-page"} style={style}>
      {page.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their places
        <BlockView key={index} part={part} live={live && index === page.parts.length - 1} />
      ))}
    </div>
  );
});

function textOf(page: Page): string {
  return page.parts
    .map((it) => it.block.text.slice(0, LONGEST_WAITING))
    .join("")
    .trimEnd();
}
