/** A turn's summaries beside its raw text. */
export function DetailsDialog(_: { nodeId: string; onClose: () => void }) {
  return null;
}
