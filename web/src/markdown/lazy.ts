/** Code that is loaded when the first text needs it. Until then, and if it cannot be loaded, there is null. */

import { useEffect, useSyncExternalStore } from "react";

export interface Lazy<T> {
  load: () => Promise<void>;
  /** In a component: the module once it is there; asked for only while wanted. */
  use: (wanted: boolean) => T | null;
}

export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let value: T | null = null;
  let loading: Promise<void> | null = null;
  const listeners = new Set<() => void>();

  const start = () => {
    loading ??= load().then(
      (it) => {
        value = it;
        for (const listener of listeners) listener();
      },
      () => {
        // The next text that wants it asks again.
        loading = null;
      },
    );
    return loading;
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    load: start,
    use: (wanted) => {
      const current = useSyncExternalStore(subscribe, () => (wanted ? value : null));
      useEffect(() => {
        if (wanted && !current) void start();
      }, [wanted, current]);
      return current;
    },
  };
}
