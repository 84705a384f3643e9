import { LargeText } from "./LargeText";
import "./markdown.css";

/** What people wrote, a question and the like: as written, for its stars and dashes mean only themselves. */
export function PlainText({ text }: { text: string }) {
  return <LargeText text={text} />;
}
