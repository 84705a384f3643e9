/**
 * Formulas to MathML, by KaTeX; loaded with the first formula.
 *
 * The MathML that KaTeX writes is read as text and built anew from a list of known elements and attributes: no HTML
 * of anyone's is put into the page, and no style of it (which the content security policy forbids). What browsers leave
 * out of MathML (see MathML Core) is made up for here: alphabets, and the
 * columns of tables; by classes, for not every browser has styles on elements of MathML.
 */

import katex from "katex";
import { createElement, type ReactNode } from "react";
import { inAlphabet } from "./mathLetters";

const LONGEST = 5_000;
/** Of elements in elements: browsers lay them out by recursion. */
const DEEPEST = 120;
const MOST_ELEMENTS = 3_000;
/** KaTeX bounds what is large, but not what is negative. */
const LARGEST = 20;
/** Only a mark: replaced by a class. */
const UNKNOWN = "#c0ffee";

const ELEMENTS = new Set(
  "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "display displaystyle scriptlevel linethickness stretchy symmetric fence separator lspace rspace minsize maxsize movablelimits accent accentunder largeop form width height depth voffset mathcolor mathbackground mathsize notation rowspan columnspan dir".split(
    " ",
  ),
);

interface Tree {
  name: string;
  attributes: Record<string, string>;
  children: (Tree | string)[];
}

/** The formula, or null if it is none that KaTeX understands, or too long. */
export function formula(tex: string, display: boolean): ReactNode {
  if (tex.length > LONGEST) return null;
  let markup: string;
  try {
    markup = katex.renderToString(tex, {
      displayMode: display,
      output: "mathml",
      trust: false,
      strict: "ignore",
      throwOnError: false,
      errorColor: UNKNOWN,
      maxSize: 20,
      maxExpand: 200,
    });
  } catch {
    return null;
  }
  const tree = read(markup);
  const math = tree && find(tree, "math");
  return math && build(math, 0);
}

const TOKEN = /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z:-]+="[^"]*")*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([a-zA-Z:-]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] as string);

/** KaTeX's own markup: well-formed, all values in double quotes. Null if it is too much. */
function read(markup: string): Tree | null {
  const root: Tree = { name: "", attributes: {}, children: [] };
  const open = [root];
  let elements = 0;
  for (const [token, slash, name, attributes, selfClosing] of markup.matchAll(TOKEN)) {
    const parent = open.at(-1) as Tree;
    if (name === undefined) parent.children.push(unescaped(token));
    else if (slash) open.length = Math.max(1, open.length - 1);
    else {
      const element: Tree = { name, attributes: {}, children: [] };
      for (const [, key, value] of (attributes ?? "").matchAll(ATTRIBUTE)) {
        element.attributes[key as string] = unescaped(value as string);
      }
      parent.children.push(element);
      if (!selfClosing) open.push(element);
      elements += 1;
      if (open.length > DEEPEST || elements > MOST_ELEMENTS) return null;
    }
  }
  return root;
}

function find(tree: Tree, name: string): Tree | null {
  for (const child of tree.children) {
    if (typeof child === "string") continue;
    const found = child.name === name ? child : find(child, name);
    if (found) return found;
  }
  return null;
}

function build(tree: Tree, key: number, className?: string): ReactNode {
  // The source, for machines: `semantics` is only its wrapper.
  if (tree.name === "annotation") return null;
  if (tree.name === "semantics") return tree.children.map(buildChild);
  if (!ELEMENTS.has(tree.name)) return tree.children.map(buildChild);

  const properties: Record<string, unknown> = { key, className };
  for (const [name, value] of Object.entries(tree.attributes)) {
    if (ATTRIBUTES.has(name)) properties[name] = bounded(value);
  }
  if (properties.mathcolor === UNKNOWN) {
    delete properties.mathcolor;
    properties.className = "md-maths-unknown";
  }
  // A rule is of the colour of the text.
  if (tree.name === "mspace" && properties.mathbackground === "black")
    properties.mathbackground = "currentcolor";

  const variant = tree.attributes.mathvariant;
  if (variant === "normal") properties.mathvariant = variant;
  const children =
    variant && variant !== "normal"
      ? tree.children.map((it, index) =>
          typeof it === "string" ? inAlphabet(it, variant) : build(it, index),
        )
      : tree.name === "mtable"
        ? table(tree)
        : tree.children.map(buildChild);
  return createElement(tree.name, properties, ...children);
}

function bounded(value: string): string {
  const length = /^([+-]?[\d.]+)(em|ex|mu|pt|px)$/.exec(value);
  if (!length) return value;
  const number = Number(length[1]);
  const most = /em|ex/.test(length[2] as string) ? LARGEST : LARGEST * 16;
  return Math.abs(number) > most ? `${Math.sign(number) * most}${length[2]}` : value;
}

function buildChild(child: Tree | string, index: number): ReactNode {
  return typeof child === "string" ? child : build(child, index);
}

/** Alignment, distances and lines of columns and rows: browsers take them from CSS alone. */
function table(tree: Tree): ReactNode[] {
  const list = (name: string) => (tree.attributes[name] ?? "").split(" ").filter(Boolean);
  const at = (values: string[], index: number) => values[Math.min(index, values.length - 1)];
  const [align, gaps] = [list("columnalign"), list("columnspacing")];
  const [columnLines, rowLines] = [list("columnlines"), list("rowlines")];
  const gap = (index: number) => {
    const size = Number.parseFloat(at(gaps, index) ?? "1");
    return size === 0 ? "none" : size >= 1.5 ? "wide" : "some";
  };
  const lined = (value: string | undefined) => value === "solid" || value === "dashed";

  return tree.children.map((row, rowIndex) => {
    if (typeof row === "string") return row;
    const lastRow = rowIndex === tree.children.length - 1;
    const cells = row.children.map((cell, index) => {
      if (typeof cell === "string") return cell;
      const last = index === row.children.length - 1;
      const names = [
        `md-cell-${at(align, index) ?? "center"}`,
        `md-before-${index === 0 ? "none" : gap(index - 1)}`,
        `md-after-${last ? "none" : gap(index)}`,
        !last && lined(at(columnLines, index)) && "md-line-after",
        !lastRow && lined(at(rowLines, rowIndex)) && "md-line-below",
      ];
      return build(cell, index, names.filter(Boolean).join(" "));
    });
    return createElement("mtr", { key: rowIndex }, ...cells);
  });
}
