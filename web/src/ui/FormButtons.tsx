import type { ReactNode } from "react";
import { Button } from "./Button";
import { words } from "./texts";

interface FormButtonsProps {
  onCancel: () => void;
  isBusy?: boolean;
  className?: string;
  /** What is on the button that submits: by default, that it saves. */
  children?: ReactNode;
}

/** At the end of a form: leave it, or submit it. */
export function FormButtons({ onCancel, isBusy = false, className = "", children }: FormButtonsProps) {
  const text = words.use();
  return (
    <div className={`form-buttons ${className}`}>
      <Button onClick={onCancel}>{text.cancel}</Button>
      <Button kind="primary" type="submit" disabled={isBusy}>
        {children ?? text.save}
      </Button>
    </div>
  );
}
