/** Colours for code, by highlight.js with its common languages; loaded with the first code of a known language. */

import type { ReactNode } from "react";
import rehypeHighlight from "rehype-highlight";
import { visibleControls } from "./visible";

interface Text {
  type: "text";
  value: string;
}

interface Element {
  type: "element";
  tagName: string;
  properties: { className?: string[] };
  children: (Element | Text)[];
}

const transform = rehypeHighlight() as unknown as (tree: unknown, file: { message: () => void }) => void;

/** The code as spans with classes of highlight.js, or null where it does not know the language. */
export function highlight(code: string, language: string): ReactNode {
  const element: Element = {
    type: "element",
    tagName: "code",
    properties: { className: [`language-${language.toLowerCase()}`] },
    children: [{ type: "text", value: code }],
  };
  let known = true;
  const pre = { type: "element", tagName: "pre", properties: {}, children: [element] };
  const file = {
    message: () => {
      known = false;
    },
  };
  try {
    transform({ type: "root", children: [pre] }, file);
  } catch {
    return null;
  }
  return known ? element.children.map(build) : null;
}

function build(node: Element | Text, key: number): ReactNode {
  if (node.type === "text") return visibleControls(node.value);
  return (
    <span key={key} className={node.properties.className?.join(" ")}>
      {node.children.map(build)}
    </span>
  );
}
