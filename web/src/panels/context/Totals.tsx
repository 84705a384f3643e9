import { count, shortCount } from "../../i18n/texts";
import { Bar } from "../shared/Bar";
import { percent } from "../shared/format";
import { COLOURS } from "../shared/SourceChip";
import { words as shared } from "../texts";
import type { AssembledContext } from "./shown";
import { bySource, saving, share } from "./sources";
import { words } from "./texts";

interface TotalsProps {
  context: AssembledContext;
  /** Tokens; null: not known. */
  window: number | null;
  /** So much of the window stays free for the answer. */
  reserve: number;
}

/** The whole context at a glance: against the whole path, and against the model's window. */
export function Totals({ context, window, reserve }: TotalsProps) {
  const text = words.use();
  const { source: name } = shared.use();
  const { totalTokens, fullHistoryTokens, messages, model } = context;
  const parts = bySource(messages, totalTokens);
  const saved = saving(totalTokens, fullHistoryTokens);
  const longest = Math.max(totalTokens, fullHistoryTokens, 1);
  return (
    <section className="pn-totals" aria-label={text.totals}>
      <div className="pn-row">
        <p className="pn-figure">
          <strong>{count(totalTokens)}</strong> {text.tokensUnit(totalTokens)}
        </p>
        <Saved saved={saved} />
      </div>
      <dl className="pn-bars">
        <div>
          <dt>{text.sent}</dt>
          <dd>{count(totalTokens)}</dd>
          <Bar
            whole={longest}
            parts={parts.map(({ source, tokens }) => ({
              key: source,
              value: tokens,
              colour: COLOURS[source],
            }))}
          />
        </div>
        <div>
          <dt>{text.fullHistory}</dt>
          <dd>{count(fullHistoryTokens)}</dd>
          <Bar
            whole={longest}
            className="pn-bar-quiet"
            parts={[{ key: "full", value: fullHistoryTokens, colour: "line-strong" }]}
          />
        </div>
        <div>
          <dt>
            {text.windowOf} <bdi>{model}</bdi>
          </dt>
          <dd>
            {window === null
              ? text.windowUnknown
              : text.windowShare(percent(share(totalTokens, window)), shortCount(window))}
          </dd>
          {window !== null && (
            <Bar
              whole={window}
              className="pn-bar-thin"
              parts={[{ key: "used", value: totalTokens, colour: "accent" }]}
            >
              <span
                className="pn-bar-mark"
                style={{ left: `${100 * share(window - reserve, window)}%` }}
                title={text.reserve(count(reserve))}
              />
            </Bar>
          )}
        </div>
      </dl>
      <ul className="pn-legend" aria-label={text.bySource}>
        {parts.map(({ source, tokens, count: messageCount }) => (
          <li key={source} className={`pn-source-${source}`}>
            <span className="pn-dot" aria-hidden />
            <span>{name(source)}</span>
            <span className="soft">
              {source === "SYSTEM" ? count(tokens) : text.legend(count(tokens), messageCount)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Saved({ saved }: { saved: number }) {
  const text = words.use();
  if (Math.abs(saved) < 0.005) return <span className="pn-badge">{text.savesNothing}</span>;
  if (saved < 0) return <span className="pn-badge pn-badge-warning">{text.costsMore(percent(-saved))}</span>;
  return <span className="pn-badge pn-badge-success">{text.saves(percent(saved))}</span>;
}
