/**
 * What moves without React: the view, the layer of cards under it, the canvas, and whatever else follows the view. A
 * frame of panning sets one transform and paints; React is asked only when other cells come into view.
 */

import { Camera } from "./camera";
import { type Cells, NOWHERE } from "./layout";
import { type Marked, paintTree } from "./paint";
import type { Palette } from "./palette";
import { boxAt, type Scene, shownBox } from "./scene";
import {
  type Box,
  cellsAround,
  centredOn,
  contains,
  distance,
  filled,
  fitted,
  isInView,
  keepInView,
  type Point,
  READABLE_ZOOM,
  type Size,
  toScreen,
  type View,
  visibleCells,
} from "./viewport";

/** More cards than this are not made: on a large screen, zoomed out, they are painted. */
const MAX_CARDS = 400;
/** Cards are made for so many cells around the view, so that not every small step makes some. */
const AROUND = 2;
/** A small tree is shown whole at the start, if it can still be read well. */
const WHOLE_FROM_ZOOM = 0.6;
const READING_ZOOM = 0.9;
/** For so long after a person has moved the view away, it stays where it was put. */
const LEFT_ALONE_MS = 4000;
const POINTING_PX = 8;

/** The cells whose nodes are elements; null: all are painted. */
export type CardCells = Cells | null;

interface Elements {
  readonly box: HTMLElement;
  readonly layer: HTMLElement;
  readonly canvas: HTMLCanvasElement;
}

interface StageEvents {
  onCells: (cells: CardCells) => void;
  onGrab: () => void;
}

interface Drawn {
  readonly scene: Scene;
  readonly marked: Marked;
  readonly palette: Palette;
  readonly cards: CardCells;
}

export class Stage {
  readonly camera: Camera;
  private drawn: Drawn | null = null;
  private wanted: CardCells = null;
  private isStarted = false;
  private isOver = false;
  private frame = 0;
  private readonly followers = new Set<() => void>();
  private readonly observer: ResizeObserver;

  constructor(
    private readonly elements: Elements,
    private readonly events: StageEvents,
  ) {
    this.camera = new Camera(elements.box, {
      onView: () => this.draw(),
      onGrab: () => this.events.onGrab(),
    });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(elements.box);
  }

  destroy(): void {
    this.isOver = true;
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    this.camera.destroy();
  }

  /** Draw this from now on. Called when React has put the cards there, so both change in the same frame. */
  show(drawn: Drawn): void {
    // React may have its last word to a stage whose session has been left.
    if (this.isOver) return;
    this.drawn = drawn;
    this.resize();
    this.paint();
  }

  /** Calls in each frame, after the view has moved; returns what ends that. */
  follow(follower: () => void): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  /** The node under a point of the box, or near to it. */
  nodeAt(point: Point): number {
    if (!this.drawn) return NOWHERE;
    const { scene } = this.drawn;
    const { view } = this.camera;
    let [best, nearest] = [NOWHERE, POINTING_PX];
    scene.layout.each(cellsAround(view, point, POINTING_PX), (index) => {
      if (index >= scene.size || scene.hidden[index]) return;
      const far = distance(toScreen(view, boxAt(scene, index)), point);
      if (far < nearest) [best, nearest] = [index, far];
    });
    return best;
  }

  fit(): void {
    if (this.drawn) this.camera.moveTo(fitted(shownBox(this.drawn.scene), this.camera.size));
  }

  /** A node in the middle, near enough to read. */
  centre(index: number): void {
    if (!this.drawn || index === NOWHERE) return;
    const k = Math.max(this.camera.target.k, READING_ZOOM);
    const view = centredOn(boxAt(this.drawn.scene, index), this.camera.size, k);
    this.camera.moveTo(filled(view, this.camera.size, this.drawn.scene.box));
  }

  /** A point of the world in the middle, as a person asks on the map. */
  lookAt({ x, y }: Point): void {
    const { view, size } = this.camera;
    this.camera.panBy(size.width / 2 - x * view.k - view.x, size.height / 2 - y * view.k - view.y);
  }

  /** Have a node in view, with its parent if there is room; of a small tree, all of it. */
  reveal(index: number): void {
    if (!this.drawn || index === NOWHERE || !this.isStarted) return;
    const { scene } = this.drawn;
    const { target, size } = this.camera;
    if (keepInView(target, size, boxAt(scene, index)) === target) return;
    const whole = fitted(shownBox(scene), size);
    const parent = scene.layout.parents[index] as number;
    const above = parent === NOWHERE ? target : keepInView(target, size, boxAt(scene, parent));
    const moved = keepInView(above, size, boxAt(scene, index));
    this.camera.moveTo(whole.k >= WHOLE_FROM_ZOOM ? whole : moved);
  }

  /** The same, where the page wants it and not the person: who has just moved away from `left` is left alone. */
  revealUnasked(index: number, left: number): void {
    if (!this.drawn || this.camera.isGrabbed) return;
    const isFresh = performance.now() - this.camera.movedAt < LEFT_ALONE_MS;
    const { view, size } = this.camera;
    if (isFresh && left !== NOWHERE && !isInView(view, size, boxAt(this.drawn.scene, left))) return;
    this.reveal(index);
  }

  /** Draw in the next frame. */
  draw(): void {
    if (this.frame === 0)
      this.frame = requestAnimationFrame(() => {
        this.paint();
      });
  }

  private resize(): void {
    const { box, canvas } = this.elements;
    const scene = this.drawn?.scene;
    if (!scene) return;
    const size = { width: box.clientWidth, height: box.clientHeight };
    const before = this.camera.size;
    const isNew = size.width !== before.width || size.height !== before.height;
    this.camera.measure(size, scene.box);
    if (isNew) {
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(size.width * ratio);
      canvas.height = Math.round(size.height * ratio);
    }
    if (size.width === 0 || size.height === 0) return;
    if (!this.isStarted) {
      if (scene.size === 0) return;
      this.isStarted = true;
      this.camera.set(firstView(scene, size));
    } else if (isNew && before.width > 0) {
      const { x, y, k } = this.camera.target;
      const moved = { x: x + (size.width - before.width) / 2, y: y + (size.height - before.height) / 2, k };
      const { current } = scene;
      const wasInView = current !== NOWHERE && isInView({ x, y, k }, before, boxAt(scene, current));
      this.camera.set(wasInView ? keepInView(moved, size, boxAt(scene, current)) : moved);
    }
    if (isNew) this.draw();
  }

  private paint(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (!this.drawn || !this.isStarted) return;
    const { view, size } = this.camera;
    this.elements.layer.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    const context = this.elements.canvas.getContext("2d");
    if (context) paintTree(context, this.elements.canvas.width / size.width, { ...this.drawn, view, size });
    for (const follower of this.followers) follower();
    this.askForCards();
  }

  private askForCards(): void {
    const next = this.cardCells();
    if (next === this.wanted) return;
    this.wanted = next;
    this.events.onCells(next);
  }

  private cardCells(): CardCells {
    const { view, size } = this.camera;
    const visible = visibleCells(view, size);
    if (view.k < READABLE_ZOOM) return null;
    const { wanted } = this;
    // Far more cells than are seen would be left over from before one zoomed in.
    if (
      wanted &&
      contains(wanted, visible) &&
      wanted.bottom - wanted.top <= visible.bottom - visible.top + 4 * AROUND
    )
      return wanted;
    for (const more of [AROUND, 0]) {
      const cells = visibleCells(view, size, more);
      let count = 0;
      this.drawn?.scene.layout.each(cells, () => {
        count += 1;
      });
      if (count <= MAX_CARDS) return cells;
    }
    return null;
  }
}

function firstView(scene: Scene, size: Size): View {
  const whole = fitted(shownBox(scene), size);
  if (whole.k >= WHOLE_FROM_ZOOM) return whole;
  const start: Box = boxAt(scene, scene.current === NOWHERE ? 0 : scene.current);
  const view = centredOn(start, size, READING_ZOOM, scene.current === NOWHERE ? 0.2 : 0.6);
  return filled(view, size, scene.box);
}
