import { currentLanguage } from "../../i18n/preferences";

/** 0.827 → "83%"; what is small is not told as nothing: 0.0007 → "0.07%" */
export function percent(share: number): string {
  const digits = share > 0 && share < 0.01 ? Math.min(4, -Math.floor(Math.log10(share)) - 2) : 0;
  return share.toLocaleString(currentLanguage() === "zh" ? "zh-CN" : "en", {
    style: "percent",
    maximumFractionDigits: Math.max(0, digits),
  });
}

/** 1.5 → "$1.50", 0.000123 → "$0.00012" */
export function dollars(value: number): string {
  const digits = value > 0 && value < 1 ? Math.min(6, 1 - Math.floor(Math.log10(value))) : 2;
  return `$${value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, digits) })}`;
}
