import { type FormEvent, useState } from "react";
import { useConnection } from "../api/connection";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { words } from "./texts";

/** Asks for the server's token when it has refused to answer without. */
export function TokenDialog() {
  const text = words.use();
  const [token, setToken] = useState("");
  const use = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim()) useConnection.getState().setToken(token.trim());
  };
  return (
    <Dialog title={text.tokenTitle} onClose={() => useConnection.setState({ needsToken: false })}>
      <form onSubmit={use} className="form">
        <p>{text.tokenWhy}</p>
        <label className="field">
          <span>{text.token}</span>
          <input
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
