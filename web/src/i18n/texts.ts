/**
 * The words of the page. Each part of it keeps its own beside it, in a `texts.ts`; a language that lacks a word does
 * not compile.
 */

import { currentLanguage, type Language, useLanguage } from "./preferences";

// biome-ignore lint/suspicious/noExplicitAny: the parameters are each text's own
type Text = string | ((...values: any[]) => string);
type Translated<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

export interface Texts<T> {
  /** In a component: follows the language. */
  use: () => Translated<T>;
  /** Elsewhere: in the language of the moment. */
  now: () => Translated<T>;
  all: Record<Language, Translated<T>>;
}

export function texts<T extends Record<string, Text>>(en: T, zh: Translated<T>): Texts<T> {
  const all: Record<Language, Translated<T>> = { en: en as Translated<T>, zh };
  return { use: () => all[useLanguage()], now: () => all[currentLanguage()], all };
}

/** 1234567 → "1,234,567" */
export function count(value: number): string {
  return value.toLocaleString(currentLanguage() === "zh" ? "zh-CN" : "en");
}

/** 123456 → "123k", 1000000 → "1M" */
export function shortCount(value: number): string {
  return value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 }).replace("K", "k");
}

/** A time of day for today, else a date. */
export function when(time: string | number, now = Date.now()): string {
  const date = new Date(time);
  const locale = currentLanguage() === "zh" ? "zh-CN" : "en";
  const today = new Date(now).toDateString() === date.toDateString();
  return today
    ? date.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" })
    : date.toLocaleDateString(locale, { year: "numeric", month: "short", day: "numeric" });
}
