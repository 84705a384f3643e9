/** Which subtrees are folded: kept for this window and session, by the id of its first root. */

import { useCallback, useState } from "react";
import { keptForWindow } from "../api/kept";
import { NOWHERE } from "./layout";
import type { Scene } from "./scene";

export type Folds = ReadonlySet<string>;

const NONE: Folds = new Set();

interface Kept {
  rootId: string | null;
  folds: Folds;
}

export function useFolds(rootId: string | null): [Folds, (next: Folds) => void] {
  const [kept, setKept] = useState<Kept>(() => load(rootId));
  let now = kept;
  if (kept.rootId !== rootId) {
    now = load(rootId);
    setKept(now);
  }
  const change = useCallback(
    (folds: Folds) => {
      save(rootId, folds);
      setKept({ rootId, folds });
    },
    [rootId],
  );
  return [now.folds, change];
}

/** Folds all that lies beside the way to where one is; what can be gone to next from there stays to be seen. */
export function foldsBesidePath(scene: Scene): Folds {
  const folds = new Set<string>();
  for (let index = 0; index < scene.size; index += 1) {
    const parent = scene.layout.parents[index] as number;
    const isBeside = !scene.onPath[index] && (parent === NOWHERE || scene.onPath[parent]);
    if (isBeside && scene.layout.childCounts[index]) folds.add(scene.layout.ids[index] as string);
  }
  return folds;
}

export function toggled(folds: Folds, id: string): Folds {
  const next = new Set(folds);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Nothing above a node is folded any more; the same set if nothing was. */
export function unfoldedTo(folds: Folds, scene: Scene, index: number): Folds {
  if (!scene.hidden[index]) return folds;
  const next = new Set(folds);
  const { parents, ids } = scene.layout;
  for (let up = parents[index] as number; up !== NOWHERE; up = parents[up] as number)
    next.delete(ids[up] as string);
  return next;
}

function key(rootId: string): string {
  return `graph_session.folds.${rootId}`;
}

function load(rootId: string | null): Kept {
  if (rootId === null) return { rootId, folds: NONE };
  try {
    const ids: unknown = JSON.parse(keptForWindow.getItem(key(rootId)) ?? "[]");
    return { rootId, folds: Array.isArray(ids) ? new Set(ids.map(String)) : NONE };
  } catch {
    // It is not ours.
    return { rootId, folds: NONE };
  }
}

function save(rootId: string | null, folds: Folds): void {
  if (rootId === null) return;
  if (folds.size === 0) keptForWindow.removeItem(key(rootId));
  else keptForWindow.setItem(key(rootId), JSON.stringify([...folds]));
}
