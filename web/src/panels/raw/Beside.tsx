import type { ReactNode } from "react";
import { Markdown } from "../../markdown/Markdown";
import { Dialog } from "../../ui/Dialog";
import { words } from "../texts";
import { RawTurns } from "./RawTurns";
import type { SummaryPlace } from "./range";
import "../panels.css";
import "./raw.css";

/** Two columns, or one below the other where there is no room for two. */
export function Beside({ summary, raw }: { summary: ReactNode; raw: ReactNode }) {
  const text = words.use();
  return (
    <div className="pn-beside">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so the keyboard has to reach it */}
      <section className="pn-beside-summary" aria-label={text.summary} tabIndex={0}>
        {summary}
      </section>
      <section className="pn-beside-raw" aria-label={text.rawTurns}>
        {raw}
      </section>
    </div>
  );
}

interface BesideDialogProps {
  title: string;
  summary: string;
  place: SummaryPlace;
  onClose: () => void;
}

/** A summary beside the turns that it stands for. */
export function BesideDialog({ title, summary, place, onClose }: BesideDialogProps) {
  const text = words.use();
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p className="soft">{text.besideHelp}</p>
      <Beside
        summary={
          <>
            <h3>{text.summary}</h3>
            <Markdown text={summary} />
          </>
        }
        raw={
          <>
            <h3>{text.rawTurns}</h3>
            <RawTurns place={place} />
          </>
        }
      />
    </Dialog>
  );
}
