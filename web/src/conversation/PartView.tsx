/** One part of an answer. Text from a model is only ever shown by `Markdown`, `PlainText` or as JSON. */

import { Brain, CircleAlert, CircleCheck, CircleDashed, Wrench } from "lucide-react";
import { memo } from "react";
import { Markdown, PlainText } from "../markdown/Markdown";
import { BetweenView } from "./BetweenView";
import { Fold } from "./Fold";
import { argumentsLine, type Part, type Picture, type ToolResult } from "./parts";
import { words } from "./texts";

interface PartProps {
  part: Part;
  /** More of it is to come. */
  growing?: boolean;
}

export const PartView = memo(function PartView({ part, growing = false }: PartProps) {
  const text = words.use();
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} streaming={growing} />;
    case "thinking":
      return (
        <Fold
          className="fold-thinking"
          icon={<Brain aria-hidden />}
          summary={growing ? <span className="glimmer">{text.thinks}</span> : text.thought}
        >
          {() => <Markdown text={part.text} streaming={growing} />}
        </Fold>
      );
    case "tool":
      return <ToolCall name={part.name} args={part.args} result={part.result} />;
    case "picture":
      return <PictureView picture={part.picture} />;
    case "unknown":
      return (
        <Fold summary={text.unknownBlock}>{() => <Json value={part.block} label={text.unknownBlock} />}</Fold>
      );
    case "entry":
      return <BetweenView entry={part.entry} />;
  }
});

interface ToolCallProps {
  name: string;
  args: unknown;
  result: ToolResult | null;
}

function ToolCall({ name, args, result }: ToolCallProps) {
  const text = words.use();
  const [Icon, state] = !result
    ? [CircleDashed, text.toolRuns]
    : result.isError
      ? [CircleAlert, text.toolFailed]
      : [CircleCheck, text.toolDone];
  const line = argumentsLine(args);
  return (
    <Fold
      className={result?.isError ? "fold-tool fold-failed" : "fold-tool"}
      icon={<Wrench aria-hidden />}
      summary={
        <>
          <span className="hidden-text">{text.toolCall} </span>
          <bdi className="tool-name">{name}</bdi>
          {line && <bdi className="tool-line">{line}</bdi>}
          <span className="tool-state">
            <Icon aria-hidden />
            <span className={result && !result.isError ? "hidden-text" : ""}>{state}</span>
          </span>
        </>
      }
    >
      {() => (
        <>
          {args !== undefined && (
            <>
              <h4 className="fold-heading">{text.arguments}</h4>
              <Json value={args} label={text.arguments} />
            </>
          )}
          {result && (
            <>
              <h4 className="fold-heading">{text.result}</h4>
              <div className={result.isError ? "tool-result tool-result-failed" : "tool-result"}>
                {result.text !== "" && <PlainText text={result.text} />}
                {result.pictures.map((it, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they never change
                  <PictureView key={at} picture={it} />
                ))}
                {result.text === "" && result.pictures.length === 0 && (
                  <p className="soft">{text.noOutput}</p>
                )}
              </div>
            </>
          )}
        </>
      )}
    </Fold>
  );
}

function Json({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it
    <pre className="json" role="group" aria-label={label} tabIndex={0} dir="ltr">
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}

/** What a browser shows as a picture and nothing else; an SVG might be more. */
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function PictureView({ picture: { mimeType, data } }: { picture: Picture }) {
  const text = words.use();
  if (!PICTURES.has(mimeType)) return <p className="soft">{text.pictureUnknown(mimeType.slice(0, 40))}</p>;
  return <img className="picture" src={`data:${mimeType};base64,${data}`} alt={text.picture} />;
}
