/** What a message of a context holds, as a person reads it: its text, and what stands beside the text. */

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly text: string }
  | { readonly kind: "image"; readonly text: string };

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly mimeType?: unknown;
}

/** content: blocks in their JSON form; text that stands together is one piece. Thinking is not shown: it is not text. */
export function pieces(content: unknown): Piece[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  const found: Piece[] = [];
  for (const block of Array.isArray(content) ? (content as Block[]) : []) {
    if (block.type === "text" && typeof block.text === "string" && block.text !== "") {
      const last = found.at(-1);
      if (last?.kind === "text")
        found[found.length - 1] = { kind: "text", text: `${last.text}\n${block.text}` };
      else found.push({ kind: "text", text: block.text });
    } else if (block.type === "toolCall")
      found.push({ kind: "call", name: String(block.name), text: JSON.stringify(block.arguments ?? {}) });
    else if (block.type === "image") found.push({ kind: "image", text: String(block.mimeType ?? "") });
  }
  return found;
}

const FRAMED = /^[^\n]*\n<summary>\n([\s\S]*)\n<\/summary>$/;

/** The summary itself, without the words by which a model is told what it is. */
export function summaryIn(text: string): string {
  return FRAMED.exec(text)?.[1] ?? text;
}
