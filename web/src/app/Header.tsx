import {
  ChartColumn,
  GitCompareArrows,
  Layers,
  MessagesSquare,
  Network,
  PanelLeft,
  Search,
} from "lucide-react";
import { useOpenTitle } from "../sessions/publish";
import { SessionMenu } from "../sessions/SessionMenu";
import { IconButton } from "../ui/Button";
import { PANELS, type Panel, usePanels } from "./panels";
import { isPhone, usePhone } from "./phone";
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
  const narrow = usePhone();
  const shown = usePanels((it) => (narrow && it.place !== "panel" ? null : it.panel));
  const toggleSidebar = () => {
    if (isPhone()) usePanels.setState({ place: "sessions" });
    else usePanels.setState({ sidebar: !sidebar });
  };
  const open = (it: Panel) => usePanels.getState().open(shown === it && !narrow ? null : it);
  return (
    <header className="header">
      <IconButton label={sidebar && !narrow ? text.hideSidebar : text.showSidebar} onClick={toggleSidebar}>
        <PanelLeft />
      </IconButton>
      <h1 className="header-name">
        <bdi>{title}</bdi>
      </h1>
      <SessionMenu />
      <fieldset className="header-panels" aria-label={text.panels}>
        {narrow && (
          <IconButton
            label={text.conversation}
            aria-pressed={shown === null}
            onClick={() => usePanels.setState({ place: "conversation" })}
          >
            <MessagesSquare />
            <span className="panel-name">{text.conversation}</span>
          </IconButton>
        )}
        {PANELS.map((it) => {
          const Icon = ICONS[it];
          return (
            <IconButton
              key={it}
              label={text[it]}
              shortcut={KEYS[it]}
              aria-pressed={shown === it}
              onClick={() => open(it)}
            >
              <Icon />
              {narrow && (
                <span className="panel-name">{it === "context" ? text.contextShort : text[it]}</span>
              )}
            </IconButton>
          );
        })}
      </fieldset>
    </header>
  );
}
