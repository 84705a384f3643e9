import { useCallback, useEffect, useRef, useState } from "react";
import { explain } from "../../session/actions";

export interface Asked<T> {
  /** Stays while it is asked for again, so that nothing on the page jumps. */
  readonly data: T | null;
  readonly loading: boolean;
  /** What went wrong the last time. */
  readonly problem: string | null;
  readonly again: () => void;
}

/** What the server says to `ask` (null: nothing is asked), asked whenever that is another function. */
export function useAsked<T>(ask: (() => Promise<T>) | null): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, "again">>({ data: null, loading: true, problem: null });
  const latest = useRef<object | null>(null);
  const again = useCallback(() => {
    const mine = {};
    latest.current = mine;
    if (ask === null) {
      setState({ data: null, loading: false, problem: null });
      return;
    }
    setState((it) => ({ ...it, loading: true }));
    ask().then(
      (data) => latest.current === mine && setState({ data, loading: false, problem: null }),
      (error) =>
        latest.current === mine && setState((it) => ({ ...it, loading: false, problem: explain(error) })),
    );
  }, [ask]);
  useEffect(() => {
    again();
    return () => {
      latest.current = null;
    };
  }, [again]);
  return { ...state, again };
}

/** A value once it has rested for so many milliseconds. */
export function useRested<T>(value: T, milliseconds: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}
