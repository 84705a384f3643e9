import { useEffect, useState } from "react";
import { SearchField } from "../ui/SearchField";
import { find, useSessions } from "./list";
import { words } from "./texts";

const REST = 200;

/** Finds conversations by their names, a moment after one has stopped to write. */
export function FindSessions() {
  const text = words.use();
  const query = useSessions((it) => it.query);
  const [written, write] = useState(query);
  useEffect(() => {
    const timer = setTimeout(() => find(written.trim()), written === "" ? 0 : REST);
    return () => clearTimeout(timer);
  }, [written]);
  return (
    <search>
      <SearchField onClear={written === "" ? null : () => write("")}>
        <input
          type="text"
          inputMode="search"
          enterKeyHint="search"
          aria-label={text.search}
          placeholder={text.search}
          value={written}
          onChange={(it) => write(it.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") find(written.trim());
            else if (event.key === "Escape" && written !== "") write("");
            else if (event.key === "ArrowDown")
              document.querySelector<HTMLElement>(".session-link[tabindex='0']")?.focus();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </SearchField>
    </search>
  );
}
