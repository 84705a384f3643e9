/** The panel beside the conversation. */

import { X } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { useSessionStore } from "../session/context";
import { IconButton } from "../ui/Button";
import { part } from "../ui/Part";
import { type Panel, usePanels } from "./panels";
import { TreePanel } from "./TreePanel";
import { words } from "./texts";

const NARROWEST = 300;
const WIDEST = 1200;

const CONTENT = {
  tree: TreePanel,
  context: part(() => import("../panels/ContextPanel").then((it) => it.ContextPanel)),
  compare: part(() => import("../panels/ComparePanel").then((it) => it.ComparePanel)),
  search: part(() => import("../panels/SearchPanel").then((it) => it.SearchPanel)),
  usage: part(() => import("../panels/UsagePanel").then((it) => it.UsagePanel)),
} satisfies Record<Panel, unknown>;

export function PanelArea() {
  const text = words.use();
  const store = useSessionStore();
  const panel = usePanels((it) => it.panel);
  const width = usePanels((it) => (it.panel === null ? 0 : it.widths[it.panel]));
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    area.current?.style.setProperty("--panel-width", `${width}px`);
  });
  if (panel === null) return null;
  const Content = CONTENT[panel];
  return (
    <aside className="panel" ref={area} aria-label={text[panel]}>
      <Divider panel={panel} />
      <header className="panel-header">
        <h2>{text[panel]}</h2>
        <IconButton label={text.closePanel} onClick={() => usePanels.getState().open(null)}>
          <X />
        </IconButton>
      </header>
      <div className="panel-content">
        <Content key={store.id} />
      </div>
    </aside>
  );
}

/** Drag it, or use the arrow keys, to give the panel more room. */
function Divider({ panel }: { panel: Panel }) {
  const text = words.use();
  const width = usePanels((it) => it.widths[panel]);
  const set = (to: number) =>
    usePanels.getState().setWidth(panel, Math.round(Math.min(WIDEST, Math.max(NARROWEST, to))));
  const onPointerMove = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) set(window.innerWidth - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: 24, ArrowRight: -24 }[event.key];
    if (step !== undefined) set(width + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={text.panelWidth}
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      tabIndex={0}
      className="divider"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}
