/** What the elements of parsed Markdown become. */

import { createContext, type HTMLAttributes, type ReactNode, use } from "react";
import type { Components, ExtraProps } from "react-markdown";
import { CodeBlock } from "./CodeBlock";
import { Image, Link, WithinLink } from "./Link";
import { Maths } from "./Maths";
import { words } from "./texts";
import { visibleControls } from "./visible";

/** Distinguishes the footnotes of one answer from those of another. */
export const AnswerId = createContext("");

type HastNode = NonNullable<ExtraProps["node"]> | NonNullable<ExtraProps["node"]>["children"][number];

function textOf(node: HastNode): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

function classesOf(node: HastNode | undefined): string[] {
  const names = node && "properties" in node ? node.properties.className : null;
  return Array.isArray(names) ? names.map(String) : [];
}

export function footnoteId(answer: string, label: string): string {
  return `${answer}-footnote-${encodeURIComponent(label.toLowerCase())}`;
}

function FootnoteReference({ label }: { label: string }) {
  const say = words.use();
  const id = footnoteId(use(AnswerId), label);
  if (use(WithinLink)) return <sup>{label}</sup>;
  return (
    <sup>
      <a
        href={`#${id}`}
        aria-label={say.footnote(label)}
        onClick={(event) => {
          // The address of the page is not of the answer.
          event.preventDefault();
          const note = document.getElementById(id);
          note?.scrollIntoView({ block: "center" });
          note?.focus({ preventScroll: true });
        }}
      >
        {label}
      </a>
    </sup>
  );
}

function Footnote({ label, children }: { label: string; children: ReactNode }) {
  const say = words.use();
  return (
    <div
      className="md-footnote"
      id={footnoteId(use(AnswerId), label)}
      tabIndex={-1}
      role="note"
      aria-label={say.footnote(label)}
    >
      <sup aria-hidden="true">{label}</sup>
      <div>{children}</div>
    </div>
  );
}

function TaskMark({ done }: { done: boolean }) {
  const say = words.use();
  return <span className="md-task" role="img" data-done={done} aria-label={done ? say.done : say.toDo} />;
}

function Table({ columns, children }: { columns: string; children: ReactNode }) {
  const say = words.use();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region that scrolls, around the table
    <div
      className="md-table"
      role="region"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard
      tabIndex={0}
      aria-label={columns ? say.tableOf(columns) : say.table}
    >
      <table>{children}</table>
    </div>
  );
}

const LONGEST_NAME = 100;

function columnsOf(table: HastNode | undefined): string {
  const find = (node: HastNode, name: string): HastNode[] =>
    "children" in node ? node.children.filter((it) => it.type === "element" && it.tagName === name) : [];
  const cells = (table ? find(table, "thead") : [])
    .flatMap((it) => find(it, "tr"))
    .flatMap((it) => find(it, "th"));
  return cells
    .map((it) => textOf(it).trim())
    .filter(Boolean)
    .join(", ")
    .slice(0, LONGEST_NAME);
}

/** Headings of an answer are below those of the page; they keep their looks. */
function heading(level: number) {
  const Heading = `h${Math.min(6, level + 2)}` as "h3";
  return ({ children }: HTMLAttributes<HTMLHeadingElement>) => (
    <Heading className={`md-h${level}`}>{children}</Heading>
  );
}

export const elements: Components = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  a: ({ node, href, children }) => (
    <Link address={href ?? ""} text={node ? textOf(node) : ""}>
      {children}
    </Link>
  ),
  img: ({ src, alt }) => <Image address={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  code: ({ node, children }) => {
    const classes = classesOf(node);
    const text = node ? textOf(node) : "";
    if (classes.includes("language-math"))
      return <Maths source={text} display={classes.includes("math-display")} />;
    return <code dir="ltr">{typeof children === "string" ? visibleControls(children) : children}</code>;
  },
  pre: ({ node }) => {
    const code = node?.children[0];
    if (!code) return null;
    const classes = classesOf(code);
    const text = textOf(code);
    if (classes.includes("math-display")) return <Maths source={text} display />;
    const language = classes.find((it) => it.startsWith("language-"))?.slice(9) ?? null;
    return <CodeBlock code={text.replace(/\n$/, "")} language={language} />;
  },
  input: ({ checked }) => <TaskMark done={checked === true} />,
  table: ({ node, children }) => <Table columns={columnsOf(node)}>{children}</Table>,
  sup: ({ node }) => <FootnoteReference label={String(node?.properties.dataFootnote ?? "")} />,
  aside: ({ node, children }) => (
    <Footnote label={String(node?.properties.dataFootnote ?? "")}>{children}</Footnote>
  ),
};
