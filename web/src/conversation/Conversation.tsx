import { Markdown, PlainText } from "../markdown/Markdown";
import { useSession } from "../session/context";

/** The path that is shown, and below it the field for the next question. */
export function Conversation() {
  const items = useSession((it) => it.items);
  return (
    <div className="conversation">
      {items.map((item) =>
        item.kind === "turn" ? (
          <article key={item.nodeId ?? item.entries[0]?.id}>
            {item.entries.map((entry) =>
              entry.__typename === "MessageEntry" && entry.role === "user" ? (
                <PlainText key={entry.id} text={entry.text} />
              ) : (
                <Markdown
                  key={entry.id}
                  text={entry.__typename === "MessageEntry" ? entry.text : entry.type}
                />
              ),
            )}
          </article>
        ) : null,
      )}
    </div>
  );
}
