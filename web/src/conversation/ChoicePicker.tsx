/** Model and level of thinking for the next question: what holds here, and what else can. */

import { Brain, ChevronDown, Cpu } from "lucide-react";
import { shortCount } from "../i18n/texts";
import { changeModel, changeThinkingLevel } from "../session/actions";
import { type ModelChoice, useChoices } from "../session/choices";
import { useSessionStore } from "../session/context";
import { Menu, type MenuItem } from "../ui/Menu";
import { toastError } from "../ui/toasts";
import { levelName } from "./levels";
import { words } from "./texts";
import { useStateHere } from "./useStateHere";

type Words = ReturnType<typeof words.now>;

/** isFixed: an answer is coming, and nothing can be written beside it. */
export function ChoicePicker({ isFixed }: { isFixed: boolean }) {
  const text = words.use();
  const store = useSessionStore();
  const { choices } = useChoices();
  const here = useStateHere();
  if (!here || !choices) return <div className="choices" />;
  const { models, thinkingLevels } = choices;
  return (
    <div className="choices">
      <Menu
        className="choice"
        label={text.modelHere(here.modelId)}
        items={modelItems(models, here.modelId, text, isFixed, (it) => {
          changeModel(store, it.provider, it.id).catch(toastError);
        })}
      >
        <Cpu aria-hidden />
        <bdi className="choice-name">{here.modelId}</bdi>
        <ChevronDown aria-hidden />
      </Menu>
      <Menu
        className="choice"
        label={text.thinkingHere(levelName(here.thinkingLevel, text))}
        items={thinkingLevels.map((level) => ({
          label: levelName(level, text),
          checked: level === here.thinkingLevel,
          disabled: isFixed,
          onSelect: () => {
            if (level !== here.thinkingLevel) changeThinkingLevel(store, level).catch(toastError);
          },
        }))}
      >
        <Brain aria-hidden />
        <span className="choice-name choice-long">
          {text.thinkingHere(levelName(here.thinkingLevel, text))}
        </span>
        <span className="choice-name choice-short">{levelName(here.thinkingLevel, text)}</span>
        <ChevronDown aria-hidden />
      </Menu>
      {models.every((it) => it.provider === "offline") ? (
        <p className="no-model">{text.noModel}</p>
      ) : (
        !models.some((it) => it.id === here.modelId) && <p className="no-model">{text.chooseOther}</p>
      )}
    </div>
  );
}

function modelItems(
  models: readonly ModelChoice[],
  here: string,
  text: Words,
  isFixed: boolean,
  choose: (model: ModelChoice) => void,
): MenuItem[] {
  const items: MenuItem[] = models.map((it) => ({
    label: it.id,
    detail: detailsOf(it, text),
    checked: it.id === here,
    disabled: isFixed,
    onSelect: () => {
      if (it.id !== here) choose(it);
    },
  }));
  if (models.some((it) => it.id === here)) return items;
  const other = { label: here, detail: text.notOffered, checked: true, disabled: true, onSelect: () => {} };
  return [other, ...items];
}

function detailsOf(model: ModelChoice, text: Words): string {
  const { window, inputUsdPerMillion: sent, outputUsdPerMillion: answered, isDefault } = model;
  const details = [text.window(shortCount(window))];
  if (sent === 0 && answered === 0) details.push(text.free);
  else if (typeof sent === "number" && typeof answered === "number")
    details.push(text.price(`$${sent}`, `$${answered}`));
  if (isDefault) details.push(text.standard);
  return details.join(" · ");
}
