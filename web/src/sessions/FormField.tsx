import { type ReactNode, useId } from "react";

interface FormFieldProps {
  label: string;
  help?: string;
  /** What is wrong with what stands in it. */
  problem?: string | undefined;
  children: (control: {
    id: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** A control with its name, what it does, and what is wrong with it. */
export function FormField({ label, help, problem, children }: FormFieldProps) {
  const id = useId();
  const about = [problem && `${id}-problem`, help && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div className="field form-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": problem !== undefined, "aria-describedby": about || undefined })}
      {problem !== undefined && (
        <small id={`${id}-problem`} className="field-problem" role="alert">
          {problem}
        </small>
      )}
      {help && <small id={`${id}-help`}>{help}</small>}
    </div>
  );
}
