/**
 * The tree as `treeOutline` tells it: one short row a dialogue node, in the order of creation.
 *
 * It grows in place and is never copied, since it may hold many thousands of nodes; `version` grows with every
 * change, so whoever draws it watches that number.
 */

import type { NodeFieldsFragment, NodeStatus, SummaryState } from "../graphql/generated/graphql";

export interface OutlineNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly status: NodeStatus;
  readonly isAnchor: boolean;
  readonly summaryState: SummaryState;
  /** The first 80 characters of the question. */
  readonly question: string;
  readonly label: string | null;
}

/** A compaction or a branch summary, which stands between turns. */
export interface OutlineMark {
  readonly entryId: string;
  /** The node that it stands below; null: above all. */
  readonly nodeId: string | null;
  readonly type: "COMPACTION" | "BRANCH_SUMMARY";
  readonly scope: "HISTORY" | "BRANCH" | null;
}

export interface OutlinePage {
  columns: string[];
  rows: unknown[][];
  markColumns: string[];
  marks: unknown[][];
  cursor: string | null;
  hasNext: boolean;
  nodeCount: number;
}

const QUESTION_CHARS = 80;
const NOTHING: readonly never[] = [];

export class Outline {
  version = 0;
  /** Grows when a node is forgotten: places that were given to nodes before hold no more. */
  removals = 0;
  private readonly nodes = new Map<string, OutlineNode>();
  private readonly below = new Map<string | null, string[]>();
  private readonly standing = new Map<string | null, OutlineMark[]>();

  get size(): number {
    return this.nodes.size;
  }

  get(id: string): OutlineNode | undefined {
    return this.nodes.get(id);
  }

  has(id: string): boolean {
    return this.nodes.has(id);
  }

  /** In the order of creation. */
  all(): Iterable<OutlineNode> {
    return this.nodes.values();
  }

  /** Ids of the nodes below a node (null: the roots), in the order of creation. */
  children(id: string | null): readonly string[] {
    return this.below.get(id) ?? NOTHING;
  }

  /** Compactions and branch summaries that stand directly below a node (null: above all). */
  marks(id: string | null): readonly OutlineMark[] {
    return this.standing.get(id) ?? NOTHING;
  }

  /** A node with its siblings, itself included, in the order of creation. */
  siblings(id: string): readonly string[] {
    const node = this.nodes.get(id);
    return node ? this.children(node.parentId) : NOTHING;
  }

  /** Ids from the root to a node; empty where the node is not known. */
  path(id: string | null): string[] {
    const found: string[] = [];
    for (let at = id; at !== null; ) {
      const node = this.nodes.get(at);
      if (!node) break;
      found.push(at);
      at = node.parentId;
    }
    return found.reverse();
  }

  /** The last node that both have above them or are; null: none. */
  commonAncestor(a: string, b: string): string | null {
    const above = new Set(this.path(a));
    for (const id of this.path(b).reverse()) if (above.has(id)) return id;
    return null;
  }

  /**
   * Down from a node to the end of its branch: where the ways part, the one of `preferred` (child by parent), else
   * the one made last.
   */
  tip(id: string, preferred: ReadonlyMap<string, string> = new Map()): string {
    let at = id;
    for (;;) {
      const children = this.children(at);
      const last = children.at(-1);
      if (last === undefined) return at;
      const wished = preferred.get(at);
      at = wished !== undefined && children.includes(wished) ? wished : last;
    }
  }

  /** Take a page in: nodes that are new are added, those that are known are replaced. */
  take(page: OutlinePage): void {
    const column = (name: string) => page.columns.indexOf(name);
    const [id, parent, status, anchor, summary, question, label] = [
      column("nodeId"),
      column("parentNodeId"),
      column("status"),
      column("isSummaryAnchor"),
      column("summaryState"),
      column("question"),
      column("label"),
    ] as [number, number, number, number, number, number, number];
    for (const row of page.rows)
      this.put({
        id: row[id] as string,
        parentId: row[parent] as string | null,
        status: row[status] as NodeStatus,
        isAnchor: row[anchor] as boolean,
        summaryState: row[summary] as SummaryState,
        question: row[question] as string,
        label: (row[label] ?? null) as string | null,
      });
    for (const [entryId, nodeId, type, scope] of page.marks)
      this.putMark({ entryId, nodeId, type, scope } as OutlineMark);
    this.version += 1;
  }

  /** Take one node in, as a mutation or the end of an answer gives it. */
  takeNode(node: NodeFieldsFragment): void {
    this.put({
      id: node.nodeId,
      parentId: node.parentNodeId ?? null,
      status: node.status,
      isAnchor: node.isSummaryAnchor,
      summaryState: node.summaryState,
      question: node.userContent.slice(0, QUESTION_CHARS),
      label: node.label ?? null,
    });
    // A question that nothing had answered was a node of its own until now.
    for (const { id } of node.entries)
      if (id !== node.nodeId && this.children(id).length === 0) this.remove(id);
    this.version += 1;
  }

  /** Forget a node that the server no longer has. */
  remove(id: string): void {
    const node = this.nodes.get(id);
    if (!node) return;
    this.nodes.delete(id);
    this.below.set(
      node.parentId,
      this.children(node.parentId).filter((it) => it !== id),
    );
    this.removals += 1;
    this.version += 1;
  }

  private put(node: OutlineNode): void {
    const known = this.nodes.has(node.id);
    this.nodes.set(node.id, node);
    if (!known) push(this.below, node.parentId, node.id);
  }

  private putMark(mark: OutlineMark): void {
    const marks = this.standing.get(mark.nodeId);
    if (!marks?.some((it) => it.entryId === mark.entryId)) push(this.standing, mark.nodeId, mark);
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
