import { count } from "../../i18n/texts";
import { words as shared } from "../texts";
import type { Replaced } from "./covered";
import { groupOmitted, type OmittedGroup } from "./omitted";
import type { AssembledContext } from "./shown";
import { words } from "./texts";

/** What of the path is not sent as it was written, and why. */
export function LeftOut({ context, replaced }: { context: AssembledContext; replaced: Replaced }) {
  const text = words.use();
  const { entryType } = shared.use();
  const groups = groupOmitted(context.omitted);
  const { byBoundary, byOwn } = replaced;
  const nothing = groups.length === 0 && byBoundary === 0 && byOwn === 0;
  return (
    <section className="pn-left-out" aria-labelledby="pn-left-out">
      <h3 id="pn-left-out">{text.leftOut}</h3>
      {nothing && <p className="soft">{text.nothingLeftOut}</p>}
      <ul>
        {byBoundary > 0 && <Reason number={byBoundary} why={text.replacedByBoundary(byBoundary)} />}
        {byOwn > 0 && <Reason number={byOwn} why={text.replacedByOwn(byOwn)} />}
        {groups.map((group) => (
          <Reason
            key={`${group.kind} ${group.detail}`}
            number={group.entryIds.length}
            why={whyOf(group, text, entryType)}
          />
        ))}
      </ul>
    </section>
  );
}

function Reason({ number, why }: { number: number; why: string }) {
  return (
    <li>
      <span className="pn-count">{count(number)}</span>
      <span>{why}</span>
    </li>
  );
}

function whyOf(
  { kind, detail, entryIds }: OmittedGroup,
  text: ReturnType<typeof words.use>,
  entryType: (it: string) => string,
): string {
  const many = entryIds.length;
  switch (kind) {
    case "neverSent":
      return text.omitted_neverSent(many, entryType((detail ?? "").toUpperCase()));
    case "callAlone":
      return text.omitted_callAlone(many, detail ?? "");
    case "other":
      return detail ?? "";
    default:
      return text[`omitted_${kind}`](many);
  }
}
