/** What was searched for, and what was found: kept while the panel is closed and when one goes to another conversation. */

import { create } from "zustand";
import { request } from "../../api/request";
import { graphql } from "../../graphql/generated";
import type { SearchQuery } from "../../graphql/generated/graphql";
import { explain } from "../../session/actions";

const Search = graphql(`
  query Search($text: String!, $sessionId: ID, $after: String) {
    search(text: $text, sessionId: $sessionId, first: 20, after: $after) {
      edges {
        node {
          snippet
          tipIds
          entry {
            __typename
            id
            timestamp
            ... on MessageEntry {
              role
            }
          }
          node {
            nodeId
          }
          session {
            id
            name
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export type Hit = SearchQuery["search"]["edges"][number]["node"];
export type Scope = "here" | "everywhere";

interface SearchState {
  /** As it stands in the field. */
  readonly text: string;
  readonly scope: Scope;
  readonly hits: readonly Hit[];
  /** The search that the hits are of; null: nothing has been searched for. */
  readonly of: { readonly text: string; readonly sessionId: string | null; readonly at: number } | null;
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly loading: boolean;
  readonly problem: string | null;
  /** The hit that Enter goes to. */
  readonly active: number;
  /** One goes to another conversation, whose panel takes the focus over. */
  readonly leaving: boolean;
}

const NONE = { hits: [], of: null, cursor: null, hasMore: false, loading: false, problem: null, active: 0 };

export const useSearch = create<SearchState>()(() => ({
  text: "",
  scope: "here",
  leaving: false,
  ...NONE,
}));

/** Milliseconds for which what was found is shown again as it was, with all that was read of it. */
const FRESH = 60_000;

let latest = 0;

/** Search in a session (null: in all). A text without a letter finds nothing, and is not asked for. */
export async function search(text: string, sessionId: string | null): Promise<void> {
  latest += 1;
  if (!/[\p{L}\p{N}]/u.test(text)) {
    useSearch.setState(NONE);
    return;
  }
  const { of } = useSearch.getState();
  if (of?.text === text && of.sessionId === sessionId && Date.now() - of.at < FRESH) return;
  await read(text, sessionId, null);
}

export async function searchMore(): Promise<void> {
  const { of, cursor, hasMore, loading } = useSearch.getState();
  if (of && hasMore && !loading) await read(of.text, of.sessionId, cursor);
}

/** Search once more for what could not be found out. */
export async function searchAgain(text: string, sessionId: string | null): Promise<void> {
  useSearch.setState({ of: null });
  await search(text, sessionId);
}

async function read(text: string, sessionId: string | null, after: string | null): Promise<void> {
  const mine = latest;
  useSearch.setState({ loading: true, problem: null });
  try {
    const { edges, pageInfo } = (await request(Search, { text, sessionId, after })).search;
    if (mine !== latest) return;
    const before = after === null ? [] : useSearch.getState().hits;
    useSearch.setState({
      hits: [...before, ...edges.map((it) => it.node)],
      of: { text, sessionId, at: Date.now() },
      cursor: pageInfo.endCursor ?? null,
      hasMore: pageInfo.hasNextPage,
      loading: false,
      ...(after === null ? { active: 0 } : {}),
    });
  } catch (error) {
    if (mine === latest) useSearch.setState({ loading: false, problem: explain(error) });
  }
}
