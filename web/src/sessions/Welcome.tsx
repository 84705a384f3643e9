/** What is shown where no conversation is open. */

import { Plus, Upload } from "lucide-react";
import { Link } from "wouter";
import { pathOf } from "../app/route";
import { when } from "../i18n/texts";
import { Button } from "../ui/Button";
import { useFirstWords } from "./firstWords";
import { chooseFiles } from "./importing";
import { useSessions } from "./list";
import { titleOf } from "./names";
import { startConversation } from "./newSession";
import { words } from "./texts";
import "./welcome.css";

export function Welcome() {
  const text = words.use();
  const recent = useSessions((it) => it.recent);
  const hidden = useSessions((it) => it.hidden);
  const firstWords = useFirstWords();
  const shown = recent.filter((it) => !hidden.has(it.id));
  return (
    <div className="welcome">
      <img src="/assets/icon.svg" alt="" width="56" height="56" />
      <h1>{text.welcome}</h1>
      <p className="welcome-text">{text.welcomeText}</p>
      <div className="welcome-buttons">
        <Button kind="primary" onClick={startConversation}>
          <Plus aria-hidden />
          {text.newConversation}
        </Button>
        <Button onClick={chooseFiles}>
          <Upload aria-hidden />
          {text.import}
        </Button>
      </div>
      <p className="soft welcome-hint">{text.dropHint}</p>
      {shown.length > 0 && (
        <section className="recent" aria-labelledby="recent">
          <h2 id="recent">{text.recent}</h2>
          <ul>
            {shown.map((it) => (
              <li key={it.id}>
                <Link href={pathOf(it.id)}>
                  <bdi>{titleOf(it.name, firstWords[it.id])}</bdi>
                  <span>{it.nodeCount === 0 ? text.noTurns : text.turns(it.nodeCount)}</span>
                  <time dateTime={it.updatedAt}>{when(it.updatedAt)}</time>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
