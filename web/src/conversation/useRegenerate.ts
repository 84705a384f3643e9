import { useState } from "react";
import { regenerate } from "../session/actions";
import { useSessionStore } from "../session/context";
import { toastError } from "../ui/toasts";
import { focusComposer } from "./focus";

/** Answer a node's question again, once however often one asks; and whether that is on its way. */
export function useRegenerate(nodeId: string | null): [() => void, boolean] {
  const store = useSessionStore();
  const [isBusy, setBusy] = useState(false);
  const run = () => {
    if (nodeId === null || isBusy) return;
    setBusy(true);
    regenerate(store, nodeId)
      .then(focusComposer, toastError)
      .finally(() => setBusy(false));
  };
  return [run, isBusy];
}
