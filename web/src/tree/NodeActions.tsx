/** What can be done with a node: the few most wanted as a bar beside it, all of them in a menu. */

import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { isOff } from "./commands";
import { Icon, type IconName } from "./icons";
import type { Command } from "./keys";
import { nodeName } from "./names";
import type { Scene } from "./scene";
import type { Words } from "./texts";
import type { Point, Size } from "./viewport";

export interface Action {
  readonly command: Command;
  readonly icon: IconName;
  readonly text: string;
  readonly key: string;
  readonly isOff: boolean;
}

export function actionsOf(scene: Scene, index: number, words: Words): Action[] {
  const isFolded = scene.folded[index] === 1;
  const actions: Omit<Action, "isOff">[] = [
    { command: "go", icon: "go", text: words.go, key: "Enter" },
    { command: "fork", icon: "fork", text: words.fork, key: "F" },
    { command: "label", icon: "label", text: words.label, key: "L" },
    { command: "compare", icon: "compare", text: words.compare, key: "C" },
    { command: "merge", icon: "merge", text: words.merge, key: "M" },
    { command: "details", icon: "details", text: words.details, key: "S" },
    isFolded
      ? { command: "fold", icon: "unfold", text: words.unfold, key: "Space" }
      : { command: "fold", icon: "fold", text: words.fold, key: "Space" },
  ];
  return actions.map((it) => ({ ...it, isOff: isOff(scene, it.command, index) }));
}

interface BarProps {
  readonly scene: Scene;
  readonly index: number;
  readonly words: Words;
  readonly onAction: (command: Command) => void;
}

const IN_BAR: readonly Command[] = ["fork", "label", "compare"];

export function ActionBar({ scene, index, words, onAction }: BarProps) {
  const actions = actionsOf(scene, index, words).filter((it) => IN_BAR.includes(it.command) && !it.isOff);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      className="tree-bar"
      role="group"
      aria-label={words.actions(nodeName(scene, index, words))}
      // The node keeps the focus: without it the bar would be gone before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      {actions.map(({ command, icon, text, key }) => (
        <button
          key={command}
          type="button"
          className="tree-button"
          aria-label={text}
          title={`${text} (${key})`}
          onClick={() => onAction(command)}
        >
          <Icon name={icon} />
        </button>
      ))}
      <button
        type="button"
        className="tree-button"
        aria-label={words.more}
        aria-haspopup="menu"
        title={words.more}
        onClick={() => onAction("menu")}
      >
        <Icon name="more" />
      </button>
    </div>
  );
}

interface MenuProps extends BarProps {
  readonly at: Point;
  readonly room: Size;
  /** `hasMoved`: the focus has gone elsewhere already. */
  readonly onClose: (hasMoved: boolean) => void;
}

export function ActionMenu({ scene, index, words, at, room, onAction, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element) return;
    const place = (start: number, length: number, space: number) =>
      Math.max(Math.min(start, space - length - 6), 6);
    element.style.left = `${place(at.x, element.offsetWidth, room.width)}px`;
    element.style.top = `${place(at.y, element.offsetHeight, room.height)}px`;
  }, [at, room]);
  useEffect(() => {
    items(menu.current)[0]?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const outside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) onClose(true);
    };
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  }, [onClose]);

  const press = (event: KeyboardEvent) => {
    const all = items(menu.current);
    const now = all.indexOf(document.activeElement as HTMLElement);
    const next = stepped(event.key, now, all.length);
    if (event.key === "Escape" || event.key === "Tab") onClose(false);
    else if (next === null) return;
    else all[next]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={menu}
      className="tree-menu"
      role="menu"
      tabIndex={-1}
      aria-label={words.actions(nodeName(scene, index, words))}
      onKeyDown={press}
      onContextMenu={(event) => event.preventDefault()}
    >
      {actionsOf(scene, index, words).map(({ command, icon, text, key, isOff }) => (
        <button
          key={command}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={isOff}
          aria-keyshortcuts={key}
          onClick={() => {
            onClose(false);
            onAction(command);
          }}
        >
          <Icon name={icon} />
          <span>{text}</span>
          <span className="tree-key" aria-hidden="true">
            {key}
          </span>
        </button>
      ))}
    </div>
  );
}

function items(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? [])];
}

function stepped(key: string, now: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return (now + 1) % count;
    case "ArrowUp":
      return (now - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
