import { Component, type ReactNode } from "react";
import { Button } from "../ui/Button";
import { words } from "./texts";

/** What is shown instead of an empty page when something in it breaks. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    const text = words.now();
    return (
      <main className="notice" role="alert">
        <h1>{text.crashed}</h1>
        <p className="soft">{this.state.error.message}</p>
        <Button kind="primary" onClick={() => window.location.reload()}>
          {text.reload}
        </Button>
      </main>
    );
  }
}
