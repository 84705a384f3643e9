import { count } from "../../i18n/texts";
import { Bar } from "../shared/Bar";
import { dollars } from "../shared/format";
import { words } from "./texts";
import { allTokens, type Used } from "./turns";

export const KINDS = [
  ["inputTokens", "source-raw"],
  ["cacheReadTokens", "source-branch"],
  ["cacheWriteTokens", "source-anchor"],
  ["outputTokens", "source-node-summary"],
] as const;

/** The bar of a usage's parts. */
export function UsedBar({ used, whole, className }: { used: Used; whole: number; className?: string }) {
  const parts = KINDS.flatMap(([key, colour]) => (used[key] > 0 ? [{ key, value: used[key], colour }] : []));
  return <Bar whole={whole} parts={parts} {...(className === undefined ? {} : { className })} />;
}

/** Tokens by kind, and what they cost. */
export function Totals({ title, help, used }: { title: string; help: string; used: Used }) {
  const text = words.use();
  const all = allTokens(used);
  return (
    <section className="pn-used" aria-label={title}>
      <h3>{title}</h3>
      <p className="pn-used-help soft">{help}</p>
      <p className="pn-row">
        <span className="pn-figure">
          <strong>{count(all)}</strong> {text.tokens}
        </span>
        <span className={used.costUsd === null ? "pn-badge pn-badge-warning" : "pn-badge"}>
          {used.costUsd === null ? text.priceUnknown : dollars(used.costUsd)}
        </span>
      </p>
      <UsedBar used={used} whole={all} />
      <dl className="pn-used-kinds">
        {KINDS.map(([key, colour]) => (
          <div key={key}>
            <dt>
              <span className="pn-dot" style={{ background: `var(--${colour})` }} aria-hidden />
              {text[key]}
            </dt>
            <dd>{count(used[key])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
