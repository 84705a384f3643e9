export function Markdown({ text }: { text: string; streaming?: boolean }) {
  return <div className="plain">{text}</div>;
}

export function PlainText({ text }: { text: string }) {
  return <div className="plain">{text}</div>;
}
