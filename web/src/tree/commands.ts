/** What each command does to a node: asked for by a key, a click, the bar or the menu. */

import { type Folds, toggled } from "./folds";
import { type Command, moved } from "./keys";
import { NOWHERE } from "./layout";
import { type Scene, shownFor } from "./scene";
import type { Stage } from "./stage";

export const ZOOM_STEP = 1.5;

export interface Acting {
  readonly scene: Scene;
  readonly stage: Stage | null;
  readonly folds: Folds;
  setFolds(folds: Folds): void;
  /** Bring the keyboard to a node, and the node into view. */
  focusOn(index: number): void;
  openMenu(index: number): void;
  openFind(): void;
  /** The commands that are for the rest of the page. */
  tell(command: Told, id: string): void;
}

export type Told = "go" | "fork" | "label" | "compare" | "merge" | "details";

export function perform(acting: Acting, command: Command, index: number): void {
  const { scene, stage, folds } = acting;
  const { layout } = scene;
  const id = layout.ids[index];
  if (id === undefined || isOff(scene, command, index)) return;
  switch (command) {
    case "go":
    case "fork":
    case "label":
    case "compare":
    case "merge":
    case "details":
      acting.tell(command, id);
      return;
    case "fold":
      acting.setFolds(toggled(folds, id));
      acting.focusOn(index);
      return;
    case "menu":
      acting.openMenu(index);
      return;
    case "find":
      acting.openFind();
      return;
    case "zoomIn":
      stage?.camera.zoomBy(ZOOM_STEP);
      return;
    case "zoomOut":
      stage?.camera.zoomBy(1 / ZOOM_STEP);
      return;
    case "fit":
      stage?.fit();
      return;
    default:
      move(acting, command, index, id);
  }
}

function move(acting: Acting, command: Command, index: number, id: string): void {
  const { scene, folds } = acting;
  const { layout, onPath, outline } = scene;
  const children = (at: number) => {
    const ids = outline.children(at === NOWHERE ? null : (layout.ids[at] as string));
    return ids.map((child) => layout.indexOf(child));
  };
  const next = moved({ layout, onPath, children }, index, command);
  if (command === "child" && scene.folded[index]) {
    acting.setFolds(toggled(folds, id));
    acting.focusOn(next);
  } else {
    acting.focusOn(shownFor(scene, next));
  }
}

/** Whether a command has no sense for a node. */
export function isOff(scene: Scene, command: Command, index: number): boolean {
  switch (command) {
    case "compare":
      return scene.current === NOWHERE || index === scene.current;
    case "merge":
      // What is on the way to where one is, is there already.
      return scene.current === NOWHERE || scene.onPath[index] === 1;
    case "fold":
      return !scene.layout.childCounts[index];
    default:
      return false;
  }
}
