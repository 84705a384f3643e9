/** The text of a streaming answer, taken over no more often than the page can show it. */

import { useEffect, useLayoutEffect, useRef, useState } from "react";

const SHORTEST = 30;
const LONGEST = 500;
/** So many times longer than the last step took is waited for the next. */
const REST = 4;

export function useSteady(text: string, streaming: boolean): string {
  const [shown, setShown] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(text);
  const started = useRef(0);
  const pause = useRef(SHORTEST);

  useLayoutEffect(() => {
    if (started.current === 0) return;
    pause.current = Math.min(LONGEST, Math.max(SHORTEST, REST * (performance.now() - started.current)));
    started.current = 0;
  });

  useEffect(() => {
    latest.current = text;
    if (!streaming || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      started.current = performance.now();
      setShown(latest.current);
    }, pause.current);
  }, [text, streaming]);

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  return streaming ? shown : text;
}
