/** The answer that is being written where one looks, as it comes. */

import { createStore, type StoreApi } from "zustand/vanilla";
import { follow } from "../api/follow";
import type { NodeFieldsFragment } from "../graphql/generated/graphql";
import { Answer } from "./operations";

export interface LiveAnswer {
  readonly nodeId: string;
  readonly text: string;
  readonly thinking: string;
}

/** One answer at a time; what came of one that was left is kept, and joined again where it was left. */
export class LiveAnswers {
  readonly state: StoreApi<{ readonly answer: LiveAnswer | null }> = createStore(() => ({
    answer: null as LiveAnswer | null,
  }));
  private readonly left = new Map<string, { answer: LiveAnswer; sequence: number }>();
  private stop: (() => void) | null = null;
  private nodeId: string | null = null;
  private frame: number | null = null;

  /** ended: is told of the node when its answer has ended, well or not. */
  constructor(private readonly ended: (node: NodeFieldsFragment) => void) {}

  follows(nodeId: string): boolean {
    return this.nodeId === nodeId;
  }

  /** Follow the answer of a node instead of what was followed before; null: none. */
  watch(nodeId: string | null): void {
    if (nodeId === this.nodeId) return;
    this.close();
    if (nodeId === null) return;
    this.nodeId = nodeId;
    const known = this.left.get(nodeId);
    let answer = known?.answer ?? { nodeId, text: "", thinking: "" };
    let sequence = known?.sequence ?? 0;
    this.show(answer);
    this.stop = follow({
      document: Answer,
      variables: () => ({ nodeId, after: sequence }),
      next: ({ answer: event }) => {
        if (this.nodeId !== nodeId) return;
        if (event.__typename === "AnswerDelta") {
          sequence = event.sequence;
          answer = event.thinking
            ? { ...answer, thinking: answer.thinking + event.text }
            : { ...answer, text: answer.text + event.text };
          this.left.set(nodeId, { answer, sequence });
          this.showSoon(() => answer);
          return;
        }
        this.left.delete(nodeId);
        this.close();
        this.ended(event.node);
      },
    });
  }

  close(): void {
    this.stop?.();
    this.stop = null;
    this.nodeId = null;
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
    this.show(null);
  }

  private show(answer: LiveAnswer | null): void {
    this.state.setState({ answer });
  }

  /** Once a frame, however many pieces come. */
  private showSoon(answer: () => LiveAnswer): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.show(answer());
    });
  }
}
