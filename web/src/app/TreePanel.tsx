import { forkAt, mergeBranch } from "../session/actions";
import { useSession, useSessionStore } from "../session/context";
import { part } from "../ui/Part";
import { toast, toastError } from "../ui/toasts";
import { usePanels } from "./panels";
import { words } from "./texts";

const TreeView = part(() => import("../tree/TreeView").then((it) => it.TreeView));

/** The tree, and what its nodes' actions do. */
export function TreePanel() {
  const text = words.use();
  const store = useSessionStore();
  const { version, currentId, leafId, isRead } = useSession((it) => ({
    version: it.version,
    currentId: it.currentId,
    leafId: it.leafNodeId,
    isRead: it.phase !== "loading" || store.outline.size > 0,
  }));
  const toConversation = () => usePanels.setState({ place: "conversation" });
  // An empty tree would say that nothing has been asked yet.
  if (!isRead) return null;
  return (
    <TreeView
      outline={store.outline}
      version={version}
      currentId={currentId}
      leafId={leafId}
      onGo={(nodeId) => {
        store.goTo(nodeId);
        toConversation();
      }}
      onFork={(nodeId) => {
        forkAt(store, nodeId, false).then(() => toast(text.forked), toastError);
        toConversation();
        document.querySelector<HTMLElement>("[data-composer]")?.focus();
      }}
      onLabel={(labelling) => usePanels.setState({ labelling })}
      onCompare={(nodeId) => usePanels.getState().compare(nodeId)}
      onMerge={(nodeId) => {
        const into = store.get().currentId;
        if (into !== null) mergeBranch(nodeId, into).then(() => toast(text.merged), toastError);
      }}
      onDetails={(details) => usePanels.setState({ details })}
    />
  );
}
