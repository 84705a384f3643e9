import { FoldVertical } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { count } from "../../i18n/texts";
import { compact, explain } from "../../session/actions";
import { useSession, useSessionStore } from "../../session/context";
import { Button } from "../../ui/Button";
import { FormButtons } from "../../ui/FormButtons";
import { Problem } from "../shared/Problem";
import { words } from "./texts";

type Outcome = { readonly kind: "done"; readonly before: number } | { readonly kind: "nothing" };

/** Replace what lies further back by a summary, now. total: tokens of the context that is shown. */
export function Compact({ total, running }: { total: number; running: boolean }) {
  const text = words.use();
  const store = useSessionStore();
  const place = useSession((it) => it.currentId);
  const id = useId();
  const [open, setOpen] = useState(false);
  const [instructions, setInstructions] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<{ at: string | null; is: Outcome } | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const gained = await compact(store, instructions.trim() || null);
      setOutcome({ at: place, is: gained ? { kind: "done", before: total } : { kind: "nothing" } });
      setOpen(false);
      setInstructions("");
    } catch (error) {
      setProblem(explain(error));
    }
    setBusy(false);
  };

  // What was said of another place is no longer of interest.
  const said = outcome?.at === place ? outcome.is : null;
  return (
    <section className="pn-compact" aria-label={text.compact}>
      {!open && (
        <Button disabled={place === null || running} onClick={() => setOpen(true)}>
          <FoldVertical aria-hidden />
          {text.compact}
        </Button>
      )}
      {open && (
        <form className="form" onSubmit={(event) => void submit(event)}>
          <p className="soft">{text.compactHelp}</p>
          <label className="field" htmlFor={id}>
            <span>{text.instructions}</span>
            <textarea
              id={id}
              rows={2}
              value={instructions}
              placeholder={text.instructionsHint}
              onChange={(it) => setInstructions(it.target.value)}
            />
          </label>
          <FormButtons onCancel={() => setOpen(false)} isBusy={busy}>
            {busy ? text.compacting : text.compact}
          </FormButtons>
        </form>
      )}
      {problem !== null && <Problem message={problem} />}
      <p role="status" className={said?.kind === "done" ? "pn-said pn-said-done" : "pn-said"}>
        {said?.kind === "nothing" && text.nothingToCompact}
        {said?.kind === "done" && text.compacted(count(said.before), count(total))}
      </p>
    </section>
  );
}
