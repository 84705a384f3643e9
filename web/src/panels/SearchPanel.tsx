/** Search in what was said, here or in all conversations, and go to what was found. */

import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useLocation } from "wouter";
import { usePanels } from "../app/panels";
import { pathOf } from "../app/route";
import { useSessionStore } from "../session/context";
import { Button } from "../ui/Button";
import { SearchField } from "../ui/SearchField";
import { HitRow } from "./search/HitRow";
import { type Hit, type Scope, search, searchAgain, searchMore, useSearch } from "./search/hits";
import { words } from "./search/texts";
import { useRested } from "./shared/asked";
import { Problem, Skeleton } from "./shared/Problem";
import { showTurn } from "./shared/showTurn";
import "./panels.css";
import "./search/search.css";

const TYPING_RESTS = 250;

export function SearchPanel() {
  const text = words.use();
  const id = useId();
  const store = useSessionStore();
  const typed = useSearch((it) => it.text);
  const scope = useSearch((it) => it.scope);
  const { hits, of, hasMore, loading, problem, active } = useSearch();
  const field = useFocusedField();
  const list = useRef<HTMLDivElement>(null);
  const choose = useChoose();
  const rested = useRested(typed, TYPING_RESTS);
  const sessionId = scope === "here" ? store.id : null;

  useEffect(() => {
    void search(rested.trim(), sessionId);
  }, [rested, sessionId]);

  const point = (to: number) => {
    useSearch.setState({ active: to });
    list.current?.children[to]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const hit = hits[active];
    if (event.key === "ArrowDown" && active + 1 < hits.length) point(active + 1);
    else if (event.key === "ArrowDown" && hasMore) void searchMore();
    else if (event.key === "ArrowUp" && active > 0) point(active - 1);
    else if (event.key === "Enter" && hit) choose(hit);
    else if (event.key === "Escape" && typed === "") usePanels.getState().open(null);
    else if (event.key === "Escape") useSearch.setState({ text: "" });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const clear = () => {
    useSearch.setState({ text: "" });
    field.current?.focus();
  };

  const found = of !== null && hits.length > 0;
  return (
    <div className="pn-panel">
      <SearchField onClear={typed === "" ? null : clear}>
        <input
          ref={field}
          role="combobox"
          aria-label={text.field}
          aria-expanded={found}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={found ? `${id}${active}` : undefined}
          placeholder={text.hint}
          value={typed}
          maxLength={1000}
          onChange={(it) => useSearch.setState({ text: it.target.value })}
          onKeyDown={onKeyDown}
        />
      </SearchField>
      <ScopeChoice scope={scope} />
      <p role="status" className="soft pn-search-status">
        {of === null && text.help}
        {found && text.found(hits.length, hasMore)}
        {of !== null && !found && !loading && (scope === "here" ? text.noneHere : text.none)}
      </p>
      {problem !== null && (
        <Problem message={problem} onRetry={() => void searchAgain(rested.trim(), sessionId)} />
      )}
      {of !== null && !found && !loading && scope === "here" && (
        <Button className="pn-search-all" onClick={() => useSearch.setState({ scope: "everywhere" })}>
          {text.searchAll}
        </Button>
      )}
      {loading && hits.length === 0 && <Skeleton lines={6} />}
      <div
        ref={list}
        id={`${id}list`}
        role="listbox"
        aria-label={text.results}
        aria-busy={loading}
        className="pn-hits"
        hidden={!found}
      >
        {hits.map((hit, index) => (
          <HitRow
            key={hit.entry.id}
            id={`${id}${index}`}
            hit={hit}
            search={of?.text ?? ""}
            active={index === active}
            onPoint={() => active !== index && useSearch.setState({ active: index })}
            onChoose={() => choose(hit)}
          />
        ))}
      </div>
      {hasMore && (
        <Button disabled={loading} onClick={() => void searchMore()}>
          {text.more}
        </Button>
      )}
    </div>
  );
}

function ScopeChoice({ scope }: { scope: Scope }) {
  const text = words.use();
  const name = useId();
  return (
    <fieldset className="pn-scope" aria-label={text.scope}>
      {(["here", "everywhere"] as const).map((it) => (
        <label key={it} className={it === scope ? "pn-scope-chosen" : ""}>
          <input
            type="radio"
            className="hidden-text"
            name={name}
            checked={it === scope}
            onChange={() => useSearch.setState({ scope: it })}
          />
          {text[it]}
        </label>
      ))}
    </fieldset>
  );
}

/** Has the focus when the panel is opened, but not when the page is; gives it back when the panel closes. */
function useFocusedField() {
  const field = useRef<HTMLInputElement>(null);
  const opened = usePanels((it) => it.place === "panel");
  useEffect(() => {
    if (!opened && !useSearch.getState().leaving) return;
    useSearch.setState({ leaving: false });
    const before = document.activeElement;
    field.current?.focus();
    field.current?.select();
    return () => {
      const lost = document.activeElement === document.body || document.activeElement === null;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [opened]);
  return field;
}

/** Go to what was found: in this conversation at once, in another by its address. */
function useChoose(): (hit: Hit) => void {
  const store = useSessionStore();
  const [, navigate] = useLocation();
  return ({ node, tipIds, session }) => {
    const nodeId = node?.nodeId ?? tipIds[0] ?? null;
    if (session.id !== store.id) {
      useSearch.setState({ leaving: true });
      navigate(pathOf(session.id, nodeId));
    } else if (nodeId !== null) showTurn(store, nodeId);
  };
}
