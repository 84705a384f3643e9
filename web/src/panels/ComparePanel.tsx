/** Two branches side by side from where they part; one can be brought into the other. */

import { ArrowLeftRight, GitFork } from "lucide-react";
import { usePanels } from "../app/panels";
import { useSession, useSessionStore } from "../session/context";
import { Button } from "../ui/Button";
import { ChooseBranch } from "./compare/ChooseBranch";
import { Columns } from "./compare/Columns";
import { useComparison, useSides } from "./compare/compared";
import type { Sides } from "./compare/sides";
import { words } from "./compare/texts";
import { Problem, Skeleton } from "./shared/Problem";
import { showTurn } from "./shared/showTurn";
import { words as shared } from "./texts";
import "./panels.css";
import "./raw/raw.css";
import "./compare/compare.css";

export function ComparePanel() {
  const text = words.use();
  const { ready, currentId } = useSession((it) => ({ ready: it.phase === "ready", currentId: it.currentId }));
  const { sides, swap } = useSides();
  return (
    <div className="pn-panel">
      {!ready && <Skeleton lines={6} />}
      {ready && currentId === null && <p className="soft">{text.nothingHere}</p>}
      {currentId !== null && sides?.a === sides?.b && (
        <>
          {sides && <p className="soft">{text.same}</p>}
          <ChooseBranch placeId={currentId} />
        </>
      )}
      {sides && sides.a !== sides.b && <Compared key={`${sides.a} ${sides.b}`} sides={sides} onSwap={swap} />}
    </div>
  );
}

function Compared({ sides, onSwap }: { sides: Sides; onSwap: () => void }) {
  const text = words.use();
  const { data, loading, problem, again } = useComparison(sides);
  return (
    <>
      <div className="pn-row pn-compare-tools">
        <Button onClick={onSwap}>
          <ArrowLeftRight aria-hidden />
          {text.swap}
        </Button>
        <Button onClick={() => usePanels.setState({ compareWith: null })}>{text.another}</Button>
      </div>
      {problem !== null && <Problem message={problem} onRetry={again} />}
      {!data && loading && <Skeleton lines={9} />}
      {!data && !loading && problem === null && <p className="soft">{text.stillRuns}</p>}
      {data && (
        <>
          <Ancestor nodeId={data.commonAncestor ?? null} />
          <Columns sides={sides} comparison={data} />
        </>
      )}
    </>
  );
}

/** The last turn that both have. */
function Ancestor({ nodeId }: { nodeId: string | null }) {
  const text = words.use();
  const { turn, noText } = shared.use();
  const store = useSessionStore();
  if (nodeId === null) return <p className="soft">{text.noAncestor}</p>;
  return (
    <button type="button" className="pn-ancestor" title={text.jump} onClick={() => showTurn(store, nodeId)}>
      <GitFork aria-hidden />
      <span className="soft">
        {text.ancestor} {turn(store.outline.path(nodeId).length)}
      </span>
      <bdi>{store.outline.get(nodeId)?.question || noText}</bdi>
    </button>
  );
}
