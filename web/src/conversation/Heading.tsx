interface HeadingProps {
  level: 2 | 3;
  name: string;
  id?: string;
}

/** A heading for who walks through the page by them. It holds no text, which one would copy with the turn's. */
export function Heading({ level, name, id }: HeadingProps) {
  const Tag = `h${level}` as const;
  return <Tag id={id} className="hidden-text" aria-label={name} />;
}
