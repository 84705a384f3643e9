/** The nodes that are elements: those in view while it is near enough to read, and always the one with the focus. */

import { memo } from "react";
import type { OutlineMark, OutlineNode } from "../session/outline";
import { NOWHERE } from "./layout";
import { NodeCard } from "./NodeCard";
import { nodeState } from "./names";
import { boxAt, type Scene } from "./scene";
import type { CardCells } from "./stage";
import type { Words } from "./texts";

interface CardsProps {
  readonly scene: Scene;
  readonly cells: CardCells;
  readonly focused: number;
  readonly hits: ReadonlySet<number>;
  readonly shownHit: number;
  readonly words: Words;
}

const NO_MARKS: readonly OutlineMark[] = [];

export const Cards = memo(function Cards({ scene, cells, focused, hits, shownHit, words }: CardsProps) {
  const { layout, outline } = scene;
  return shown(scene, cells, focused).map((index) => {
    const node = scene.nodes[index] as OutlineNode;
    const parent = layout.parents[index] as number;
    const position = (layout.ordinals[index] as number) + 1;
    const marksBelow = outline.marks(node.id);
    const marksAbove = parent === NOWHERE && position === 1 ? outline.marks(null) : NO_MARKS;
    const { x, y } = boxAt(scene, index);
    return (
      <NodeCard
        key={node.id}
        index={index}
        node={node}
        state={nodeState(scene, index, words)}
        x={x}
        y={y}
        level={(layout.rows[index] as number) + 1}
        position={position}
        siblings={parent === NOWHERE ? layout.rootCount : (layout.childCounts[parent] as number)}
        branches={layout.childCounts[index] as number}
        folded={scene.folded[index] ? (scene.below[index] as number) : 0}
        isCurrent={index === scene.current}
        isLeaf={index === scene.leaf && index !== scene.current}
        isOnPath={scene.onPath[index] === 1}
        isHit={hits.has(index)}
        isShownHit={index === shownHit}
        hasTabStop={index === focused}
        marksBelow={marksBelow}
        marksAbove={marksAbove}
        markCount={marksBelow.length + marksAbove.length}
        words={words}
      />
    );
  });
});

/** Indexes in their order, so that React adds and takes away but never moves an element. */
function shown(scene: Scene, cells: CardCells, focused: number): number[] {
  const indexes = new Set<number>();
  if (cells)
    scene.layout.each(cells, (index) => {
      if (index < scene.size && !scene.hidden[index]) indexes.add(index);
    });
  for (const index of [focused, scene.current])
    if (index !== NOWHERE && index < scene.size && !scene.hidden[index]) indexes.add(index);
  return [...indexes].sort((a, b) => a - b);
}
