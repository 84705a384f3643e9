/** Whether an element scrolls, for then the keyboard must be able to reach it. */

import { type RefObject, useEffect, useRef, useState } from "react";

export function useScrolls<T extends HTMLElement>(): [RefObject<T | null>, boolean] {
  const ref = useRef<T>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      setScrolls(scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1);
    });
    observer.observe(element);
    // What it holds may grow while its own box stays.
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return [ref, scrolls];
}
