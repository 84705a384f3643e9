import { Outline } from "../session/outline";
import { page } from "../session/outlineTesting";

export type Rows = [string, string | null, string?][];

export function outlineOf(rows: Rows): Outline {
  const outline = new Outline();
  outline.take(page(rows));
  return outline;
}

/** One node below the other. */
export function chain(length: number, name = "n", parent: string | null = null): Rows {
  return Array.from({ length }, (_, index) => [
    `${name}${index}`,
    index === 0 ? parent : `${name}${index - 1}`,
  ]);
}

/** One node, and all the others below it. */
export function fan(size: number, name = "n"): Rows {
  return Array.from({ length: size }, (_, index) => [`${name}${index}`, index === 0 ? null : `${name}0`]);
}
