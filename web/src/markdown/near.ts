/** Tells when an element comes near the visible part of what scrolls it. */

const MARGIN = 1_200;

type Callback = (seen: boolean) => void;

const callbacks = new WeakMap<Element, Callback>();
const observers = new WeakMap<Element | Document, IntersectionObserver>();

/** Calls back once, at once if the element is seen already. Returns how to give up. */
export function whenNear(element: Element, callback: Callback): () => void {
  if (typeof IntersectionObserver === "undefined") {
    callback(true);
    return () => {};
  }
  const scroller = scrollerOf(element);
  const box = element.getBoundingClientRect();
  const view = scroller?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight };
  if (box.top < view.bottom && box.bottom > view.top) {
    callback(true);
    return () => {};
  }
  const observer = observerOf(scroller);
  callbacks.set(element, callback);
  observer.observe(element);
  return () => observer.unobserve(element);
}

function observerOf(scroller: Element | null): IntersectionObserver {
  const key = scroller ?? document;
  const known = observers.get(key);
  if (known) return known;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        callbacks.get(target)?.(false);
      }
    },
    // Margins count from the root, so it has to be what really scrolls.
    { root: scroller, rootMargin: `${MARGIN}px 0px` },
  );
  observers.set(key, observer);
  return observer;
}

function scrollerOf(element: Element): Element | null {
  for (
    let parent = element.parentElement;
    parent && parent !== document.body;
    parent = parent.parentElement
  ) {
    if (/auto|scroll|overlay/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return null;
}
