/** Above the tree: finding, folding, and what the marks mean. In a corner of it: zoom. */

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { ZOOM_STEP } from "./commands";
import { Icon, type IconName } from "./icons";
import { Legend } from "./Legend";
import { T } from "./texts";

interface ToolbarProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  /** The place of the hit that is shown, from 1; 0: none is. */
  readonly at: number;
  readonly count: number;
  readonly onText: (text: string) => void;
  readonly onStep: (step: 1 | -1) => void;
  /** Back to the nodes. */
  readonly onLeave: () => void;
  readonly onFoldOthers: () => void;
  readonly onUnfoldAll: () => void;
  readonly hasFolds: boolean;
}

export function Toolbar(props: ToolbarProps) {
  const words = T.use();
  const { input, text, at, count, onText, onStep, onLeave } = props;
  const press = (event: KeyboardEvent) => {
    // Enter may only end the choice of a Chinese word.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") onLeave();
    else if (event.key === "Escape") {
      onText("");
      onLeave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div className="tree-toolbar" role="group" aria-label={words.tools}>
      {/* biome-ignore lint/a11y/useSemanticElements: not every browser in use knows the search element */}
      <div className="tree-find" role="search">
        <Icon name="find" />
        <input
          ref={input}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          aria-label={words.find}
          placeholder={words.findHint}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={press}
        />
        {text.trim() !== "" && (
          <>
            <span className="tree-found" aria-hidden="true">
              {count === 0 ? "0" : words.found(at, count)}
            </span>
            <Button icon="up" text={words.previousHit} isOff={count === 0} onPress={() => onStep(-1)} />
            <Button icon="down" text={words.nextHit} isOff={count === 0} onPress={() => onStep(1)} />
            <Button
              icon="close"
              text={words.clear}
              onPress={() => {
                onText("");
                input.current?.focus();
              }}
            />
          </>
        )}
      </div>
      <Button icon="fold" text={words.foldOthers} onPress={props.onFoldOthers} />
      <Button icon="unfold" text={words.unfoldAll} isOff={!props.hasFolds} onPress={props.onUnfoldAll} />
      <LegendButton />
    </div>
  );
}

function LegendButton() {
  const words = T.use();
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const outside = (event: Event) => {
      if (!whole.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("focusin", outside, true);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      document.removeEventListener("focusin", outside, true);
    };
  }, [isOpen]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    setOpen(false);
    whole.current?.querySelector("button")?.focus();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape, wherever in it the focus is
    <div ref={whole} className="tree-legend-place" onKeyDown={press}>
      <button
        type="button"
        className="tree-button"
        aria-label={words.legend}
        title={words.legend}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="legend" />
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys too
        <section className="tree-legend" aria-label={words.legend} tabIndex={0}>
          <Legend />
        </section>
      )}
    </div>
  );
}

interface ZoomProps {
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
  readonly onWhereIAm: () => void;
  readonly isNowhere: boolean;
}

export function ZoomButtons({ onZoom, onFit, onWhereIAm, isNowhere }: ZoomProps) {
  const words = T.use();
  return (
    <div className="tree-zoom">
      <Button icon="target" text={words.whereIAm} isOff={isNowhere} onPress={onWhereIAm} />
      <Button icon="plus" text={words.zoomIn} onPress={() => onZoom(ZOOM_STEP)} />
      <Button icon="minus" text={words.zoomOut} onPress={() => onZoom(1 / ZOOM_STEP)} />
      <Button icon="fit" text={words.fit} onPress={onFit} />
    </div>
  );
}

interface ButtonProps {
  readonly icon: IconName;
  readonly text: string;
  readonly isOff?: boolean;
  readonly onPress: () => void;
}

function Button({ icon, text, isOff = false, onPress }: ButtonProps) {
  return (
    <button
      type="button"
      className="tree-button"
      aria-label={text}
      title={text}
      disabled={isOff}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
