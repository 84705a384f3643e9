/** What a screen reader says of a node, and what a person sees of its state as marks: told from one place. */

import type { OutlineNode } from "../session/outline";
import type { IconName } from "./icons";
import { NOWHERE } from "./layout";
import type { Scene } from "./scene";
import type { Words } from "./texts";

/** The marks on a card, the most urgent first; the class gives the colour. */
export type Sign = Extract<
  IconName,
  | "running"
  | "failed"
  | "interrupted"
  | "cancelled"
  | "unanswered"
  | "leaf"
  | "anchor"
  | "summaryFailed"
  | "summaryPending"
>;

const STATUS: Readonly<Partial<Record<OutlineNode["status"], Sign>>> = {
  RUNNING: "running",
  FAILED: "failed",
  INTERRUPTED: "interrupted",
  CANCELLED: "cancelled",
  UNANSWERED: "unanswered",
};

export function signsOf(node: OutlineNode, isLeaf: boolean): Sign[] {
  const signs: Sign[] = [];
  const status = STATUS[node.status];
  if (status) signs.push(status);
  if (isLeaf) signs.push("leaf");
  if (node.isAnchor) signs.push("anchor");
  if (node.summaryState === "FAILED") signs.push("summaryFailed");
  if (node.summaryState === "PENDING" || node.summaryState === "RUNNING") signs.push("summaryPending");
  return signs;
}

/** All that there is to say: what is written on the card, then what its marks mean. */
export function nodeName(scene: Scene, index: number, words: Words): string {
  const node = scene.nodes[index] as OutlineNode;
  const parts = [node.question || words.noQuestion];
  if (node.label) parts.unshift(words.labelled(node.label));
  const state = nodeState(scene, index, words);
  if (state) parts.push(state);
  return parts.join(words.comma);
}

/** What marks, colours and lines tell of a node, in words. */
export function nodeState(scene: Scene, index: number, words: Words): string {
  const node = scene.nodes[index] as OutlineNode;
  const isCurrent = index === scene.current;
  const isLeaf = index === scene.leaf && !isCurrent;
  const parts: string[] = [];
  if (isCurrent) parts.push(words.here);
  for (const sign of signsOf(node, isLeaf)) parts.push(words[sign]);
  const isFirst = scene.layout.parents[index] === NOWHERE && scene.layout.ordinals[index] === 0;
  if (isFirst && scene.outline.marks(null).length > 0) parts.push(words.marksAbove);
  for (const type of new Set(scene.outline.marks(node.id).map((mark) => mark.type)))
    parts.push(type === "COMPACTION" ? words.compaction : words.branchSummary);
  const branches = scene.layout.childCounts[index] as number;
  if (branches > 1) parts.push(words.branches(branches));
  if (scene.folded[index]) parts.push(words.folded(scene.below[index] as number));
  return parts.join(words.comma);
}
