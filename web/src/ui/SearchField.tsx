import { Search, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./Button";
import { words } from "./texts";

interface SearchFieldProps {
  /** Null: there is nothing to clear. */
  onClear: (() => void) | null;
  /** The input. */
  children: ReactNode;
}

/** What is around a field that finds something: how one knows it, and how what is written goes again. */
export function SearchField({ onClear, children }: SearchFieldProps) {
  const text = words.use();
  return (
    <div className="search-field">
      <Search aria-hidden />
      {children}
      {onClear && (
        <IconButton label={text.clearSearch} onClick={onClear}>
          <X />
        </IconButton>
      )}
    </div>
  );
}
