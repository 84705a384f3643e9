/** What scrolling means for the thread: pure decisions, in pixels. */

/** So near to the end one is at it. */
const NEAR_END = 40;
/** So far from the end a way back to it is offered. */
const FAR_FROM_END = 160;

export interface ScrollStep {
  /** Where the view was and is. */
  readonly before: number;
  readonly top: number;
  /** Where the view would show the end. */
  readonly endTop: number;
}

/** Whether the view goes on following the end after a scroll that a person may have made. */
export function sticks(stuck: boolean, { before, top, endTop }: ScrollStep): boolean {
  const left = endTop - top;
  // What is shown has become shorter, or one has come to the very end.
  if (left <= 4) return true;
  if (top < before) return false;
  return stuck || left <= NEAR_END;
}

export function offersEnd(stuck: boolean, { top, endTop }: Omit<ScrollStep, "before">): boolean {
  return !stuck && endTop - top > FAR_FROM_END;
}

/** The room needed below the end for the view to be at `top`. */
export function roomBelow(top: number, endTop: number): number {
  return Math.max(0, top - Math.max(0, endTop));
}

/** Whether what lies above should be read by now. */
export function nearsStart(top: number, viewHeight: number): boolean {
  return top < viewHeight * 1.5;
}
