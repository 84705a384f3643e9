import { type RefObject, useEffect, useState } from "react";

const MARGIN = 1_000;

type Callback = () => void;

const callbacks = new WeakMap<Element, Callback>();
const observers = new WeakMap<Element, IntersectionObserver>();

/**
 * Whether an element of the thread has come near the part of it that is seen; `at once` for one that is known to be.
 * What nobody sees need not be made: a path may have thousands of turns, each with its buttons.
 */
export function useNear(ref: RefObject<Element | null>, atOnce: boolean): boolean {
  const [isNear, setNear] = useState(atOnce || typeof IntersectionObserver === "undefined");
  useEffect(() => {
    const element = ref.current;
    const thread = element?.closest(".thread");
    if (isNear || !element || !thread) return;
    const observer = observerOf(thread);
    callbacks.set(element, () => setNear(true));
    observer.observe(element);
    return () => observer.unobserve(element);
  }, [ref, isNear]);
  return isNear || atOnce;
}

function observerOf(thread: Element): IntersectionObserver {
  const known = observers.get(thread);
  if (known) return known;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) callbacks.get(target)?.();
    },
    { root: thread, rootMargin: `${MARGIN}px 0px` },
  );
  observers.set(thread, observer);
  return observer;
}
