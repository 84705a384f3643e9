/** What a conversation is, for those who look after it: its id, age and size, and whether it is still whole. */

import { CircleAlert, CircleCheck, Copy, ShieldCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { request } from "../api/request";
import type { SessionFieldsFragment, VerifyQuery } from "../graphql/generated/graphql";
import { currentLanguage } from "../i18n/preferences";
import { Button, IconButton } from "../ui/Button";
import { copyAndTell } from "../ui/clipboard";
import { Verify } from "./operations";
import { explain, words } from "./texts";

const PROBLEMS_SHOWN = 50;

type Checked = VerifyQuery["verify"];

export function SessionFacts({ session }: { session: SessionFieldsFragment }) {
  const text = words.use();
  const created = new Date(session.createdAt).toLocaleString(currentLanguage() === "zh" ? "zh-CN" : "en", {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return (
    <section className="facts" aria-label={text.about}>
      <dl>
        <Fact name={text.id}>
          <code>{session.id}</code>
          <IconButton label={text.copyId} onClick={() => void copyAndTell(session.id, text.idCopied)}>
            <Copy />
          </IconButton>
        </Fact>
        <Fact name={text.created}>
          <time dateTime={session.createdAt}>{created}</time>
        </Fact>
        <Fact name={text.size}>
          {`${text.turns(session.nodeCount)} · ${text.entries(session.entryCount)}`}
        </Fact>
      </dl>
      <Check sessionId={session.id} />
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Check({ sessionId }: { sessionId: string }) {
  const text = words.use();
  const [state, setState] = useState<"idle" | "running" | { problem: string } | { report: Checked }>("idle");
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (typeof state === "object") result.current?.scrollIntoView({ block: "nearest" });
  }, [state]);
  const check = () => {
    setState("running");
    request(Verify, { id: sessionId }).then(
      (it) => setState({ report: it.verify }),
      (error) => setState({ problem: explain(error) }),
    );
  };
  return (
    <div className="check">
      <Button onClick={check} disabled={state === "running"}>
        <ShieldCheck aria-hidden />
        {state === "running" ? text.checking : text.check}
      </Button>
      <div role="status" className="check-result" ref={result}>
        {state === "idle" && <small className="soft">{text.checkHelp}</small>}
        {typeof state === "object" && "problem" in state && <p className="field-problem">{state.problem}</p>}
        {typeof state === "object" && "report" in state && <Report report={state.report} />}
      </div>
    </div>
  );
}

function Report({ report }: { report: Checked }) {
  const text = words.use();
  const { problems, problemCount, entries, ok, settled } = report;
  const shown = problems.slice(0, PROBLEMS_SHOWN);
  return (
    <>
      <p className={ok ? "check-ok" : "field-problem"}>
        {ok ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
        <span>{problemCount === 0 ? text.checkOk(entries) : text.checkBad(problemCount, entries)}</span>
      </p>
      {!settled && <p className="soft">{text.unsettled}</p>}
      {shown.length > 0 && (
        <ul className="problems">
          {shown.map((it) => (
            <li key={`${it.code} ${it.entryId} ${it.message}`}>
              <span className="problem-place">
                <em data-lost={it.severity === "ERROR" || undefined}>
                  {it.severity === "ERROR" ? text.error : text.warning}
                </em>
                {it.entryId && <code>{it.entryId}</code>}
              </span>
              <bdi>{it.message}</bdi>
            </li>
          ))}
        </ul>
      )}
      {shown.length < problemCount && <p className="soft">{text.firstOf(shown.length, problemCount)}</p>}
    </>
  );
}
