/** One node as an element: what can be read and focused. It is drawn anew only when something of it changes. */

import { memo } from "react";
import type { OutlineMark, OutlineNode } from "../session/outline";
import { Icon } from "./icons";
import { signsOf } from "./names";
import type { Words } from "./texts";
import { CARD } from "./viewport";

export interface CardProps {
  readonly index: number;
  readonly node: OutlineNode;
  /** Its marks in words, for who does not see them. */
  readonly state: string;
  readonly x: number;
  readonly y: number;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly branches: number;
  /** How many nodes its fold hides; 0: it is not folded. */
  readonly folded: number;
  readonly isCurrent: boolean;
  readonly isLeaf: boolean;
  readonly isOnPath: boolean;
  readonly isHit: boolean;
  readonly isShownHit: boolean;
  readonly hasTabStop: boolean;
  readonly marksBelow: readonly OutlineMark[];
  readonly marksAbove: readonly OutlineMark[];
  /** The lists of marks grow in place; this tells that they did. */
  readonly markCount: number;
  readonly words: Words;
}

export const NodeCard = memo(function NodeCard(props: CardProps) {
  const { node, words, branches, folded } = props;
  const classes = [
    "tree-card",
    props.isOnPath && "tree-card-on-path",
    node.isAnchor && "tree-card-anchor",
    props.isHit && "tree-card-hit",
    props.isShownHit && "tree-card-shown-hit",
    props.isCurrent && "tree-card-current",
  ];
  return (
    <div
      role="treeitem"
      className={classes.filter(Boolean).join(" ")}
      style={{ left: props.x, top: props.y, width: CARD.width, height: CARD.height }}
      data-index={props.index}
      tabIndex={props.hasTabStop ? 0 : -1}
      aria-level={props.level}
      aria-posinset={props.position}
      aria-setsize={props.siblings}
      aria-expanded={branches === 0 ? undefined : folded === 0}
      aria-selected={props.isCurrent}
      aria-current={props.isCurrent ? "true" : undefined}
    >
      <CardContent node={node} isLeaf={props.isLeaf} words={words} />
      {props.state && <span className="hidden-text">{props.state}</span>}
      {props.marksAbove.length > 0 && <Marks marks={props.marksAbove} where="above" words={words} />}
      {props.marksBelow.length > 0 && <Marks marks={props.marksBelow} where="below" words={words} />}
      {branches > 0 && <FoldPill branches={branches} folded={folded} words={words} />}
    </div>
  );
});

/** What is written on a card, in the tree or enlarged beside it. */
export function CardContent({ node, isLeaf, words }: { node: OutlineNode; isLeaf: boolean; words: Words }) {
  const signs = signsOf(node, isLeaf);
  return (
    <>
      <span className="tree-card-text">
        {node.label && (
          <span className="tree-chip" title={node.label}>
            <bdi>{node.label}</bdi>
          </span>
        )}
        <span
          className={node.label ? "tree-question tree-question-short" : "tree-question"}
          title={node.question}
        >
          <bdi>{node.question || words.noQuestion}</bdi>
        </span>
      </span>
      {signs.length > 0 && (
        <span className="tree-signs" aria-hidden="true">
          {signs.map((sign) => (
            <span key={sign} className={`tree-sign tree-sign-${sign}`} title={words[sign]}>
              <Icon name={sign} />
            </span>
          ))}
        </span>
      )}
    </>
  );
}

interface MarksProps {
  readonly marks: readonly OutlineMark[];
  readonly where: "above" | "below";
  readonly words: Words;
}

/** Compactions and branch summaries on the edge that they stand on. */
function Marks({ marks, where, words }: MarksProps) {
  return (
    <span className={`tree-marks tree-marks-${where}`} aria-hidden="true">
      {marks.map((mark) => (
        <Mark key={mark.entryId} type={mark.type} words={words} />
      ))}
    </span>
  );
}

export function Mark({ type, words }: { type: OutlineMark["type"]; words: Words }) {
  const [name, title] =
    type === "COMPACTION"
      ? (["compaction", words.legendCompaction] as const)
      : (["branchSummary", words.legendBranch] as const);
  return (
    <span className={`tree-mark tree-mark-${name}`} title={title}>
      <Icon name={name} />
    </span>
  );
}

/**
 * How many ways go on from here, or how many nodes are folded away; folds and unfolds. It is for pointers: what it says
 * and does is in the node's own name, keys and menu.
 */
function FoldPill({ branches, folded, words }: { branches: number; folded: number; words: Words }) {
  const isQuiet = folded === 0 && branches === 1;
  return (
    <span
      className={`tree-pill${folded ? " tree-pill-folded" : ""}${isQuiet ? " tree-pill-quiet" : ""}`}
      aria-hidden="true"
      data-action="fold"
      title={folded ? words.unfold : words.fold}
    >
      <span>{folded ? `+${folded}` : isQuiet ? "−" : branches}</span>
    </span>
  );
}
