/**
 * What this browser keeps for the page. One that keeps nothing (it is forbidden to, or has no room) gives nothing back and
 * raises no error: what would have been kept is lost with the page, and no more.
 */

export type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** storage: even asking for it may raise an error. */
export function keptIn(storage: () => Kept): Kept {
  const attempt = <T>(work: (storage: Kept) => T, otherwise: T): T => {
    try {
      return work(storage());
    } catch {
      return otherwise;
    }
  };
  return {
    getItem: (key) => attempt((it) => it.getItem(key), null),
    setItem: (key, value) => attempt((it) => it.setItem(key, value), undefined),
    removeItem: (key) => attempt((it) => it.removeItem(key), undefined),
  };
}

/** For all windows, until it is removed. */
export const kept = keptIn(() => localStorage);

/** For this window, over a reload. */
export const keptForWindow = keptIn(() => sessionStorage);
