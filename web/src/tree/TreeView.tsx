import type { Outline } from "../session/outline";

export interface TreeViewProps {
  outline: Outline;
  version: number;
  currentId: string | null;
  leafId: string | null;
  onGo(nodeId: string): void;
  onFork(nodeId: string): void;
  onLabel(nodeId: string): void;
  onCompare(nodeId: string): void;
  onMerge(nodeId: string): void;
  onDetails(nodeId: string): void;
}

export function TreeView({ outline, onGo }: TreeViewProps) {
  return (
    <ul>
      {[...outline.all()].map((it) => (
        <li key={it.id}>
          <button type="button" onClick={() => onGo(it.id)}>
            {it.question}
          </button>
        </li>
      ))}
    </ul>
  );
}
