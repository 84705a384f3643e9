/** The page's colours as a canvas understands them: variables and `light-dark()` resolved to what they are now. */

const SURFACES = {
  raised: "--surface-raised",
  selected: "--surface-selected",
  warningSurface: "--warning-surface",
} as const;

const INKS = {
  line: "--line",
  lineStrong: "--line-strong",
  text: "--text",
  textSoft: "--text-soft",
  accent: "--accent",
  danger: "--danger",
  warning: "--warning",
  anchor: "--source-anchor",
  compaction: "--source-compaction",
  branch: "--source-branch",
} as const;

export type Palette = Readonly<Record<keyof typeof SURFACES | keyof typeof INKS | "font", string>>;

/** `probe` is an element of the page that shows nothing. */
export function readPalette(probe: HTMLElement): Palette {
  const style = getComputedStyle(probe);
  // Each as what it is: with forced colours, text and background become different ones.
  const surfaces = Object.entries(SURFACES).map(([name, variable]) => {
    probe.style.backgroundColor = `var(${variable})`;
    return [name, style.backgroundColor];
  });
  const inks = Object.entries(INKS).map(([name, variable]) => {
    probe.style.color = `var(${variable})`;
    return [name, style.color];
  });
  return { ...Object.fromEntries([...surfaces, ...inks]), font: style.fontFamily };
}

/** Calls when the colours may have changed; returns what ends that. */
export function watchPalette(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"].map(
    (it) => matchMedia(it),
  );
  for (const query of queries) query.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener("change", changed);
  };
}
