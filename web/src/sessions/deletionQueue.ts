/** Deletions that wait for a moment, in which they can be undone. */

export class DeletionQueue {
  private readonly waiting = new Map<string, ReturnType<typeof setTimeout>>();

  /** run: is given the ids whose time has come, one at a time. */
  constructor(
    private readonly milliseconds: number,
    private readonly run: (id: string) => void,
  ) {}

  add(id: string): void {
    if (this.waiting.has(id)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(id);
      this.run(id);
    }, this.milliseconds);
    this.waiting.set(id, timer);
  }

  /** Whether it was still waiting; it is not run now. */
  undo(id: string): boolean {
    clearTimeout(this.waiting.get(id));
    return this.waiting.delete(id);
  }

  /** The one added last. */
  get last(): string | undefined {
    return [...this.waiting.keys()].at(-1);
  }

  /** All that wait, which are not run: whoever takes them does. */
  takeAll(): string[] {
    const ids = [...this.waiting.keys()];
    for (const id of ids) this.undo(id);
    return ids;
  }
}
