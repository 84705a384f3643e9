/** Saving a conversation as a file: its pages are read one after the other and joined in the browser. */

import { request } from "../api/request";
import { toast } from "../ui/toasts";
import { fileNameOf, quoted } from "./names";
import { ExportSession } from "./operations";
import { explain, words } from "./texts";

export interface ExportPage {
  readonly text: string;
  readonly cursor?: string | null;
  readonly hasNext: boolean;
}

/** A file that is done in less is not worth a word on the way. */
const QUICK = 600;
/** The browser reads what is saved after the click that saves it. */
const KEPT = 60_000;

const running = new Map<string, AbortController>();

/** Read a conversation's file; `progress` is told of each page. Null: `signal` stopped it. */
export async function readFile(
  readPage: (after: string | null) => Promise<ExportPage>,
  progress: (lines: number) => void,
  signal: AbortSignal,
): Promise<Blob | null> {
  const texts: string[] = [];
  let lines = 0;
  let after: string | null = null;
  do {
    const page: ExportPage = await readPage(after);
    if (signal.aborted) return null;
    texts.push(page.text);
    lines += page.text.split("\n").length - 1;
    progress(lines);
    after = page.hasNext ? (page.cursor ?? null) : null;
  } while (after !== null);
  return new Blob(texts, { type: "application/x-ndjson" });
}

/** Save a conversation as a file. Never raises: it says on the page what became of it. */
export async function exportConversation(id: string, title: string, entryCount: number): Promise<void> {
  if (running.has(id)) return;
  const stop = new AbortController();
  running.set(id, stop);
  const text = words.now();
  const began = Date.now();
  const key = `export ${id}`;
  let close = () => {};
  try {
    const file = await readFile(
      async (after) => (await request(ExportSession, { id, after })).exportSession,
      (lines) => {
        if (Date.now() - began < QUICK) return;
        // One line is the head's. A file may have more lines than the session has entries.
        const percent = Math.min(99, Math.floor((100 * (lines - 1)) / Math.max(1, entryCount)));
        close = toast(text.exporting(quoted(title), percent), {
          key,
          stays: 60_000,
          action: { label: text.stop, run: () => stop.abort() },
        });
      },
      stop.signal,
    );
    if (file === null) return;
    const name = fileNameOf(title);
    save(file, name);
    toast(text.exported(quoted(name)), { key });
  } catch (error) {
    close();
    toast(text.notExported(explain(error)), { kind: "error" });
  } finally {
    running.delete(id);
  }
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
