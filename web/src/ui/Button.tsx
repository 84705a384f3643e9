import type { ComponentProps, ReactNode } from "react";

type ButtonProps = ComponentProps<"button"> & { kind?: "plain" | "primary" | "danger" | "quiet" };

/** A button with words on it. */
export function Button({ kind = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={`button button-${kind} ${className}`} {...rest} />;
}

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label" | "title"> & {
  /** What it does: its name to a screen reader, and its tooltip. */
  label: string;
  /** As "Ctrl K", shown in the tooltip. */
  shortcut?: string;
  children: ReactNode;
};

/** A button with an icon only. */
export function IconButton({ label, shortcut, className = "", type = "button", ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={shortcut ? `${label} (${shortcut})` : label}
      className={`icon-button ${className}`}
      {...rest}
    />
  );
}
