/**
 * The tree of a session beside its conversation: all branches, where one is, what is an anchor, what is running. This
 * file joins the parts and says what a click or a key does; what is drawn is told in `scene.ts`, how in `stage.ts`.
 */

import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Outline, OutlineNode } from "../session/outline";
import { Cards } from "./Cards";
import { perform, type Told } from "./commands";
import { indexOf, isFoldPill, isIn, pointIn } from "./dom";
import { aboveEnd, below, Floating } from "./Floating";
import { foldsBesidePath, unfoldedTo, useFolds } from "./folds";
import { type Command, commandOf } from "./keys";
import { Layout, NOWHERE } from "./layout";
import { Minimap } from "./Minimap";
import { ActionBar, ActionMenu } from "./NodeActions";
import { CardContent } from "./NodeCard";
import { nodeName } from "./names";
import { boxAt, makeScene } from "./scene";
import { Toolbar, ZoomButtons } from "./Toolbar";
import { T } from "./texts";
import { useFind } from "./useFind";
import { useFollowing } from "./useFollowing";
import { useNodeFocus } from "./useNodeFocus";
import { useDrawing, useStage, useStageElements } from "./useStage";
import { type Point, toScreen } from "./viewport";
import "./tree.css";
import "./cards.css";
import "./floating.css";

export interface TreeViewProps {
  /** Grows in place. */
  outline: Outline;
  /** The outline's: what is drawn follows it. */
  version: number;
  /** Where one is: the end of the path that is shown. */
  currentId: string | null;
  /** Where the session stands, which may be elsewhere. */
  leafId: string | null;
  onGo(nodeId: string): void;
  /** Stand there to ask something else. */
  onFork(nodeId: string): void;
  onLabel(nodeId: string): void;
  /** Compare with where one is. */
  onCompare(nodeId: string): void;
  /** Bring its branch into where one is. */
  onMerge(nodeId: string): void;
  /** Read its summaries. */
  onDetails(nodeId: string): void;
}

/** Where the focus may be while it is at a node. */
const OF_NODES = ".tree-layer, .tree-bar, .tree-menu";

interface OpenMenu {
  readonly index: number;
  readonly at: Point;
}

export function TreeView(props: TreeViewProps) {
  const { outline, version, currentId, leafId } = props;
  const words = T.use();
  const { removals } = outline;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it can only grow
  const layout = useMemo(() => new Layout(outline), [outline, removals]);
  const [folds, setFolds] = useFolds(outline.children(null)[0] ?? null);
  const scene = useMemo(
    () => makeScene(outline, version, layout, folds, currentId, leafId),
    [outline, version, layout, folds, currentId, leafId],
  );

  const elements = useStageElements();
  const input = useRef<HTMLInputElement>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [pointed, setPointed] = useState(NOWHERE);
  const leaveAlone = useCallback(() => {
    setMenu(null);
    setPointed(NOWHERE);
  }, []);
  const staged = useStage(elements, outline, leaveAlone);
  const { stage, palette, cells } = staged;

  const focus = useNodeFocus(scene, elements.layer);
  const { focused } = focus;
  const [hasFocus, setHasFocus] = useState(false);

  const show = (index: number) => {
    setFolds(unfoldedTo(folds, scene, index));
    stage?.centre(index);
  };
  const find = useFind(scene, show);
  const marked = useMemo(
    () => ({ hits: find.hits, hit: find.shown, focused: hasFocus ? focused : NOWHERE, pointed }),
    [find.hits, find.shown, hasFocus, focused, pointed],
  );
  useDrawing(staged, scene, marked);
  const following = useFollowing(stage, scene, (index) => {
    setFolds(unfoldedTo(folds, scene, index));
    if (!hasFocus) focus.choose(null);
  });

  const focusOn = (index: number) => {
    focus.take(index);
    stage?.reveal(index);
  };
  const openMenu = (index: number, at?: Point) => {
    if (!stage) return;
    const box = toScreen(stage.camera.view, boxAt(scene, index));
    focus.choose(index);
    setMenu({ index, at: at ?? { x: box.x + 8, y: box.y + box.height + 4 } });
  };
  const leaveMenu = useCallback(
    (hasMoved: boolean) => {
      setMenu(null);
      if (!hasMoved) focus.take();
    },
    [focus.take],
  );
  const openFind = () => {
    input.current?.focus();
    input.current?.select();
  };
  const tell = (command: Told, id: string) => {
    if (command === "go" || command === "fork") following.expect(id);
    const { onGo, onFork, onLabel, onCompare, onMerge, onDetails } = props;
    const all = {
      go: onGo,
      fork: onFork,
      label: onLabel,
      compare: onCompare,
      merge: onMerge,
      details: onDetails,
    };
    all[command](id);
  };
  const act = (command: Command, index: number) =>
    perform({ scene, stage, folds, setFolds, focusOn, openMenu, openFind, tell }, command, index);

  const indexAt = (event: MouseEvent | PointerEvent): number => {
    const index = indexOf(event.target);
    if (index !== NOWHERE || cells || !elements.box.current) return index;
    return stage?.nodeAt(pointIn(elements.box.current, event)) ?? NOWHERE;
  };
  const click = (event: MouseEvent) => {
    const index = indexAt(event);
    if (index === NOWHERE) return;
    if (isFoldPill(event.target)) return act("fold", index);
    focusOn(index);
    act("go", index);
  };
  const press = (event: KeyboardEvent) => {
    const index = indexOf(event.target);
    const command = commandOf(event);
    if (index === NOWHERE || command === null || isFoldPill(event.target)) return;
    event.preventDefault();
    act(command, index);
  };
  const askForMenu = (event: MouseEvent) => {
    const index = indexAt(event);
    if (index === NOWHERE) return;
    event.preventDefault();
    // The Menu key comes a second time, as this event.
    if (menu?.index !== index && elements.box.current) openMenu(index, pointIn(elements.box.current, event));
  };
  const point = (event: PointerEvent) => {
    if (event.pointerType === "touch" || isIn(event.target, ".tree-bar")) return;
    setPointed(event.buttons === 0 && isIn(event.target, ".tree-box") ? indexAt(event) : NOWHERE);
  };
  const focusIn = (event: FocusEvent) => {
    const index = indexOf(event.target);
    if (index === NOWHERE) return;
    focus.choose(index);
    // A click has its node in view; what the Tab key comes to may be far away.
    if (event.target.matches(":focus-visible")) stage?.reveal(index);
  };

  const asked = pointed !== NOWHERE ? pointed : hasFocus ? focused : NOWHERE;
  const peeked = cells || menu ? NOWHERE : asked;
  // From afar the pointer crosses too many nodes for each to get its bar.
  const active = menu ? NOWHERE : cells ? asked : hasFocus ? focused : NOWHERE;
  const isShown = (index: number) => index !== NOWHERE && index < scene.size && !scene.hidden[index];

  return (
    <section className="tree" aria-label={words.tree}>
      <Toolbar
        input={input}
        text={find.text}
        at={find.at}
        count={find.hits.size}
        onText={find.type}
        onStep={find.step}
        onLeave={() => focusOn(find.shown === NOWHERE ? focused : find.shown)}
        onFoldOthers={() => setFolds(foldsBesidePath(scene))}
        onUnfoldAll={() => setFolds(new Set())}
        hasFolds={folds.size > 0}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: shows by pointer what the keys reach by focus */}
      <div
        ref={elements.box}
        className="tree-stage"
        onPointerMove={point}
        onPointerLeave={() => setPointed(NOWHERE)}
        onFocus={(event) => setHasFocus(isIn(event.target, OF_NODES))}
        onBlur={(event) => setHasFocus(isIn(event.relatedTarget, OF_NODES))}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the events of the cards in it, and of painted nodes */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are at the cards */}
        <div className="tree-box" onClick={click} onContextMenu={askForMenu}>
          <div aria-hidden="true">
            <canvas className="tree-canvas" ref={elements.canvas} />
          </div>
          {scene.size === 0 && <p className="tree-empty">{words.empty}</p>}
          <div
            ref={elements.layer}
            className={cells ? "tree-layer" : "tree-layer tree-layer-far"}
            role="tree"
            aria-label={words.tree}
            hidden={scene.size === 0}
            onKeyDown={press}
            onFocus={focusIn}
          >
            <Cards
              scene={scene}
              cells={cells}
              focused={focused}
              hits={find.hits}
              shownHit={find.shown}
              words={words}
            />
          </div>
        </div>
        {stage && isShown(peeked) && (
          <Floating stage={stage} scene={scene} index={peeked} place={below} className="tree-peek" isHidden>
            <CardContent
              node={scene.nodes[peeked] as OutlineNode}
              isLeaf={peeked === scene.leaf}
              words={words}
            />
          </Floating>
        )}
        {stage && isShown(active) && (
          <Floating stage={stage} scene={scene} index={active} place={aboveEnd} className="tree-bar-place">
            <ActionBar scene={scene} index={active} words={words} onAction={(it) => act(it, active)} />
          </Floating>
        )}
        <ZoomButtons
          onZoom={(factor) => stage?.camera.zoomBy(factor)}
          onFit={() => stage?.fit()}
          onWhereIAm={() => show(scene.current)}
          isNowhere={scene.current === NOWHERE}
        />
        {stage && palette && scene.size > 1 && (
          <Minimap stage={stage} scene={scene} palette={palette} hits={find.hits} />
        )}
        {stage && menu && isShown(menu.index) && (
          <ActionMenu
            key={menu.index}
            scene={scene}
            index={menu.index}
            words={words}
            at={menu.at}
            room={stage.camera.size}
            onAction={(it) => act(it, menu.index)}
            onClose={leaveMenu}
          />
        )}
      </div>
      <span className="tree-probe" ref={elements.probe} />
      <output className="tree-status hidden-text">{status()}</output>
    </section>
  );

  function status(): string {
    if (find.text.trim() === "") return "";
    if (find.hits.size === 0) return words.foundNothing;
    if (find.shown === NOWHERE) return words.foundCount(find.hits.size);
    return words.foundAt(find.at, find.hits.size, nodeName(scene, find.shown, words));
  }
}
