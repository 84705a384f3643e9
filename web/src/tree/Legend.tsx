/** What the marks and colours of the tree mean, and the keys. */

import type { ReactNode } from "react";
import { Icon } from "./icons";
import { Mark } from "./NodeCard";
import type { Sign } from "./names";
import { T, type Words } from "./texts";

const SIGNS: readonly [Sign, keyof Words][] = [
  ["leaf", "legendLeaf"],
  ["anchor", "legendAnchor"],
  ["running", "legendRunning"],
  ["failed", "legendFailed"],
  ["interrupted", "legendInterrupted"],
  ["cancelled", "legendCancelled"],
  ["unanswered", "legendUnanswered"],
  ["summaryPending", "legendPending"],
  ["summaryFailed", "legendSummaryFailed"],
];

export function Legend() {
  const words = T.use();
  const keys: [string, string][] = [
    ["↑ ↓ ← →", words.keyMove],
    ["Home End", words.keyEnds],
    ["Enter", words.go],
    ["F", words.fork],
    ["L", words.label],
    ["C", words.compare],
    ["M", words.merge],
    ["S", words.details],
    ["Space", words.fold],
    ["Shift+F10", words.keyMenu],
    ["/", words.find],
    ["+ − 0", words.keyZoom],
    [words.keyWheel, words.keyWheelHint],
    [words.keyPinch, words.keyPinchHint],
  ];
  return (
    <>
      <p className="tree-legend-intro">{words.intro}</p>
      <h3>{words.marks}</h3>
      <ul>
        <Row mark={<span className="tree-legend-here" />} text={words.legendHere} />
        {SIGNS.map(([sign, text]) => (
          <Row
            key={sign}
            mark={
              <span className={`tree-sign tree-sign-${sign}`}>
                <Icon name={sign} />
              </span>
            }
            text={words[text] as string}
          />
        ))}
        <Row mark={<Mark type="COMPACTION" words={words} />} text={words.legendCompaction} />
        <Row mark={<Mark type="BRANCH_SUMMARY" words={words} />} text={words.legendBranch} />
        <Row mark={<span className="tree-legend-pill">3</span>} text={words.legendBranches} />
        <Row
          mark={<span className="tree-legend-pill tree-legend-pill-folded">+3</span>}
          text={words.legendFolded}
        />
        <Row mark={<span className="tree-legend-hit" />} text={words.legendHit} />
      </ul>
      <h3>{words.keys}</h3>
      <ul>
        {keys.map(([key, text]) => (
          <Row key={key} mark={<kbd className="tree-key">{key}</kbd>} text={text} />
        ))}
      </ul>
    </>
  );
}

function Row({ mark, text }: { mark: ReactNode; text: string }) {
  return (
    <li>
      <span className="tree-legend-mark">{mark}</span>
      <span>{text}</span>
    </li>
  );
}
