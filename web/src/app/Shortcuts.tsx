import { useEffect } from "react";
import { startConversation } from "../sessions/newSession";
import { type Command, commandOf } from "./keys";
import { type Panel, usePanels } from "./panels";

/** Hears the page's keys; those that need an open conversation are told to it as an event on the window. */
export function Shortcuts() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      const writing = target.closest("input, textarea, select, [contenteditable=true]") !== null;
      const command = commandOf(event, writing);
      if (command === null || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      run(command);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return null;
}

export const COMMAND_EVENT = "graph-session-command";

function run(command: Command): void {
  switch (command) {
    case "new":
      startConversation();
      break;
    case "tree":
    case "context":
    case "compare":
    case "usage":
    case "search":
      toggle(command);
      break;
    case "help":
      usePanels.setState({ help: true });
      break;
    default:
      window.dispatchEvent(new CustomEvent<Command>(COMMAND_EVENT, { detail: command }));
  }
}

function toggle(panel: Panel): void {
  const { panel: opened, open } = usePanels.getState();
  open(opened === panel ? null : panel);
}

/** Hear commands that are for the open conversation. */
export function onCommand(hear: (command: Command) => void): () => void {
  const listener = (event: Event) => hear((event as CustomEvent<Command>).detail);
  window.addEventListener(COMMAND_EVENT, listener);
  return () => window.removeEventListener(COMMAND_EVENT, listener);
}
