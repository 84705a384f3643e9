import { useMemo, useState } from "react";
import { usePanels } from "../../app/panels";
import { useSession, useSessionStore } from "../../session/context";
import { SearchField } from "../../ui/SearchField";
import { useRested } from "../shared/asked";
import { words as shared } from "../texts";
import { type Branch, branchesBeside } from "./branches";
import { words } from "./texts";

const SHOWN = 60;
const TYPING_RESTS = 120;

/** The branches of the conversation, to choose one to compare the shown place with. */
export function ChooseBranch({ placeId }: { placeId: string }) {
  const text = words.use();
  const { outline } = useSessionStore();
  const version = useSession((it) => it.version);
  const [find, setFind] = useState("");
  const rested = useRested(find, TYPING_RESTS);
  const { siblings, others, more } = useMemo(() => {
    // The outline grows in place; its version tells that it has.
    void version;
    return branchesBeside(outline, placeId, rested, SHOWN);
  }, [outline, version, placeId, rested]);
  const none = siblings.length === 0 && others.length === 0;
  if (none && rested === "") return <p className="soft">{text.onlyOne}</p>;
  return (
    <section className="pn-choose" aria-labelledby="pn-choose">
      <h3 id="pn-choose">{text.choose}</h3>
      <SearchField onClear={find === "" ? null : () => setFind("")}>
        <input
          type="text"
          inputMode="search"
          aria-label={text.find}
          placeholder={text.find}
          value={find}
          onChange={(it) => setFind(it.target.value)}
        />
      </SearchField>
      <p role="status" className="soft">
        {none && text.noneFound}
      </p>
      <Group title={text.siblings} branches={siblings} />
      <Group title={text.others} branches={others} />
      {more > 0 && <p className="soft">{text.moreBranches(more)}</p>}
    </section>
  );
}

function Group({ title, branches }: { title: string; branches: readonly Branch[] }) {
  if (branches.length === 0) return null;
  return (
    <>
      <h4 className="pn-group-title">{title}</h4>
      <ul className="pn-list">
        {branches.map((branch) => (
          <Choice key={branch.tipId} branch={branch} />
        ))}
      </ul>
    </>
  );
}

function Choice({ branch }: { branch: Branch }) {
  const text = words.use();
  const { noText } = shared.use();
  const { outline } = useSessionStore();
  const { tipId, firstId, turns, shared: sharedTurns, labels } = branch;
  return (
    <li>
      <button type="button" className="pn-choice" onClick={() => usePanels.getState().compare(tipId)}>
        <span className="pn-choice-title">
          {labels.map((label) => (
            <span key={label} className="pn-label">
              <bdi>{label}</bdi>
            </span>
          ))}
          <bdi>{outline.get(firstId)?.question || noText}</bdi>
        </span>
        {tipId !== firstId && (
          <span className="pn-choice-tip soft">
            … <bdi>{outline.get(tipId)?.question || noText}</bdi>
          </span>
        )}
        <span className="soft">
          {text.partsAfter(sharedTurns)} · {text.ownTurns(turns)}
        </span>
      </button>
    </li>
  );
}
