import type { OutlinePage } from "./outline";

/** A page as the server gives it, of rows of a node's id, its parent's and, if it is not done, its status. */
export function page(rows: [string, string | null, string?][], marks: unknown[][] = []): OutlinePage {
  return {
    columns: ["nodeId", "parentNodeId", "status", "isSummaryAnchor", "summaryState", "question", "label"],
    rows: rows.map(([id, parent, status = "DONE"]) => [
      id,
      parent,
      status,
      false,
      "NONE",
      `question ${id}`,
      null,
    ]),
    markColumns: ["entryId", "nodeId", "type", "scope"],
    marks,
    cursor: null,
    hasNext: false,
    nodeCount: rows.length,
  };
}
