/** Finding: the text, what it finds, and which hit is shown. */

import { useMemo, useState } from "react";
import { findNodes, nextHit } from "./find";
import { NOWHERE } from "./layout";
import type { Scene } from "./scene";

export interface Find {
  readonly text: string;
  readonly hits: ReadonlySet<number>;
  /** Index of the hit that is shown, or `NOWHERE`; and its place among them, from 1. */
  readonly shown: number;
  readonly at: number;
  type(text: string): void;
  step(step: 1 | -1): void;
}

/** `onShow` is told the node that is to be seen. */
export function useFind(scene: Scene, onShow: (index: number) => void): Find {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(NOWHERE);
  const found = useMemo(() => findNodes(scene.nodes, text), [scene.nodes, text]);
  const hits = useMemo(() => new Set(found), [found]);
  const place = found.indexOf(chosen);

  const show = (index: number | undefined) => {
    setChosen(index ?? NOWHERE);
    if (index !== undefined) onShow(index);
  };
  return {
    text,
    hits,
    shown: place === -1 ? NOWHERE : chosen,
    at: place + 1,
    type(next) {
      setText(next);
      const now = findNodes(scene.nodes, next);
      // What is seen already stays in sight while more letters make it only more certain.
      if (!now.includes(chosen)) show(now[0]);
    },
    step(step) {
      show(found[nextHit(found.length, place, step)]);
    },
  };
}
