import { Dialog } from "../ui/Dialog";
import { SHORTCUTS } from "./keys";
import { words } from "./texts";

/** All keys, by where they work. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const text = words.use();
  return (
    <Dialog title={text.shortcuts} onClose={onClose} wide>
      <div className="shortcut-groups">
        {SHORTCUTS.map(({ where, keys }) => (
          <section key={where}>
            <h3>{text[where]}</h3>
            <dl className="shortcuts">
              {keys.map(([key, does]) => (
                <div key={does}>
                  <dt>
                    {key.split(" ").map((it) => (
                      <kbd key={it}>{it}</kbd>
                    ))}
                  </dt>
                  <dd>{text[does]}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
