/** From the Markdown of one block to React elements. */

import type { ReactElement } from "react";
import ReactMarkdown, { type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import { addressSyntax } from "./addressSyntax";
import { elements } from "./elements";
import { emphasisSyntax } from "./emphasisSyntax";
import { mathsSyntax } from "./mathsSyntax";
import type { Extension } from "./micromark";
import { tidy } from "./tidy";

type Plugins = NonNullable<Options["remarkPlugins"]>;
type Handlers = NonNullable<NonNullable<Options["remarkRehypeOptions"]>["handlers"]>;

/**
 * HTML between blocks is no syntax here: blocks.ts has taken what stands alone; within lists and quotes it is
 * running text, and never more than text.
 */
const noHtmlBlocks: Extension = { disable: { null: ["htmlFlow"] } };

function syntax(this: { data(): object }): void {
  const data = this.data() as { micromarkExtensions?: Extension[] };
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    noHtmlBlocks,
    mathsSyntax,
    emphasisSyntax,
    addressSyntax,
  ];
}

const plugins = [remarkGfm, remarkMath, syntax] as Plugins;

const handlers: Handlers = {
  html: (_state, node: { value: string }) => ({ type: "text", value: node.value }),
  footnoteReference: (_state, node: { label?: string | null; identifier: string }) => ({
    type: "element",
    tagName: "sup",
    properties: { dataFootnote: node.label ?? node.identifier },
    children: [],
  }),
  footnoteDefinition: (state, node: { label?: string | null; identifier: string }) => ({
    type: "element",
    tagName: "aside",
    properties: { dataFootnote: node.label ?? node.identifier },
    children: state.all(node as never),
  }),
};

/**
 * The elements of a block, or null where the parser gives up, and the text is to be shown as it is. Addresses come
 * through as written, for `elements` decides which become links.
 */
export function parse(text: string, preamble: string): ReactElement | null {
  try {
    // A function of its options without hooks; called here, so that what it throws is caught here.
    return ReactMarkdown({
      children: preamble + text,
      remarkPlugins: [...plugins, [tidy, { skip: preamble.length }]] as Plugins,
      remarkRehypeOptions: { handlers },
      urlTransform: (url) => url,
      components: elements,
    });
  } catch {
    return null;
  }
}
