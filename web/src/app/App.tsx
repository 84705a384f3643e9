/** The page: which conversation its address names, the list of all beside it, and what is said about the connection. */

import { useEffect } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useConnection } from "../api/connection";
import { part } from "../ui/Part";
import { Toasts } from "../ui/toasts";
import { HelpDialog } from "./HelpDialog";
import { OfflineBar } from "./OfflineBar";
import { usePanels } from "./panels";
import { usePhone } from "./phone";
import { pathOf, useRoute } from "./route";
import { SessionPage } from "./SessionPage";
import { Shortcuts } from "./Shortcuts";
import { TokenDialog } from "./TokenDialog";
import { words } from "./texts";

const Sidebar = part(() => import("../sessions/Sidebar").then((it) => it.Sidebar));
const Welcome = part(() => import("../sessions/Welcome").then((it) => it.Welcome));

export function App() {
  const text = words.use();
  const { sessionId } = useRoute();
  const sidebar = usePanels((it) => it.sidebar);
  const place = usePanels((it) => it.place);
  const isListAlone = usePhone() && place === "sessions";
  const help = usePanels((it) => it.help);
  const asksToken = useConnection((it) => it.asksToken);
  const token = useConnection((it) => it.token);
  const [location] = useLocation();

  useEffect(() => {
    if (location === pathOf(null)) usePanels.setState({ place: "sessions" });
  }, [location]);

  return (
    <div className="page" data-place={place} data-sidebar={sidebar}>
      <a className="skip" href="#conversation">
        {text.skip}
      </a>
      <OfflineBar />
      <div className="columns" key={token}>
        {/* By its role, not as another element, so that the list stays the same one. */}
        <div className="sidebar" role={isListAlone ? "main" : undefined}>
          {isListAlone && <h1 className="hidden-text">{text.sessions}</h1>}
          <nav className="sidebar-content" aria-label={text.sessions}>
            <Sidebar currentId={sessionId} />
          </nav>
        </div>
        <Switch>
          <Route path="/s/:id/n/:node">{({ id }) => <SessionPage key={id} id={id} />}</Route>
          <Route path="/s/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
          <Route path="/">
            <main className="main" id="conversation" tabIndex={-1}>
              <Welcome />
            </main>
          </Route>
          <Route>
            <Redirect to="/" replace />
          </Route>
        </Switch>
      </div>
      <Shortcuts />
      {help && <HelpDialog onClose={() => usePanels.setState({ help: false })} />}
      {asksToken && <TokenDialog />}
      <Toasts />
    </div>
  );
}
