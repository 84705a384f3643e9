/** A conversation's settings: its name, what the model is told, which model it is, and when turns are summarised. */

import { type FormEvent, useEffect, useRef, useState } from "react";
import { payload, Refused, request } from "../api/request";
import type { SessionFieldsFragment } from "../graphql/generated/graphql";
import { type ModelChoice, useChoices } from "../session/choices";
import { Dialog } from "../ui/Dialog";
import { FormButtons } from "../ui/FormButtons";
import { toast } from "../ui/toasts";
import { FormField } from "./FormField";
import { learn } from "./list";
import { UpdateSession } from "./operations";
import { SessionFacts } from "./SessionFacts";
import {
  badNumbers,
  boundsIn,
  changesOf,
  type Field,
  fieldNamed,
  NUMBERS,
  type Problems,
  type Settings,
  settingsOf,
} from "./settings";
import { explain, words } from "./texts";
import "./problems.css";
import "./settings.css";

interface SettingsDialogProps {
  session: SessionFieldsFragment;
  onClose: () => void;
}

export function SettingsDialog({ session, onClose }: SettingsDialogProps) {
  const text = words.use();
  const { choices, problem: modelsProblem } = useChoices();
  const models = choices?.models ?? [];
  const standing = models.find((it) => it.isDefault)?.id ?? null;
  const before = settingsOf(session, standing);
  const [edits, setEdits] = useState<Partial<Settings>>({});
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const settings = { ...before, ...edits };
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusals]);
  const refuse = (what: Problems) => {
    setProblems(what);
    setRefusals((it) => it + 1);
  };

  const edit = (field: Field, value: string) => {
    setEdits({ ...edits, [field]: value });
    const { [field]: _, ...rest } = problems;
    setProblems(rest);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    const bad = badNumbers(settings);
    if (bad.length > 0) {
      refuse(Object.fromEntries(bad.map((it) => [it, text.wholeNumber])));
      return;
    }
    const changes = changesOf(session.id, before, settings);
    if (changes === null) {
      onClose();
      return;
    }
    setSaving(true);
    request(UpdateSession, { input: changes })
      .then((it) => {
        learn(payload(it.updateSession).session);
        toast(text.saved);
        onClose();
      })
      .catch((error) => {
        const failed = error instanceof Refused ? error.failure : null;
        const field = fieldNamed(failed && "field" in failed ? String(failed.field) : null);
        const bounds = boundsIn(explain(error));
        if (field) refuse({ [field]: bounds ? text.range(...bounds) : explain(error) });
        else setFailure(explain(error));
        setSaving(false);
      });
  };

  return (
    <Dialog title={text.settingsTitle} onClose={onClose}>
      <form ref={form} className="form settings" onSubmit={submit} noValidate>
        <FormField label={text.name} problem={problems.name}>
          {(control) => (
            <input
              {...control}
              dir="auto"
              value={settings.name}
              placeholder={text.unnamed}
              onChange={(it) => edit("name", it.target.value)}
            />
          )}
        </FormField>
        <FormField label={text.systemPrompt} help={text.systemPromptHelp} problem={problems.systemPrompt}>
          {(control) => (
            <textarea
              {...control}
              dir="auto"
              rows={4}
              value={settings.systemPrompt}
              onChange={(it) => edit("systemPrompt", it.target.value)}
            />
          )}
        </FormField>
        <FormField
          label={text.model}
          help={modelsProblem ? `${text.modelsFailed} ${modelsProblem}` : text.modelHelp}
          problem={problems.model}
        >
          {(control) => (
            <select {...control} value={settings.model} onChange={(it) => edit("model", it.target.value)}>
              {standing !== null && <option value="">{text.serverChoice(standing)}</option>}
              {namesOf(models, settings.model).map((id) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <fieldset className="settings-numbers">
          <legend>{text.summaries}</legend>
          {NUMBERS.map((field) => (
            <FormField key={field} label={text[field]} help={text[`${field}Help`]} problem={problems[field]}>
              {(control) => (
                <input
                  {...control}
                  inputMode="numeric"
                  value={settings[field]}
                  onChange={(it) => edit(field, it.target.value)}
                />
              )}
            </FormField>
          ))}
        </fieldset>
        <SessionFacts session={session} />
        {failure !== null && (
          <p className="field-problem" role="alert">
            {failure}
          </p>
        )}
        <FormButtons className="settings-buttons" onCancel={onClose} isBusy={saving} />
      </form>
    </Dialog>
  );
}

/** The models that can be chosen by name: those of the server, and the one that is set if it knows it not. */
function namesOf(models: readonly ModelChoice[], chosen: string): string[] {
  const ids = models.filter((it) => !it.isDefault).map((it) => it.id);
  return chosen === "" || ids.includes(chosen) ? ids : [chosen, ...ids];
}
