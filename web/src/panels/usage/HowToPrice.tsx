import { useSession } from "../../session/context";
import { words } from "./texts";

/** How a server learns what a model costs. */
export function HowToPrice() {
  const text = words.use();
  const model = useSession((it) =>
    it.items
      .flatMap((item) => (item.kind === "turn" ? item.entries : []))
      .flatMap((entry) =>
        entry.__typename === "MessageEntry" && entry.model && entry.usage?.costUsd == null
          ? [entry.model]
          : [],
      )
      .at(-1),
  );
  const example = {
    [model ?? "MODEL"]: {
      usd_per_million_tokens: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    },
  };
  return (
    <details className="pn-prices">
      <summary>{text.pricesTitle}</summary>
      <p>{text.pricesHelp}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so the keyboard has to reach it */}
      <pre tabIndex={0}>{JSON.stringify(example, null, 2)}</pre>
      <p>{text.pricesStart}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
      <pre tabIndex={0}>GRAPH_SESSION_CATALOGUE=prices.json graph-session serve</pre>
    </details>
  );
}
