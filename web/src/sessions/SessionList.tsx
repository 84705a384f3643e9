/** The conversations, the one used last first. Arrow keys move in it, F2 renames, Delete deletes, Ctrl+Z brings back. */

import { RotateCw } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "../ui/Button";
import { words as common } from "../ui/texts";
import { deleteSession, undoLastDelete } from "./deleting";
import { useFirstWords } from "./firstWords";
import { readMore, refresh, shownRows, useSessions } from "./list";
import { titleOf } from "./names";
import type { SessionRow as Row } from "./pages";
import { SessionRow } from "./SessionRow";
import { words } from "./texts";

const SKELETONS = ["a", "b", "c", "d", "e", "f"];

export function SessionList({ currentId }: { currentId: string | null }) {
  const text = words.use();
  const list = useRef<HTMLUListElement>(null);
  const state = useSessions();
  const firstWords = useFirstWords();
  const [renaming, setRenaming] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const rows = shownRows(state);
  const ids = rows.map((it) => it.id);
  // One row is reached by Tab, the others from there by arrows.
  const reached = [focused, currentId, ids[0]].find((it) => it != null && ids.includes(it));

  const focusRow = (id: string | undefined) => {
    if (id !== undefined)
      list.current?.querySelector<HTMLElement>(`[data-session="${CSS.escape(id)}"] .session-link`)?.focus();
  };
  const remove = (row: Row) => {
    const at = ids.indexOf(row.id);
    const hadFocus = list.current?.contains(document.activeElement);
    deleteSession(row.id, titleOf(row.name, firstWords[row.id]));
    if (hadFocus) requestAnimationFrame(() => focusRow(ids[at + 1] ?? ids[at - 1]));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.altKey || !target.classList.contains("session-link")) return;
    const id = target.closest<HTMLElement>("[data-session]")?.dataset.session ?? "";
    const at = ids.indexOf(id);
    const row = rows[at];
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: ids.length - 1 }[event.key];
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) undoLastDelete();
    else if (event.ctrlKey || event.metaKey) return;
    else if (to !== undefined) focusRow(ids[Math.min(Math.max(to, 0), ids.length - 1)]);
    else if (event.key === "F2") setRenaming(id);
    else if (event.key === "Delete" && row) remove(row);
    else return;
    event.preventDefault();
  };

  if (state.phase === "failed")
    return (
      <div className="session-list">
        <div className="session-note" role="alert">
          <p>{text.listFailed}</p>
          <p className="soft">{state.problem}</p>
          <Retry />
        </div>
      </div>
    );
  if (state.phase === "loading" && rows.length === 0)
    return (
      <div className="session-list" aria-busy>
        <Skeleton />
      </div>
    );
  return (
    <div className="session-list" aria-busy={state.phase === "loading"}>
      {state.problem !== null && (
        <div className="session-stale" role="status">
          <span>{text.listOld}</span>
          <Retry />
        </div>
      )}
      {rows.length === 0 && (
        <div className="session-note" role="status">
          {state.query === "" ? (
            <>
              <p>{text.nothing}</p>
              <p className="soft session-about">{text.welcomeText}</p>
              <p className="soft">{text.nothingHelp}</p>
            </>
          ) : (
            <p className="soft">{text.notFound(state.query)}</p>
          )}
        </div>
      )}
      <ul ref={list} aria-label={text.list} onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <SessionRow
            key={row.id}
            row={row}
            firstWords={firstWords[row.id]}
            isCurrent={row.id === currentId}
            isReached={row.id === reached}
            isRenaming={row.id === renaming}
            onFocus={() => setFocused(row.id)}
            onRename={(begins) => {
              setRenaming(begins ? row.id : null);
              if (!begins) requestAnimationFrame(() => focusRow(row.id));
            }}
            onLeave={() => setRenaming(null)}
            onDelete={() => remove(row)}
          />
        ))}
      </ul>
      {state.hasMore && <More />}
    </div>
  );
}

/** Reads on when it comes into view; a button for those who do not scroll. */
function More() {
  const text = words.use();
  const { loading } = common.use();
  const more = useSessions((it) => it.more);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (more !== "idle" || !end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void readMore();
      },
      { rootMargin: "200px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [more]);
  return (
    <div className="session-more" ref={end}>
      {more === "failed" && <p role="alert">{text.moreFailed}</p>}
      <Button kind="quiet" disabled={more === "loading"} onClick={() => void readMore()}>
        {more === "loading" ? loading : text.more}
      </Button>
    </div>
  );
}

function Retry() {
  const { retry } = common.use();
  return (
    <Button kind="quiet" onClick={() => void refresh()}>
      <RotateCw aria-hidden />
      {retry}
    </Button>
  );
}

function Skeleton() {
  const { loading } = common.use();
  return (
    <>
      <span className="hidden-text" role="status">
        {loading}
      </span>
      <ul aria-hidden>
        {SKELETONS.map((it) => (
          <li key={it} className="session-row session-skeleton">
            <i />
            <i />
          </li>
        ))}
      </ul>
    </>
  );
}
