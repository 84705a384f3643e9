import { ChartColumn, GitCompareArrows, Layers, Network, PanelLeft, Search } from "lucide-react";
import { useOpenTitle } from "../sessions/publish";
import { SessionMenu } from "../sessions/SessionMenu";
import { IconButton } from "../ui/Button";
import { PANELS, type Panel, usePanels } from "./panels";
import { words } from "./texts";

const ICONS = {
  tree: Network,
  context: Layers,
  compare: GitCompareArrows,
  search: Search,
  usage: ChartColumn,
};
const KEYS = { tree: "Alt+T", context: "Alt+C", compare: "Alt+B", search: "Alt+S", usage: "Alt+U" };

/** The conversation's name, what can be done with it, and the switches of the panels. */
export function Header() {
  const text = words.use();
  const title = useOpenTitle();
  const sidebar = usePanels((it) => it.sidebar);
  const panel = usePanels((it) => it.panel);
  const toggleSidebar = () => {
    if (window.matchMedia("(max-width: 760px)").matches) usePanels.setState({ place: "sessions" });
    else usePanels.setState({ sidebar: !sidebar });
  };
  const open = (it: Panel) => usePanels.getState().open(panel === it && !isPhone() ? null : it);
  return (
    <header className="header">
      <IconButton label={sidebar && !isPhone() ? text.hideSidebar : text.showSidebar} onClick={toggleSidebar}>
        <PanelLeft />
      </IconButton>
      <h1 className="header-name">
        <bdi>{title}</bdi>
      </h1>
      <SessionMenu />
      <fieldset className="header-panels" aria-label={text.panels}>
        {PANELS.map((it) => {
          const Icon = ICONS[it];
          return (
            <IconButton
              key={it}
              label={text[it]}
              shortcut={KEYS[it]}
              aria-pressed={panel === it}
              onClick={() => open(it)}
            >
              <Icon />
            </IconButton>
          );
        })}
      </fieldset>
    </header>
  );
}

function isPhone(): boolean {
  return window.matchMedia("(max-width: 760px)").matches;
}
