/**
 * The view as it is moved: by mouse, wheel, fingers (d3-zoom tells pinch from drag), or by the page, which moves it
 * smoothly unless the person wants less motion. It knows nothing of what is seen.
 */

import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import { isIn } from "./dom";
import { type Box, between, clamped, MAX_ZOOM, minZoom, type Size, type View, zoomed } from "./viewport";

const MOTION_MS = 240;
const LINE_PX = 18;
/** What lies over the tree has drags of its own, and the menu its own scrolling; a wheel elsewhere is for the tree. */
const DRAGGED = ".tree-box";
const SCROLLED = ".tree-menu";
/** A notch of a wheel zooms by no more than this power of two; the small steps of a touchpad are taken as they are. */
const WHEEL_STEP = 0.35;

export interface CameraEvents {
  /** The view has changed. */
  onView: () => void;
  /** A person has begun to move it. */
  onGrab: () => void;
}

export class Camera {
  view: View = { x: 0, y: 0, k: 1 };
  size: Size = { width: 0, height: 0 };
  /** When a person last moved it; not at all: -Infinity. */
  movedAt = Number.NEGATIVE_INFINITY;
  /** A gesture is going on. */
  isGrabbed = false;

  private tree: Box = { x: 0, y: 0, width: 1, height: 1 };
  private readonly behavior: ZoomBehavior<HTMLElement, unknown>;
  private frame = 0;
  private goal: View | null = null;

  constructor(
    private readonly element: HTMLElement,
    private readonly events: CameraEvents,
  ) {
    this.behavior = zoom<HTMLElement, unknown>()
      .clickDistance(5)
      .filter((event: MouseEvent | TouchEvent) => isZoomWheel(event) || isDrag(event))
      .wheelDelta((event) => {
        const delta = -event.deltaY * (event.deltaMode === 0 ? 0.01 : 0.01 * LINE_PX);
        return Math.min(Math.max(delta, -WHEEL_STEP), WHEEL_STEP);
      })
      .constrain((transform) => {
        const { x, y, k } = clamped(transform, this.size, this.tree);
        return zoomIdentity.translate(x, y).scale(k);
      })
      .on("start", (event: D3ZoomEvent<HTMLElement, unknown>) => {
        if (!event.sourceEvent) return;
        this.stop();
        this.isGrabbed = true;
        this.events.onGrab();
      })
      .on("end", () => {
        this.isGrabbed = false;
      })
      .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => {
        const { x, y, k } = event.transform;
        this.view = { x, y, k };
        if (event.sourceEvent) this.movedAt = performance.now();
        this.events.onView();
      });
    select(element).call(this.behavior).on("dblclick.zoom", null);
    element.addEventListener("wheel", this.scroll, { passive: false });
  }

  destroy(): void {
    this.stop();
    select(this.element).on(".zoom", null);
    this.element.removeEventListener("wheel", this.scroll);
  }

  /** How large the box on the screen is, and the tree in the world. */
  measure(size: Size, tree: Box): void {
    this.size = size;
    this.tree = tree;
    this.behavior
      .extent([
        [0, 0],
        [size.width, size.height],
      ])
      .scaleExtent([minZoom(size, tree), MAX_ZOOM]);
  }

  /** Where the view is, or is on its way to. */
  get target(): View {
    return this.goal ?? this.view;
  }

  set(view: View): void {
    this.stop();
    this.apply(view);
  }

  moveTo(view: View): void {
    const from = this.view;
    if (prefersStill()) {
      this.set(view);
      return;
    }
    this.stop();
    this.goal = view;
    let start: number | null = null;
    const step = (time: number) => {
      start ??= time;
      const part = Math.min((time - start) / MOTION_MS, 1);
      this.apply(between(from, view, this.size, 1 - (1 - part) ** 3));
      if (part < 1) this.frame = requestAnimationFrame(step);
      else this.goal = null;
    };
    this.frame = requestAnimationFrame(step);
  }

  /** Zoom about the middle. */
  zoomBy(factor: number): void {
    const { view, size } = { view: this.target, size: this.size };
    const [min, max] = this.behavior.scaleExtent();
    const k = Math.min(Math.max(view.k * factor, min), max);
    this.movedAt = performance.now();
    this.moveTo(zoomed(view, k, { x: size.width / 2, y: size.height / 2 }));
  }

  /** By a person, without a gesture that d3-zoom knows. */
  panBy(dx: number, dy: number): void {
    this.movedAt = performance.now();
    this.events.onGrab();
    const { x, y, k } = this.view;
    this.set({ x: x + dx, y: y + dy, k });
  }

  private apply(view: View): void {
    const { x, y, k } = clamped(view, this.size, this.tree);
    this.behavior.transform(select(this.element), zoomIdentity.translate(x, y).scale(k));
  }

  private stop(): void {
    cancelAnimationFrame(this.frame);
    this.goal = null;
  }

  /** A wheel without Ctrl moves the view, as it scrolls any page; a tree is mostly high. */
  private readonly scroll = (event: WheelEvent) => {
    if (isZoomWheel(event) || isIn(event.target, SCROLLED)) return;
    event.preventDefault();
    const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? LINE_PX : this.size.height;
    const isSideways = event.shiftKey && event.deltaX === 0;
    const [dx, dy] = isSideways ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    this.panBy(-dx * unit, -dy * unit);
  };
}

export function prefersStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function isZoomWheel(event: Event): boolean {
  // A pinch on a touchpad comes as a wheel with Ctrl.
  return event.type === "wheel" && ((event as WheelEvent).ctrlKey || (event as WheelEvent).metaKey);
}

function isDrag(event: MouseEvent | TouchEvent): boolean {
  if (event.type === "wheel" || !isIn(event.target, DRAGGED)) return false;
  return event.type.startsWith("touch") || (!event.ctrlKey && (event as MouseEvent).button <= 1);
}
