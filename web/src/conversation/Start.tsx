import { writeDraft } from "./draftStore";
import { words } from "./texts";

/** What an empty conversation shows: what this is, and some questions to begin with. */
export function Start() {
  const text = words.use();
  return (
    <div className="start">
      <h2 className="start-title">{text.startTitle}</h2>
      <p className="soft">{text.startText}</p>
      <ul className="examples" aria-label={text.examples}>
        {[text.example1, text.example2, text.example3].map((example) => (
          <li key={example}>
            <button
              type="button"
              className="example"
              onClick={() => {
                writeDraft(example);
                document.querySelector<HTMLElement>("[data-composer]")?.focus();
              }}
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
