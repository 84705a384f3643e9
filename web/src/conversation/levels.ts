import type { words } from "./texts";

/** A level of thinking in words; one that is not known, as it is called. */
export function levelName(level: string, text: ReturnType<typeof words.now>): string {
  const names: Readonly<Record<string, string>> = {
    off: text.level_off,
    minimal: text.level_minimal,
    low: text.level_low,
    medium: text.level_medium,
    high: text.level_high,
    xhigh: text.level_xhigh,
    max: text.level_max,
  };
  return names[level] ?? level;
}
