import { navigate } from "wouter/use-browser-location";
import { payload, request } from "../api/request";
import { usePanels } from "../app/panels";
import { pathOf } from "../app/route";
import { graphql } from "../graphql/generated";
import { toast } from "../ui/toasts";
import { learn } from "./list";
import { openSession } from "./publish";
import { explain } from "./texts";

const CreateSession = graphql(`
  mutation CreateSession($input: CreateSessionInput!) {
    createSession(input: $input) {
      __typename
      ... on CreateSessionPayload {
        session {
          ...SessionFields
        }
      }
      ...FailureFields
    }
  }
`);

/**
 * The id of an empty session: a new one, or the open one if nothing has been done in it, so that they do not pile up.
 * Raises what `request` and `payload` raise.
 */
export function createSession(): Promise<string> {
  const open = openSession();
  if (open && open.entryCount === 0 && !open.name && !open.systemPrompt) return Promise.resolve(open.id);
  // Who asks again while it is being made gets the same.
  creating ??= create().finally(() => {
    creating = null;
  });
  return creating;
}

let creating: Promise<string> | null = null;

async function create(): Promise<string> {
  const { session } = payload((await request(CreateSession, { input: {} })).createSession);
  learn(session);
  return session.id;
}

/** Begin a new conversation and go there. */
export function startConversation(): void {
  createSession().then(openConversation, (error) => toast(explain(error), { kind: "error" }));
}

/** Go to a conversation, on a phone as well. */
export function openConversation(id: string): void {
  navigate(pathOf(id));
  usePanels.setState({ place: "conversation" });
  document.querySelector<HTMLElement>("[data-composer]")?.focus();
}
