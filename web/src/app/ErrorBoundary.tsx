import type { ReactNode } from "react";
import { PartBoundary } from "../ui/Part";

/** What is shown instead of an empty page when something in it breaks that is no part of its own. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <PartBoundary frame={(message) => <main className="main">{message}</main>}>{children}</PartBoundary>;
}
