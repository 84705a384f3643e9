/**
 * One open session: its tree, the path that is shown, the answers that run.
 *
 * The page shows the path to `currentId`. The session's leaf is the server's: going somewhere in the tree moves it a
 * moment later, opening a link does not. A window that stands at the leaf goes with it when another window moves it.
 */

import { createStore, type StoreApi } from "zustand/vanilla";
import { follow, waitBefore } from "../api/follow";
import { request, ServerError } from "../api/request";
import type {
  NodeFieldsFragment,
  SessionChangedSubscription,
  SessionFieldsFragment,
} from "../graphql/generated/graphql";
import { LiveAnswers } from "./live";
import { MoveLeaf } from "./mutations";
import { ActivePath, OpenSession, OutlineAfter, OutlineOf, SessionChanged } from "./operations";
import { Outline, type OutlinePage } from "./outline";
import { PathReader, type Place } from "./pathReader";
import { AT_FIRST, type SessionState } from "./state";

const REST_BEFORE_MOVE = 400;
/** So many pages are read at most to show a path from where one went down it. */
const REACH_PAGES = 4;

export class SessionStore {
  readonly outline = new Outline();
  readonly state: StoreApi<SessionState> = createStore(() => AT_FIRST);
  readonly live = new LiveAnswers((node) => this.answerEnded(node));
  /** Where the ways part: the child that was gone to last. */
  readonly lastChild = new Map<string, string>();
  private readonly reader = new PathReader();
  private readonly stops: (() => void)[] = [];
  private changes: Promise<void> = Promise.resolve();
  /** The node from which one went down, and which is to be seen too. */
  private reach: string | null = null;
  private moveTimer: ReturnType<typeof setTimeout> | undefined;
  private reloadTimer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(readonly id: string) {}

  get(): SessionState {
    return this.state.getState();
  }

  set(change: Partial<SessionState>): void {
    if (!this.closed) this.state.setState(change);
  }

  /** Read the session and follow it; `at`: the node to show (of a link), null: where the session stands. */
  async open(at: string | null): Promise<void> {
    this.set({ phase: "loading", problem: null });
    try {
      const opened = await request(OpenSession, { id: this.id });
      if (!opened.session) {
        this.set({ phase: "missing" });
        return;
      }
      const leafNodeId = opened.activePath.at(-1) ?? null;
      await this.takeAll(opened.treeOutline as OutlinePage);
      // Nothing may be followed that nobody would stop.
      if (this.closed) return;
      const currentId = at !== null && this.outline.has(at) ? at : leafNodeId;
      this.set({ phase: "ready", session: opened.session, leafNodeId, version: this.outline.version });
      this.stand(currentId);
      if (this.stops.length === 0) this.watch(opened.session.revision);
    } catch (error) {
      if (error instanceof ServerError && error.code === "NOT_FOUND") this.set({ phase: "missing" });
      else this.set({ phase: "failed", problem: (error as Error).message });
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.moveTimer);
    clearTimeout(this.reloadTimer);
    for (const stop of this.stops) stop();
    this.live.close();
  }

  /** Go to a node (null: above all); unless `record` is false the session's leaf goes there too. */
  goTo(nodeId: string | null, { record = true } = {}): void {
    if (nodeId !== null && !this.outline.has(nodeId)) return;
    this.set({ editing: null, visit: this.get().visit + 1, arrived: false });
    this.stand(nodeId);
    clearTimeout(this.moveTimer);
    this.set({ moving: record && nodeId !== this.get().leafNodeId });
    // Who walks through siblings leaves one record where they stop, not one at each.
    if (this.get().moving) this.moveTimer = setTimeout(() => void this.moveLeaf(), REST_BEFORE_MOVE);
  }

  /** Go to a node and on to the end of its branch, the way one went last. */
  goDown(nodeId: string): void {
    this.reach = nodeId;
    this.goTo(this.outline.tip(nodeId, this.lastChild));
    this.reach = null;
  }

  /** Have the session stand where this window does, before something is appended there. */
  async standHere(): Promise<void> {
    clearTimeout(this.moveTimer);
    const { currentId, leafNodeId } = this.get();
    if (currentId !== leafNodeId) await this.moveLeaf();
  }

  /** Do not tell the server where this window stands: what comes next will. */
  leaveUntold(): void {
    clearTimeout(this.moveTimer);
    this.set({ moving: false });
  }

  /** More of the path, towards the root. */
  async loadEarlier(): Promise<void> {
    await this.readPath(true);
  }

  /** Read what is shown again, as after a failure. */
  async retryPath(): Promise<void> {
    await this.readPath(false);
  }

  /**
   * Take in a node that a mutation has made, and stand at it, unless one has gone elsewhere since it was asked for, at
   * this `visit`. Whether one stands there.
   */
  arrive(node: NodeFieldsFragment, session: SessionFieldsFragment, visit: number): boolean {
    this.learn(node);
    this.takeSession(session, node.nodeId);
    if (this.get().visit !== visit) return false;
    clearTimeout(this.moveTimer);
    this.set({ moving: false, visit: visit + 1, arrived: true });
    this.stand(node.nodeId);
    return true;
  }

  /** Take in what a mutation has told of a node. */
  learn(node: NodeFieldsFragment): void {
    this.outline.takeNode(node);
    this.reader.take(node);
    this.set({ version: this.outline.version });
  }

  /** The leaf is at this node now, as a mutation has told. */
  leafIsAt(nodeId: string | null, session: SessionFieldsFragment): void {
    clearTimeout(this.moveTimer);
    this.set({ moving: false });
    this.takeSession(session, nodeId);
  }

  /** Answers overtake each other: what is older than what is known is not believed. Whether this is. */
  private takeSession(session: SessionFieldsFragment, leafNodeId: string | null): boolean {
    if (session.revision < (this.get().session?.revision ?? 0)) return false;
    this.set({ session, leafNodeId });
    return true;
  }

  private stand(nodeId: string | null): void {
    if (this.closed) return;
    const path = this.outline.path(nodeId);
    path.forEach((id, index) => {
      const above = path[index - 1];
      if (above !== undefined) this.lastChild.set(above, id);
    });
    this.set({ currentId: nodeId, path });
    const { reach } = this;
    if (reach === null || !this.reader.lacks(this.place(), false, reach)) this.showPath();
    this.live.watch(this.runs(nodeId) ? nodeId : null);
    void this.readPath(false, reach);
  }

  private async moveLeaf(): Promise<void> {
    const entryId = this.get().currentId;
    try {
      const { moveLeaf } = await request(MoveLeaf, {
        sessionId: this.id,
        entryId: this.entryToStandAt(entryId),
      });
      if (moveLeaf.__typename === "MoveLeafPayload") this.takeSession(moveLeaf.session, entryId);
    } catch {
      // The page shows the place all the same, and says that the session stands elsewhere.
    }
    if (this.get().currentId === entryId) this.set({ moving: false });
  }

  /** A running answer is no entry yet: its question is. */
  entryToStandAt(nodeId: string | null): string | null {
    return nodeId !== null && this.runs(nodeId) ? (this.reader.questionOf(nodeId) ?? nodeId) : nodeId;
  }

  /** Also where the tree says that it has ended, and the end of the stream has not come yet. */
  private runs(nodeId: string | null): boolean {
    if (nodeId === null) return false;
    return this.outline.get(nodeId)?.status === "RUNNING" || this.live.follows(nodeId);
  }

  private place(): Place {
    const { currentId, leafNodeId, session } = this.get();
    const leafId = currentId !== null && currentId === leafNodeId ? (session?.leafId ?? null) : null;
    return { nodeId: currentId, leafId, running: this.runs(currentId) };
  }

  private showPath(): void {
    const shown = this.reader.shown(this.place(), (id) => this.outline.has(id));
    // What was shown before stays until there is something to show instead.
    if (shown) this.set({ items: shown.items, hasEarlier: shown.hasEarlier });
  }

  private async readPath(earlier: boolean, reach: string | null = null): Promise<void> {
    const place = this.place();
    if (!this.reader.lacks(place, earlier, reach)) {
      this.set({ pathPhase: "ready" });
      return;
    }
    this.set({ pathPhase: "loading" });
    const here = () => this.get().currentId === place.nodeId;
    try {
      await this.reader.read(place);
      for (let pages = 1; reach !== null && pages < REACH_PAGES && here(); pages += 1) {
        if (!this.reader.lacks(place, false, reach)) break;
        await this.reader.read(place);
      }
      if (here()) this.set({ pathPhase: "ready" });
    } catch {
      if (here()) this.set({ pathPhase: "failed" });
    }
    if (here()) this.showPath();
  }

  private answerEnded(node: NodeFieldsFragment): void {
    this.learn(node);
    const { session } = this.get();
    // The leaf waited at the question; that it has followed is told a moment later.
    if (session !== null && node.entries.some(({ id }) => id === session.leafId))
      this.set({ session: { ...session, leafId: node.nodeId } });
    if (this.get().currentId === node.nodeId) this.stand(node.nodeId);
  }

  private watch(revision: number): void {
    let seen = revision;
    this.stops.push(
      follow({
        document: SessionChanged,
        variables: () => ({ id: this.id, after: seen }),
        next: ({ sessionChanged }) => {
          seen = sessionChanged.revision;
          this.inTurn(() => this.takeChange(sessionChanged));
        },
        ended: () => this.set({ phase: "missing" }),
        failed: () => this.set({ phase: "missing" }),
      }),
    );
  }

  private inTurn(work: () => Promise<void>): void {
    this.changes = this.changes
      .then(() => (this.closed ? undefined : work()))
      .catch(() => this.reload())
      .catch(() => this.reloadLater(0));
  }

  private reloadLater(attempt: number): void {
    if (this.closed) return;
    clearTimeout(this.reloadTimer);
    this.reloadTimer = setTimeout(
      () => void this.reload().catch(() => this.reloadLater(attempt + 1)),
      waitBefore(attempt),
    );
  }

  private async takeChange(change: SessionChangedSubscription["sessionChanged"]): Promise<void> {
    if (change.kind === "CHANGED") {
      await this.reload();
      return;
    }
    if (change.nodeIds.length > 0) await this.readNodes(change.nodeIds);
    if (await this.reader.readSummaries(change.nodeIds)) this.showPath();
    const leafId = change.session.leafId ?? null;
    const moved = leafId !== (this.get().session?.leafId ?? null);
    const leafNodeId = moved ? await this.nodeOf(leafId) : this.get().leafNodeId;
    this.takeLeaf(change.session, leafNodeId);
  }

  /** Rows of the tree: those that are new or have changed, and those that are no nodes any more. */
  private async readNodes(ids: readonly string[]): Promise<void> {
    const { treeOutline } = await request(OutlineOf, { id: this.id, nodeIds: [...ids] });
    this.outline.take(treeOutline as OutlinePage);
    const found = idsOf(treeOutline as OutlinePage);
    for (const id of ids) if (!found.has(id)) this.outline.remove(id);
  }

  private async nodeOf(leafId: string | null): Promise<string | null> {
    if (leafId === null || this.outline.has(leafId)) return leafId;
    return (await request(ActivePath, { id: this.id })).activePath.at(-1) ?? null;
  }

  /** Read everything again, as after a lost connection. */
  private async reload(): Promise<void> {
    clearTimeout(this.reloadTimer);
    const opened = await request(OpenSession, { id: this.id });
    if (!opened.session) {
      this.set({ phase: "missing" });
      return;
    }
    const before = [...this.outline.all()].map((it) => it.id);
    const found = await this.takeAll(opened.treeOutline as OutlinePage);
    for (const id of before) if (!found.has(id)) this.outline.remove(id);
    await this.reader.readSummaries(null);
    this.takeLeaf(opened.session, opened.activePath.at(-1) ?? null);
  }

  private takeLeaf(session: SessionFieldsFragment, leafNodeId: string | null): void {
    const { currentId, leafNodeId: before, moving, editing, pending } = this.get();
    const follows = currentId === before && !moving && editing === null && pending === null;
    const isNews = this.takeSession(session, leafNodeId);
    this.set({ version: this.outline.version });
    const gone = currentId !== null && !this.outline.has(currentId);
    this.stand((follows && isNews) || gone ? this.get().leafNodeId : currentId);
  }

  /** The ids of all nodes. */
  private async takeAll(first: OutlinePage): Promise<Set<string>> {
    this.outline.take(first);
    const found = idsOf(first);
    for (let page = first; page.hasNext && page.cursor !== null; ) {
      const { treeOutline } = await request(OutlineAfter, { id: this.id, after: page.cursor });
      page = treeOutline as OutlinePage;
      this.outline.take(page);
      for (const id of idsOf(page)) found.add(id);
    }
    return found;
  }
}

function idsOf(page: OutlinePage): Set<string> {
  const column = page.columns.indexOf("nodeId");
  return new Set(page.rows.map((row) => row[column] as string));
}
