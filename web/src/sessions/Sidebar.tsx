/** All conversations: find, make, rename, delete, import. It is there on every page, so what the whole page hears is too. */

import { Plus, Upload } from "lucide-react";
import { useEffect } from "react";
import { Link } from "wouter";
import { pathOf } from "../app/route";
import { DropZone } from "./DropZone";
import { FindSessions } from "./FindSessions";
import { ImportDialog } from "./ImportDialog";
import { chooseFiles } from "./importing";
import { followList } from "./list";
import { startConversation } from "./newSession";
import { PreferencesMenu } from "./preferences";
import { SessionList } from "./SessionList";
import { words } from "./texts";
import "./sidebar.css";

export function Sidebar({ currentId }: { currentId: string | null }) {
  const text = words.use();
  useEffect(followList, []);
  return (
    <div className="sessions">
      <header className="sessions-header">
        <Link href={pathOf(null)} className="brand">
          <img src="/assets/icon.svg" alt="" width="24" height="24" />
          <span>graph_session</span>
        </Link>
        <PreferencesMenu />
      </header>
      <div className="sessions-tools">
        <button type="button" className="new-session" onClick={startConversation}>
          <Plus aria-hidden />
          <span>{text.newConversation}</span>
          <kbd aria-hidden>Alt+N</kbd>
        </button>
        <FindSessions />
      </div>
      <SessionList currentId={currentId} />
      <footer className="sessions-footer">
        <button type="button" className="import-button" onClick={chooseFiles}>
          <Upload aria-hidden />
          <span>{text.import}</span>
        </button>
      </footer>
      <DropZone />
      <ImportDialog />
    </div>
  );
}
