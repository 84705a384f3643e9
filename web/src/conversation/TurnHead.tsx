import { Anchor, FileWarning, Hourglass, Tag } from "lucide-react";
import { usePanels } from "../app/panels";
import { useSession, useSessionStore } from "../session/context";
import { IconButton } from "../ui/Button";
import { words } from "./texts";
import { VersionWalk } from "./VersionWalk";

/** What marks a turn: its label, that it is an anchor, how its summary is doing, and the versions beside it. */
export function TurnHead({ nodeId }: { nodeId: string }) {
  const text = words.use();
  const store = useSessionStore();
  const node = useSession(() => {
    const { label, isAnchor, summaryState } = store.outline.get(nodeId) ?? {};
    return { label, isAnchor, summaryState };
  });
  const openDetails = () => usePanels.setState({ details: nodeId });
  const isPending = node.summaryState === "PENDING" || node.summaryState === "RUNNING";
  return (
    <div className="turn-head">
      {node.label && (
        <button
          type="button"
          className="chip"
          aria-label={text.label(node.label)}
          title={text.label(node.label)}
          onClick={() => usePanels.setState({ labelling: nodeId })}
        >
          <Tag aria-hidden />
          <bdi>{node.label}</bdi>
        </button>
      )}
      {node.isAnchor && (
        <IconButton label={text.anchor} className="mark mark-anchor" onClick={openDetails}>
          <Anchor />
        </IconButton>
      )}
      {isPending && (
        <IconButton label={text.summaryPending} className="mark" onClick={openDetails}>
          <Hourglass />
        </IconButton>
      )}
      {node.summaryState === "FAILED" && (
        <IconButton label={text.summaryFailed} className="mark mark-failed" onClick={openDetails}>
          <FileWarning />
        </IconButton>
      )}
      <VersionWalk nodeId={nodeId} />
    </div>
  );
}
