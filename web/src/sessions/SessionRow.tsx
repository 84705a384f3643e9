import { Download, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { Link } from "wouter";
import { usePanels } from "../app/panels";
import { pathOf } from "../app/route";
import { when } from "../i18n/texts";
import { Menu } from "../ui/Menu";
import { toast } from "../ui/toasts";
import { exportConversation } from "./exporting";
import { quoted, titleOf } from "./names";
import type { SessionRow as Row } from "./pages";
import { renameSession } from "./renaming";
import { explain, words } from "./texts";

interface SessionRowProps {
  row: Row;
  firstWords: string | undefined;
  isCurrent: boolean;
  /** By Tab. */
  isReached: boolean;
  isRenaming: boolean;
  onFocus: () => void;
  /** It begins, or has ended by a key. */
  onRename: (begins: boolean) => void;
  /** It has ended because one went elsewhere. */
  onLeave: () => void;
  onDelete: () => void;
}

/** One conversation of the list. */
export function SessionRow(props: SessionRowProps) {
  const { row, firstWords, isCurrent, isReached, isRenaming, onFocus, onRename, onLeave, onDelete } = props;
  const text = words.use();
  const title = titleOf(row.name, firstWords);
  const shift = isReached ? 0 : -1;
  return (
    <li className="session-row" data-session={row.id} data-current={isCurrent || undefined} onFocus={onFocus}>
      {isRenaming ? (
        <NameField row={row} onDone={() => onRename(false)} onLeave={onLeave} />
      ) : (
        <>
          <Link
            href={pathOf(row.id)}
            className="session-link"
            aria-current={isCurrent ? "page" : undefined}
            aria-keyshortcuts="F2 Delete"
            title={title}
            tabIndex={shift}
            onClick={() => usePanels.setState({ place: "conversation" })}
          >
            <bdi className={row.name || firstWords ? "session-name" : "session-name session-unnamed"}>
              {title}
            </bdi>
            <span className="session-facts">
              <span>{row.nodeCount === 0 ? text.noTurns : text.turns(row.nodeCount)}</span>
              <time dateTime={row.updatedAt}>{when(row.updatedAt)}</time>
            </span>
          </Link>
          <Menu
            label={text.actions(quoted(title))}
            className="icon-button session-actions"
            tabIndex={shift}
            items={[
              { label: text.rename, icon: <Pencil />, shortcut: "F2", onSelect: () => onRename(true) },
              {
                label: text.export,
                icon: <Download />,
                onSelect: () => void exportConversation(row.id, title, row.entryCount),
              },
              { label: text.delete, icon: <Trash2 />, shortcut: "Del", danger: true, onSelect: onDelete },
            ]}
          >
            <Ellipsis />
          </Menu>
        </>
      )}
    </li>
  );
}

/** Enter or going elsewhere takes what is written, Escape leaves the name as it was. */
function NameField({ row, onDone, onLeave }: { row: Row; onDone: () => void; onLeave: () => void }) {
  const text = words.use();
  const ended = useRef(false);
  const end = (input: HTMLInputElement, takes: boolean, byKey: boolean) => {
    if (ended.current) return;
    ended.current = true;
    if (takes)
      renameSession(row.id, input.value).catch((error) =>
        toast(text.notRenamed(explain(error)), { kind: "error" }),
      );
    if (byKey) onDone();
    else onLeave();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // A key that ends the choice of a Chinese word is not meant for the field.
    if (event.nativeEvent.isComposing) return;
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end(event.currentTarget, event.key === "Enter", true);
  };
  return (
    <input
      className="session-name-field"
      aria-label={text.nameOf}
      defaultValue={row.name ?? ""}
      dir="auto"
      // biome-ignore lint/a11y/noAutofocus: it stands where the name was that one asked to change
      autoFocus
      onFocus={(event) => event.target.select()}
      onKeyDown={onKeyDown}
      onBlur={(event) => end(event.target, true, false)}
    />
  );
}
