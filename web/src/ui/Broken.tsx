/** What is shown in the place of something that could not be loaded or broke, with the way out. */

import { useState } from "react";
import { Button } from "./Button";
import { NotLoaded, reloadWhenThere } from "./reload";
import { words } from "./texts";

export function Broken({ error }: { error: Error }) {
  const text = words.use();
  const [isAway, setAway] = useState(false);
  const isLoading = error instanceof NotLoaded;
  return (
    <div className="notice" role="alert">
      <p>{isLoading ? text.notLoaded : text.crashed}</p>
      {!isLoading && <p className="soft">{error.message}</p>}
      <Button kind="primary" onClick={() => void reloadWhenThere().then((there) => setAway(!there))}>
        {text.reload}
      </Button>
      {isAway && <p className="soft">{text.stillAway}</p>}
    </div>
  );
}
