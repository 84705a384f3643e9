import { FileDown } from "lucide-react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { importFiles } from "./importing";
import { words } from "./texts";
import "./import.css";

/** Files may be dropped anywhere on the page, which says so while they are over it. */
export function DropZone() {
  const text = words.use();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const has = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const onOver = (event: DragEvent) => {
      if (!has(event)) return;
      // Otherwise the browser leaves the page for the file.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!has(event)) return;
      event.preventDefault();
      importFiles([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", onOver);
    window.addEventListener("dragleave", onLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onOver);
      window.removeEventListener("dragleave", onLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  if (!over) return null;
  return createPortal(
    <div className="drop-zone">
      <div>
        <FileDown aria-hidden />
        <strong>{text.drop}</strong>
        <span>{text.dropHelp}</span>
      </div>
    </div>,
    document.body,
  );
}
