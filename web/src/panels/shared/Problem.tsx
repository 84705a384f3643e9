import { TriangleAlert } from "lucide-react";
import { Button } from "../../ui/Button";
import { words as common } from "../../ui/texts";

/** What went wrong, where it went wrong. */
export function Problem({ message, onRetry }: { message: string; onRetry?: () => void }) {
  const text = common.use();
  return (
    <div className="pn-problem" role="alert">
      <TriangleAlert aria-hidden />
      <span>{message}</span>
      {onRetry && <Button onClick={onRetry}>{text.retry}</Button>}
    </div>
  );
}

/** Stands for lines that are on their way, and takes their room. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const text = common.use();
  return (
    <div className="pn-skeleton" role="status">
      <span className="hidden-text">{text.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={index} className="pn-skeleton-line" aria-hidden />
      ))}
    </div>
  );
}
