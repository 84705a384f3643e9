import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** A second line, smaller. */
  detail?: string;
  danger?: boolean;
  /** Of a choice among several: whether it is the one that holds. */
  checked?: boolean;
  disabled?: boolean;
  /** As "F2", shown beside it. */
  shortcut?: string;
  /** Of short choices: what is chosen. Those of one group that follow each other stand in one row, by their icons. */
  group?: string;
  onSelect: () => void;
}

interface MenuProps {
  label: string;
  /** What is on the button that opens it. */
  children: ReactNode;
  items: readonly MenuItem[];
  className?: string;
  /** -1: reached by other keys than Tab. */
  tabIndex?: number;
}

const GAP = 4;
const EDGE = 8;

/** A button that opens a list of things to do or to choose from (the WAI-ARIA menu button pattern). */
export function Menu({ label, children, items, className = "icon-button", tabIndex }: MenuProps) {
  const [open, setOpen] = useState(false);
  const [place, setPlace] = useState<CSSProperties>({});
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  // In the browser's top layer, where nothing that scrolls cuts it off; so it has to be told where its button is.
  useLayoutEffect(() => {
    if (!open || !list.current || !button.current) return;
    list.current.showPopover?.();
    setPlace(placeBeside(button.current.getBoundingClientRect(), list.current.getBoundingClientRect()));
  }, [open]);

  useEffect(() => {
    if (!open) return;
    const first = list.current?.querySelector<HTMLElement>("[role^=menuitem]:not(:disabled)");
    const chosen = list.current?.querySelector<HTMLElement>("[aria-checked=true]");
    (first?.role === "menuitem" ? first : (chosen ?? first))?.focus({ preventScroll: true });
    const close = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    const closeOnScroll = (event: Event) => {
      if (event.target !== list.current) setOpen(false);
    };
    const shutAlways = () => setOpen(false);
    document.addEventListener("pointerdown", close);
    document.addEventListener("scroll", closeOnScroll, true);
    window.addEventListener("resize", shutAlways);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("scroll", closeOnScroll, true);
      window.removeEventListener("resize", shutAlways);
    };
  }, [open]);

  const shut = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") shut();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  const choose = (item: MenuItem) => {
    shut();
    item.onSelect();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the keys of what is in it
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        tabIndex={tabIndex}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div ref={list} popover="manual" role="menu" aria-label={label} className="menu-list" style={place}>
          {grouped(items).map(({ group, items: members }) =>
            group === undefined ? (
              members.map((item) => <Item key={item.label} item={item} onChoose={choose} />)
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a menu holds no fieldset
              <div key={group} role="group" aria-label={group} className="menu-group">
                <span aria-hidden>{group}</span>
                {members.map((item) => (
                  <Item key={item.label} item={item} onChoose={choose} />
                ))}
              </div>
            ),
          )}
        </div>
      )}
    </div>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: (item: MenuItem) => void }) {
  const iconAlone = item.group !== undefined && item.icon !== undefined;
  return (
    <button
      type="button"
      {...(item.checked === undefined
        ? { role: "menuitem" }
        : { role: "menuitemradio", "aria-checked": item.checked })}
      {...(iconAlone && { "aria-label": item.label, title: item.label })}
      disabled={item.disabled}
      tabIndex={-1}
      className={item.danger ? "menu-item menu-item-danger" : "menu-item"}
      onClick={() => onChoose(item)}
    >
      {item.icon}
      {!iconAlone && (
        <span>
          {item.label}
          {item.detail && <small>{item.detail}</small>}
        </span>
      )}
      {item.shortcut && <kbd aria-hidden>{item.shortcut}</kbd>}
    </button>
  );
}

function grouped(items: readonly MenuItem[]): { group: string | undefined; items: MenuItem[] }[] {
  const groups: { group: string | undefined; items: MenuItem[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && last.group === item.group) last.items.push(item);
    else groups.push({ group: item.group, items: [item] });
  }
  return groups;
}

/** Below the button, or above it where there is more room; their left edges in line, or their right ones near the edge. */
function placeBeside(button: DOMRect, list: DOMRect): CSSProperties {
  const fits = button.left + list.width + EDGE <= window.innerWidth;
  const left = fits ? button.left : Math.max(EDGE, button.right - list.width);
  const below = window.innerHeight - button.bottom - GAP - EDGE;
  const above = button.top - GAP - EDGE;
  return list.height <= below || below >= above
    ? { left, top: button.bottom + GAP, maxHeight: below }
    : { left, bottom: window.innerHeight - button.top + GAP, maxHeight: above };
}
