import { type FormEvent, useState } from "react";
import { useConnection } from "../api/connection";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { words } from "./texts";

/** Asks for the server's token when it has refused to answer without. */
export function TokenDialog() {
  const text = words.use();
  const [token, setToken] = useState("");
  const isWrong = useConnection((it) => it.token !== null);
  const use = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim()) useConnection.getState().setToken(token.trim());
  };
  return (
    <Dialog title={text.tokenTitle} onClose={() => useConnection.getState().askToken(false)}>
      <form onSubmit={use} className="form">
        {isWrong && <p role="alert">{text.tokenWrong}</p>}
        <p>{text.tokenWhy}</p>
        <label className="field">
          <span>{text.token}</span>
          <input
            data-autofocus
            type="password"
            autoComplete="current-password"
            value={token}
            onChange={(it) => setToken(it.target.value)}
          />
        </label>
        <div className="form-buttons">
          <Button kind="primary" type="submit">
            {text.tokenUse}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
