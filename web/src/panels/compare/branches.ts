/** The branches that a place can be compared with. */

import type { Outline, OutlineNode } from "../../session/outline";

export interface Branch {
  /** The node at its end. */
  readonly tipId: string;
  /** The first node that it does not share with the place. */
  readonly firstId: string;
  /** How many turns it has of its own. */
  readonly turns: number;
  /** How many turns both have. */
  readonly shared: number;
  readonly labels: readonly string[];
}

export interface Branches {
  /** Those that begin with another version of the place's own turn. */
  readonly siblings: readonly Branch[];
  readonly others: readonly Branch[];
  /** How many more there are. */
  readonly more: number;
}

/** All but the place's own, those made last first. find: words that each question or label has to have. */
export function branchesBeside(outline: Outline, placeId: string, find: string, limit: number): Branches {
  const here = outline.path(placeId);
  const onPath = new Set(here);
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const siblings: Branch[] = [];
  const others: Branch[] = [];
  let more = 0;
  for (const tip of [...outline.all()].reverse()) {
    if (outline.children(tip.id).length > 0 || onPath.has(tip.id)) continue;
    const own = ownNodes(outline, tip, onPath);
    const first = own.at(-1);
    if (!first || !words.every((word) => own.some((node) => has(node, word)))) continue;
    const branch: Branch = {
      tipId: tip.id,
      firstId: first.id,
      turns: own.length,
      shared: first.parentId === null ? 0 : here.indexOf(first.parentId) + 1,
      labels: own.flatMap((node) => node.label ?? []).reverse(),
    };
    const group = branch.shared === here.length - 1 ? siblings : others;
    if (group.length < limit) group.push(branch);
    else more += 1;
  }
  return { siblings, others, more };
}

/** The nodes from a tip up to the first that is shared, nearest first. */
function ownNodes(outline: Outline, tip: OutlineNode, shared: ReadonlySet<string>): OutlineNode[] {
  const own: OutlineNode[] = [];
  for (let at: OutlineNode | undefined = tip; at && !shared.has(at.id); ) {
    own.push(at);
    at = at.parentId === null ? undefined : outline.get(at.parentId);
  }
  return own;
}

function has(node: OutlineNode, word: string): boolean {
  return node.question.toLowerCase().includes(word) || (node.label?.toLowerCase().includes(word) ?? false);
}
