/** Where one is stays in view when it changes, unless the person has just looked elsewhere. */

import { useLayoutEffect, useRef } from "react";
import { NOWHERE } from "./layout";
import type { Scene } from "./scene";
import type { Stage } from "./stage";

interface Following {
  /** The person asks to go there by the tree itself: then that is shown whatever they looked at. */
  expect(id: string): void;
}

/** `onMoved` is told where one has come to. */
export function useFollowing(stage: Stage | null, scene: Scene, onMoved: (index: number) => void): Following {
  const before = useRef({ layout: scene.layout, current: NOWHERE, children: 0 });
  const expected = useRef<string | null>(null);
  const moved = useRef(onMoved);

  useLayoutEffect(() => {
    moved.current = onMoved;
  });
  useLayoutEffect(() => {
    const { layout, current } = scene;
    if (!stage || current === NOWHERE) return;
    const was = before.current;
    const children = layout.childCounts[current] as number;
    before.current = { layout, current, children };
    const isOther = was.current !== current || was.layout !== layout;
    if (isOther) moved.current(current);
    if (!isOther && was.children === children) return;
    if (was.layout !== layout || was.current === NOWHERE) {
      // At the start the first view has it already.
      stage.reveal(current);
    } else if (expected.current === layout.ids[current]) {
      stage.reveal(current);
    } else {
      // A new answer below counts as well, but not more than the place itself.
      const newest = scene.outline.children(layout.ids[current] as string).at(-1);
      if (!isOther && newest !== undefined) stage.revealUnasked(layout.indexOf(newest), current);
      stage.revealUnasked(current, was.current);
    }
    if (isOther) expected.current = null;
  }, [stage, scene]);

  return {
    expect(id) {
      expected.current = id;
    },
  };
}
