/** One conversation: the path that is shown, and the panel beside it. Its place and its address go together. */

import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useStore } from "zustand";
import { Conversation } from "../conversation/Conversation";
import { SessionContext } from "../session/context";
import { SessionStore } from "../session/store";
import { useOpenTitle } from "../sessions/publish";
import { toast } from "../ui/toasts";
import { Header } from "./Header";
import { NotShown } from "./NotShown";
import { PanelArea } from "./PanelArea";
import { PlaceBar } from "./PlaceBar";
import { usePanels } from "./panels";
import { parseRoute, pathOf, useRoute } from "./route";
import { SessionDialogs } from "./SessionDialogs";
import { onCommand } from "./Shortcuts";
import { words } from "./texts";

export function SessionPage({ id }: { id: string }) {
  const store = useOpenSession(id);
  if (!store) return <main className="main" id="conversation" tabIndex={-1} />;
  return (
    <SessionContext value={store}>
      <OpenSession store={store} />
    </SessionContext>
  );
}

/** The store lives as long as the page of the session; its first place is the address's. */
function useOpenSession(id: string): SessionStore | null {
  const [store, setStore] = useState<SessionStore | null>(null);
  useEffect(() => {
    const opened = new SessionStore(id);
    setStore(opened);
    const { nodeId } = parseRoute(window.location.pathname);
    void opened.open(nodeId).then(() => {
      if (nodeId !== null && opened.get().phase === "ready" && !opened.outline.has(nodeId))
        toast(words.now().noSuchPlace);
    });
    usePanels.setState({
      compareWith: null,
      labelling: null,
      details: null,
      settings: false,
      place: "conversation",
    });
    return () => opened.close();
  }, [id]);
  return store;
}

function OpenSession({ store }: { store: SessionStore }) {
  const phase = useStore(store.state, (it) => it.phase);
  const title = useOpenTitle();
  useAddress(store);
  useCommands(store);

  useEffect(() => {
    document.title = `${title} · graph_session`;
    return () => {
      document.title = "graph_session";
    };
  }, [title]);

  if (phase === "missing" || phase === "failed") return <NotShown store={store} phase={phase} />;
  return (
    <>
      <main className="main" id="conversation" tabIndex={-1} aria-busy={phase === "loading"}>
        <Header />
        <PlaceBar />
        <Conversation />
      </main>
      <PanelArea />
      <SessionDialogs />
    </>
  );
}

/** The address follows the place; going back and forth in the browser's history goes to the place of the address. */
function useAddress(store: SessionStore): void {
  const [, navigate] = useLocation();
  const { nodeId } = useRoute();
  const current = useStore(store.state, (it) => it.currentId);
  const ready = useStore(store.state, (it) => it.phase === "ready");
  const seen = useRef<string | null>(null);
  const seenVisit = useRef(0);

  useEffect(() => {
    if (!ready) return;
    const { visit, arrived } = store.get();
    // Only where one has gone by oneself is there a way back from.
    const follows = visit === seenVisit.current;
    seenVisit.current = visit;
    if (parseRoute(window.location.pathname).nodeId === current) return;
    const first = seen.current === null;
    seen.current = current;
    navigate(pathOf(store.id, current), { replace: first || follows || arrived });
  }, [store, current, ready, navigate]);

  useEffect(() => {
    const onPop = () => {
      const { sessionId, nodeId: wanted } = parseRoute(window.location.pathname);
      if (sessionId !== store.id || wanted === null || wanted === store.get().currentId) return;
      if (store.outline.has(wanted)) store.goTo(wanted);
      else toast(words.now().noSuchPlace);
    };
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, [store]);

  useEffect(() => {
    if (nodeId !== null) seen.current = nodeId;
  }, [nodeId]);
}

function useCommands(store: SessionStore): void {
  useEffect(
    () =>
      onCommand((command) => {
        const { currentId, path } = store.get();
        if (currentId === null) return;
        const siblings = store.outline.siblings(currentId);
        const at = siblings.indexOf(currentId);
        const beside = siblings[command === "previous" ? at - 1 : at + 1];
        if (command === "up" && path.length > 1) store.goTo(path.at(-2) ?? null);
        const below = store.lastChild.get(currentId) ?? store.outline.children(currentId).at(-1);
        if (command === "down" && below !== undefined) store.goTo(below);
        if ((command === "previous" || command === "next") && beside !== undefined) store.goTo(beside);
      }),
    [store],
  );
}
