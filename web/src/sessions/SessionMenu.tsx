/** What can be done with the open conversation, and how the page looks and speaks. */

import { Download, Ellipsis, Link2, Pencil, Settings, Trash2 } from "lucide-react";
import { useState } from "react";
import { usePanels } from "../app/panels";
import { pathOf } from "../app/route";
import { useSession, useSessionStore } from "../session/context";
import { copyAndTell } from "../ui/clipboard";
import { inDialog } from "../ui/Dialog";
import { Menu } from "../ui/Menu";
import { part } from "../ui/Part";
import { deleteSession } from "./deleting";
import { exportConversation } from "./exporting";
import { useHelpItem, usePreferenceItems } from "./preferences";
import { useOpenTitle, usePublishSession } from "./publish";
import { words } from "./texts";

const RenameDialog = part(() => import("./RenameDialog").then((it) => it.RenameDialog), inDialog);
const SettingsDialog = part(() => import("./SettingsDialog").then((it) => it.SettingsDialog), inDialog);

export function SessionMenu() {
  usePublishSession();
  const text = words.use();
  const store = useSessionStore();
  const session = useSession((it) => it.session);
  const settings = usePanels((it) => it.settings);
  const [renaming, setRenaming] = useState(false);
  const choices = usePreferenceItems();
  const help = useHelpItem();
  const title = useOpenTitle();
  const copyLink = () => {
    const link = new URL(pathOf(store.id, store.get().currentId), window.location.href);
    void copyAndTell(link.href, text.linkCopied);
  };
  return (
    <>
      <Menu
        label={text.menu}
        items={[
          { label: text.rename, icon: <Pencil />, disabled: !session, onSelect: () => setRenaming(true) },
          {
            label: text.settings,
            icon: <Settings />,
            disabled: !session,
            onSelect: () => usePanels.setState({ settings: true }),
          },
          {
            label: text.export,
            icon: <Download />,
            disabled: !session,
            onSelect: () => void exportConversation(store.id, title, session?.entryCount ?? 0),
          },
          { label: text.copyLink, icon: <Link2 />, onSelect: copyLink },
          help,
          ...choices,
          {
            label: text.delete,
            icon: <Trash2 />,
            danger: true,
            onSelect: () => deleteSession(store.id, title),
          },
        ]}
      >
        <Ellipsis />
      </Menu>
      {session && (
        <>
          {renaming && <RenameDialog session={session} onClose={() => setRenaming(false)} />}
          {settings && (
            <SettingsDialog session={session} onClose={() => usePanels.setState({ settings: false })} />
          )}
        </>
      )}
    </>
  );
}
