/**
 * Keeps the place in the thread: at the end while an answer comes, on the same turn when others are shown above it or
 * another version of it is, and at the end again where one goes elsewhere.
 *
 * What grows above the view by itself is left to the browser, which does not disturb a person's scrolling; one that
 * cannot (Safari) is helped.
 */

import { createContext } from "react";
import { nearsStart, offersEnd, roomBelow, sticks } from "./scroll";

interface Heard {
  /** Whether to offer the way to the end. */
  far: (isFar: boolean) => void;
  /** What lies above should be read. */
  nearStart: () => void;
}

interface Anchor {
  readonly element: Element;
  /** Its distance from the top of the view. */
  readonly top: number;
}

interface Walk {
  readonly place: string;
  readonly nodeId: string;
  readonly top: number;
}

const BY_A_PERSON = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
const HELPED = typeof CSS !== "undefined" && !CSS.supports?.("overflow-anchor", "auto");

export class ThreadScroll {
  private parts: { view: HTMLElement; list: HTMLElement; room: HTMLElement } | null = null;
  private stuck = true;
  private isFar = false;
  private top = 0;
  private roomHeight = 0;
  private anchor: Anchor | null = null;
  private walk: Walk | null = null;
  /** What one walked to: until a person scrolls it stays where it is, also while what is below it takes its shape. */
  private held: Anchor | null = null;
  private shown: { at: string | null; content: unknown } | null = null;

  constructor(private readonly heard: Heard) {}

  /** view: what scrolls; in it the list of turns, and below that an empty element for room. Returns how to stop. */
  attach(view: HTMLElement, list: HTMLElement, room: HTMLElement): () => void {
    this.parts = { view, list, room };
    const onScroll = () => this.scrolled();
    const letGo = () => {
      this.held = null;
    };
    const observer = new ResizeObserver(() => this.resized());
    view.addEventListener("scroll", onScroll, { passive: true });
    for (const by of BY_A_PERSON) view.addEventListener(by, letGo, { passive: true });
    observer.observe(view);
    observer.observe(list);
    return () => {
      view.removeEventListener("scroll", onScroll);
      for (const by of BY_A_PERSON) view.removeEventListener(by, letGo);
      observer.disconnect();
      this.parts = null;
    };
  }

  /** One goes to another version of the turn in this article, which is to stay where it is. */
  beginWalk(article: HTMLElement, nodeId: string): void {
    if (!this.parts) return;
    const top = article.getBoundingClientRect().top - this.parts.view.getBoundingClientRect().top;
    this.walk = { place: article.dataset.place ?? "", nodeId, top };
    this.stuck = false;
  }

  /** The page has changed. at: the place that is shown; content: another object where what is shown is another. */
  settle(at: string | null, content: unknown): void {
    if (!this.parts) return;
    const entered = this.shown === null || this.shown.at !== at;
    const changed = this.shown?.content !== content;
    this.shown = { at, content };
    if (this.walk) {
      const article = this.parts.list.querySelector<HTMLElement>(
        `[data-place="${CSS.escape(this.walk.place)}"]`,
      );
      if (article?.dataset.node === this.walk.nodeId) {
        this.held = { element: article, top: this.walk.top };
        this.walk = null;
        this.hold();
        this.settled();
        return;
      }
      // Until its turns have been read, those that were shown stay.
      if (!changed) return;
      this.walk = null;
      this.stuck = true;
    }
    if (entered) {
      this.stuck = true;
      this.held = null;
    }
    if (this.held) this.hold();
    else if (this.stuck) this.goToEnd();
    else this.keepAnchor();
    this.settled();
  }

  /** Go to the end and stay there. */
  toEnd(): void {
    if (!this.parts) return;
    this.stuck = true;
    this.held = null;
    this.setRoom(0);
    this.parts.view.scrollTo({ top: this.endTop(), behavior: "smooth" });
    this.tell();
  }

  /** Keep what one walked to in its place, with room below it where its branch is short. */
  private hold(): void {
    if (!this.parts || !this.held) return;
    const { view } = this.parts;
    const { element, top: wanted } = this.held;
    const is = element.getBoundingClientRect().top - view.getBoundingClientRect().top;
    const top = view.scrollTop + is - wanted;
    this.setRoom(roomBelow(top, this.endTop()));
    this.setTop(top);
  }

  private scrolled(): void {
    if (!this.parts) return;
    const top = this.parts.view.scrollTop;
    // What was set here has been thought of; and the room below the end is not the end.
    if (this.held || this.roomHeight > 0) this.stuck = false;
    else if (Math.abs(top - this.top) >= 1)
      this.stuck = sticks(this.stuck, { before: this.top, top, endTop: this.endTop() });
    this.top = top;
    this.settled();
  }

  private resized(): void {
    if (!this.parts) return;
    if (this.held) this.hold();
    else if (this.stuck) this.goToEnd();
    else if (HELPED) this.keepAnchor();
    this.settled();
  }

  private settled(): void {
    if (this.roomHeight > 0 && this.parts && !this.held)
      this.setRoom(Math.min(this.roomHeight, roomBelow(this.parts.view.scrollTop, this.endTop())));
    this.remember();
    this.tell();
  }

  private tell(): void {
    if (!this.parts) return;
    const { view } = this.parts;
    const isFar = offersEnd(this.stuck, { top: view.scrollTop, endTop: this.endTop() });
    if (isFar !== this.isFar) {
      this.isFar = isFar;
      this.heard.far(isFar);
    }
    if (nearsStart(view.scrollTop, view.clientHeight)) this.heard.nearStart();
  }

  private goToEnd(): void {
    this.setRoom(0);
    this.setTop(Math.max(0, this.endTop()));
  }

  /** Where the view shows the end of the list; below 0 where all of it is seen. */
  private endTop(): number {
    if (!this.parts) return 0;
    const { view, list } = this.parts;
    return Math.ceil(list.offsetTop + list.offsetHeight - view.clientHeight);
  }

  private setTop(top: number): void {
    if (!this.parts) return;
    const { view } = this.parts;
    if (Math.abs(view.scrollTop - top) >= 1) view.scrollTop = top;
    this.top = view.scrollTop;
  }

  private setRoom(height: number): void {
    if (!this.parts || height === this.roomHeight) return;
    this.roomHeight = height;
    this.parts.room.style.height = `${height}px`;
  }

  /** The first turn in view, to come back to. */
  private remember(): void {
    if (!this.parts) return;
    const { view, list } = this.parts;
    const edge = view.getBoundingClientRect().top;
    let [from, to] = [0, list.children.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const child = list.children[middle];
      if (child && child.getBoundingClientRect().bottom <= edge) from = middle + 1;
      else to = middle;
    }
    // What is said above the turns stays above them.
    let element = list.children[from] ?? null;
    while (element && !(element as HTMLElement).dataset.place) element = element.nextElementSibling;
    this.anchor = element ? { element, top: element.getBoundingClientRect().top - edge } : null;
  }

  private keepAnchor(): void {
    if (!this.parts || !this.anchor?.element.isConnected) return;
    const { view } = this.parts;
    const top = this.anchor.element.getBoundingClientRect().top - view.getBoundingClientRect().top;
    this.setTop(view.scrollTop + top - this.anchor.top);
  }
}

export const ThreadScrollContext = createContext<ThreadScroll | null>(null);
