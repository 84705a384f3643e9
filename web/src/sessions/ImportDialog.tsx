/** What became of the files that are imported: progress, then a report of each. */

import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { createPortal } from "react-dom";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { words as common } from "../ui/texts";
import { type ImportJob, importAgain, isOver, useImports } from "./importing";
import { groupProblems, type Report, sizeOf } from "./importReport";
import { shorten } from "./names";
import { openConversation } from "./newSession";
import { words } from "./texts";
import "./import.css";
import "./problems.css";

const PROBLEMS_SHOWN = 50;

const close = () => useImports.setState({ open: false });

export function ImportDialog() {
  const text = words.use();
  const { jobs, open } = useImports();
  if (!open) return null;
  const over = jobs.filter(isOver).length;
  const running = over < jobs.length;
  const title = running ? text.importing(over + 1, jobs.length) : text.importFiles;
  return createPortal(
    <Dialog title={title} onClose={close}>
      {running && jobs.length > 1 && <progress className="import-progress" value={over} max={jobs.length} />}
      <ul className="import-jobs" aria-live="polite" aria-busy={running}>
        {jobs.map((it) => (
          <Job key={it.id} job={it} />
        ))}
      </ul>
      <div className="form-buttons">
        <Button kind={running ? "plain" : "primary"} onClick={close}>
          {running ? text.hideDialog : text.done}
        </Button>
      </div>
    </Dialog>,
    document.body,
  );
}

const ICONS: Partial<Record<ReturnType<typeof lookOf>, typeof CircleAlert | null>> = {
  waiting: null,
  running: LoaderCircle,
  done: CircleCheck,
};

/** How it ended, where losing something is not quite well. */
function lookOf({ state }: ImportJob) {
  return state.kind === "done" && state.report.problems.some((it) => it.lost) ? "lossy" : state.kind;
}

function Job({ job }: { job: ImportJob }) {
  const look = lookOf(job);
  const Icon = ICONS[look] === undefined ? CircleAlert : ICONS[look];
  return (
    <li className="import-job" data-state={look}>
      {Icon && <Icon aria-hidden />}
      <div>
        <bdi className="import-name">{shorten(job.file.name, 120)}</bdi>
        <Outcome job={job} />
      </div>
    </li>
  );
}

function Outcome({ job: { id, file, state } }: { job: ImportJob }) {
  const text = words.use();
  const { retry } = common.use();
  const go = (sessionId: string) => {
    close();
    openConversation(sessionId);
  };
  switch (state.kind) {
    case "waiting":
      return <p className="soft">{text.waiting}</p>;
    case "running":
      return <p className="soft">{`${text.importing(1, 1)} · ${sizeOf(file.size)}`}</p>;
    case "done":
      return (
        <>
          <p className="import-line">
            <span>
              {text.imported(state.report.entries)}
              {state.report.problemCount === 0 && ` · ${text.importedAll}`}
            </span>
            <Button kind="quiet" onClick={() => go(state.sessionId)}>
              {text.openIt}
            </Button>
          </p>
          {state.report.problemCount > 0 && <Problems report={state.report} />}
        </>
      );
    case "exists":
      return (
        <>
          <p>{text.exists}</p>
          <div className="import-actions">
            <Button onClick={() => go(state.sessionId)}>{text.openExisting}</Button>
            <Button onClick={() => importAgain(id, true)}>{text.asCopy}</Button>
          </div>
        </>
      );
    case "tooLarge":
      return (
        <>
          <p>{text.tooLarge(sizeOf(file.size))}</p>
          <p className="soft">{text.tooLargeHelp}</p>
          <pre className="import-command">graph-session import {shellQuoted(file.name)}</pre>
        </>
      );
    case "failed":
      return (
        <p className="import-line">
          <span>{state.problem}</span>
          {state.retryable && (
            <Button kind="quiet" onClick={() => importAgain(id, false)}>
              {retry}
            </Button>
          )}
        </p>
      );
  }
}

function Problems({ report }: { report: Report }) {
  const text = words.use();
  const { problems, problemCount } = report;
  const groups = groupProblems(problems).slice(0, PROBLEMS_SHOWN);
  const shown = groups.reduce((sum, it) => sum + it.count, 0);
  const lost = problems.filter((it) => it.lost).length;
  const cut = problemCount > problems.length ? "+" : "";
  return (
    <details className="problems" open>
      <summary>
        {text.problemCount(problemCount)}
        {lost > 0 && <strong>{` · ${text.lostCount(lost)}${cut}`}</strong>}
      </summary>
      <ul>
        {groups.map((it) => (
          <li key={`${it.lines} ${it.message}`}>
            <span className="problem-place">
              {it.lines === null ? text.wholeFile : it.many ? text.lines(it.lines) : text.line(it.lines)}
              <em data-lost={it.lost || undefined}>{it.lost ? text.lost : text.kept}</em>
            </span>
            <bdi>{shorten(it.message, 400)}</bdi>
          </li>
        ))}
      </ul>
      {shown < problemCount && <p className="soft">{text.firstOf(shown, problemCount)}</p>}
    </details>
  );
}

/** As a shell takes it for one word. */
function shellQuoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
