/** What is known of an open session, for the page to show. */

import type { SessionFieldsFragment } from "../graphql/generated/graphql";
import type { PathItem } from "./turns";

export interface PendingQuestion {
  readonly text: string;
  readonly path: readonly string[];
  readonly requestId: string;
  /** Null: on its way. */
  readonly problem: string | null;
}

export interface SessionState {
  readonly phase: "loading" | "ready" | "missing" | "failed";
  readonly problem: string | null;
  readonly session: SessionFieldsFragment | null;
  /** Grows with the outline. */
  readonly version: number;
  /** The node at which the shown path ends; null: above all. */
  readonly currentId: string | null;
  /** The node at which the session stands. */
  readonly leafNodeId: string | null;
  /** Going there has been asked for and not yet told to the server. */
  readonly moving: boolean;
  readonly path: readonly string[];
  /** Grows when one goes somewhere here, and not when the page goes with the session. */
  readonly visit: number;
  /** One stands here by having asked something, not by having gone here. */
  readonly arrived: boolean;
  readonly items: readonly PathItem[];
  readonly pathPhase: "loading" | "ready" | "failed";
  readonly hasEarlier: boolean;
  readonly pending: PendingQuestion | null;
  /** The question that is being asked anew in other words. */
  readonly editing: {
    readonly nodeId: string;
    readonly text: string;
    /** Where one stood before; null: not known. */
    readonly from: string | null;
  } | null;
}

export const AT_FIRST: SessionState = {
  phase: "loading",
  problem: null,
  session: null,
  version: 0,
  currentId: null,
  leafNodeId: null,
  moving: false,
  path: [],
  visit: 0,
  arrived: false,
  items: [],
  pathPhase: "loading",
  hasEarlier: false,
  pending: null,
  editing: null,
};
