import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface FoldProps {
  /** One line. */
  summary: ReactNode;
  icon?: ReactNode;
  className?: string;
  /** Made when it is first opened. */
  children: () => ReactNode;
}

/** Something that is shown in one line until it is opened. */
export function Fold({ summary, icon, className = "", children }: FoldProps) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details className={`fold ${className}`} onToggle={(it) => it.currentTarget.open && setWasOpen(true)}>
      <summary className="fold-summary">
        <ChevronRight className="lucide fold-arrow" aria-hidden />
        {icon}
        <span className="fold-line">{summary}</span>
      </summary>
      {wasOpen && <div className="fold-content">{children()}</div>}
    </details>
  );
}
