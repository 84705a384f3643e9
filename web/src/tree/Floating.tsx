/** Something beside a node that keeps its own size whatever the zoom, and follows the node as the view moves. */

import { type ReactNode, useLayoutEffect, useRef } from "react";
import { boxAt, type Scene } from "./scene";
import type { Stage } from "./stage";
import { type Box, type Size, toScreen } from "./viewport";

interface FloatingProps {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly index: number;
  /** Where its upper left corner goes, told the node's box on the screen, its own size and that of the view. */
  readonly place: (box: Box, own: Size, view: Size) => { x: number; y: number };
  readonly className: string;
  readonly isHidden?: boolean;
  readonly children: ReactNode;
}

export function Floating({ stage, scene, index, place, className, isHidden, children }: FloatingProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = { width: element.current?.offsetWidth ?? 0, height: element.current?.offsetHeight ?? 0 };
    const follow = () => {
      const { view, size } = stage.camera;
      const { x, y } = place(toScreen(view, boxAt(scene, index)), own, size);
      if (element.current) element.current.style.transform = `translate(${x}px, ${y}px)`;
    };
    follow();
    return stage.follow(follow);
  }, [stage, scene, index, place]);
  return (
    <div ref={element} className={`tree-floating ${className}`} aria-hidden={isHidden}>
      {children}
    </div>
  );
}

/** Above the right end of the node, overlapping it a little so that a pointer gets there; below if there is no room. */
export function aboveEnd(box: Box, own: Size, view: Size): { x: number; y: number } {
  const right = Math.max(box.x + box.width, box.x + box.width / 2 + 14) + 6;
  const above = box.y - own.height + 6;
  return {
    x: within(right - own.width, own.width, view.width),
    y: above < 4 ? box.y + box.height - 2 : above,
  };
}

/** Below the node, or above it. */
export function below(box: Box, own: Size, view: Size): { x: number; y: number } {
  const y = box.y + box.height + 12;
  return {
    x: within(box.x + box.width / 2 - own.width / 2, own.width, view.width),
    y: y + own.height > view.height - 4 ? box.y - own.height - 12 : y,
  };
}

function within(start: number, length: number, room: number): number {
  return Math.max(Math.min(start, room - length - 4), 4);
}
