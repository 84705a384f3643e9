import { Bot, Eye, GitBranch, StickyNote, UserRound, Wrench } from "lucide-react";
import { when } from "../../i18n/texts";
import { useSession, useSessionStore } from "../../session/context";
import { useFirstWords } from "../../sessions/firstWords";
import { titleOf } from "../../sessions/names";
import { words as shared } from "../texts";
import type { Hit } from "./hits";
import { marked } from "./marked";
import { words } from "./texts";

interface HitRowProps {
  id: string;
  hit: Hit;
  /** The search, whose words are marked. */
  search: string;
  active: boolean;
  onChoose: () => void;
  onPoint: () => void;
}

/** One message that was found. An option of a list whose focus stays in the field, so it is not focused itself. */
export function HitRow({ id, hit, search, active, onChoose, onPoint }: HitRowProps) {
  const text = words.use();
  const { role: roleName } = shared.use();
  const store = useSessionStore();
  const path = useSession((it) => it.path);
  const { entry, session, snippet, tipIds, node } = hit;
  const role = entry.__typename === "MessageEntry" ? entry.role : "";
  const Icon = { user: UserRound, assistant: Bot, toolResult: Wrench }[role] ?? StickyNote;
  const firstWords = useFirstWords((it) => it[session.id]);
  const elsewhere = session.id !== store.id;
  const onPath = !elsewhere && node != null && path.includes(node.nodeId);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
    <div
      id={id}
      role="option"
      aria-selected={active}
      className="pn-hit"
      onClick={onChoose}
      onPointerMove={onPoint}
    >
      <p className="pn-hit-head">
        <Icon aria-hidden />
        <span>{roleName(role)}</span>
        <span className="soft">{when(entry.timestamp)}</span>
        {(onPath || tipIds.length > 0) && (
          <span className="pn-hit-branches soft">
            {onPath ? <Eye aria-hidden /> : <GitBranch aria-hidden />}
            {onPath ? text.onPath : text.branches(tipIds.length)}
          </span>
        )}
      </p>
      <p className="pn-hit-text" dir="auto">
        {marked(snippet, search).map(({ text: piece, hit: isHit }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
          isHit ? <mark key={index}>{piece}</mark> : <span key={index}>{piece}</span>,
        )}
      </p>
      {elsewhere && (
        <p className="pn-hit-session soft">
          <bdi>{titleOf(session.name, firstWords)}</bdi>
        </p>
      )}
    </div>
  );
}
