import { currentLanguage } from "../../i18n/preferences";

/** 0.827 → "83%"; what is small is not told as nothing: 0.00071 → "0.071%" */
export function percent(share: number): string {
  const small = Math.abs(share) < 0.1;
  return share.toLocaleString(currentLanguage() === "zh" ? "zh-CN" : "en", {
    style: "percent",
    ...(small ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 }),
  });
}

/** 1.5 → "$1.50", 0.000123 → "$0.00012" */
export function dollars(value: number): string {
  const digits = value > 0 && value < 1 ? Math.min(6, 1 - Math.floor(Math.log10(value))) : 2;
  return `$${value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, digits) })}`;
}
