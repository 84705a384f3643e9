/**
 * Parts of the page that are loaded when they are first shown. One that cannot be loaded (the server is away, or is newer than
 * this page and no longer has its files), or that breaks, says so in its own place and leaves the rest of the page as it is.
 */

import { Component, type ComponentType, type ReactNode, Suspense, lazy as whenShown } from "react";
import { Broken } from "./Broken";
import { NotLoaded } from "./reload";

interface BoundaryProps {
  children: ReactNode;
  /** What stands around the message; by default nothing. */
  frame?: (message: ReactNode) => ReactNode;
}

export class PartBoundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const message = <Broken error={error} />;
    return this.props.frame?.(message) ?? message;
  }
}

/** A component that is loaded when it is first shown, with nothing in its place meanwhile. */
export function part<P extends object>(
  load: () => Promise<ComponentType<P>>,
  frame?: (message: ReactNode, props: P) => ReactNode,
): ComponentType<P> {
  const Content = whenShown(async () => {
    const loaded = await load().catch((error: unknown) => {
      throw new NotLoaded(error);
    });
    return { default: loaded as ComponentType<object> };
  });
  return (props: P) => (
    <PartBoundary {...(frame && { frame: (message: ReactNode) => frame(message, props) })}>
      <Suspense>
        <Content {...props} />
      </Suspense>
    </PartBoundary>
  );
}
