import { ChevronLeft, ChevronRight } from "lucide-react";
import { type MouseEvent, use } from "react";
import { useSession, useSessionStore } from "../session/context";
import { IconButton } from "../ui/Button";
import { announce } from "./announce";
import { words } from "./texts";
import { ThreadScrollContext } from "./threadScroll";
import { versionsOf } from "./versions";

/** `‹ 2/3 ›`: goes to the versions beside a turn. It stays where it is, with the focus, whichever is shown. */
export function VersionWalk({ nodeId }: { nodeId: string }) {
  const text = words.use();
  const store = useSessionStore();
  const scroll = use(ThreadScrollContext);
  const { number, count, previous, next } = useSession(
    () => versionsOf(store.outline, nodeId) ?? { number: 0, count: 0, previous: null, next: null },
  );
  if (count === 0) return null;
  const goTo = (event: MouseEvent<HTMLElement>, to: string | null) => {
    if (to === null) return;
    const article = event.currentTarget.closest<HTMLElement>("[data-place]");
    if (article) scroll?.beginWalk(article, to);
    store.goDown(to);
    announce(text.versionOf(number + (to === next ? 1 : -1), count));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="versions" role="group" aria-label={text.versions}>
      {/* A button that is disabled would lose the focus. */}
      <IconButton
        label={text.previousVersion}
        aria-disabled={previous === null}
        onClick={(it) => goTo(it, previous)}
      >
        <ChevronLeft />
      </IconButton>
      <span className="hidden-text">{text.versionOf(number, count)}</span>
      <span aria-hidden className="versions-number">
        {number}/{count}
      </span>
      <IconButton label={text.nextVersion} aria-disabled={next === null} onClick={(it) => goTo(it, next)}>
        <ChevronRight />
      </IconButton>
    </div>
  );
}
