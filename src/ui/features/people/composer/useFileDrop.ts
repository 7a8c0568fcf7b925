/** Lets files be dropped on the conversation around an element, the composer. */
import { useEffect, useState, type RefObject } from "react";

const holdsFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes("Files") === true;

/** @returns whether files are above the conversation now */
export function useFileDrop(
  inside: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): boolean {
  // dragenter and dragleave also come from elements inside, so they are counted
  const [depth, setDepth] = useState(0);
  useEffect(() => {
    const area = inside.current?.closest<HTMLElement>(".conversation");
    if (area === null || area === undefined) return;
    const control = new AbortController();
    const on = (
      type: "dragenter" | "dragover" | "dragleave" | "drop",
      run: (event: DragEvent) => void,
    ): void => {
      const handler = (event: DragEvent): void => {
        if (holdsFiles(event)) run(event);
      };
      area.addEventListener(type, handler, { signal: control.signal });
    };
    on("dragenter", () => setDepth((now) => now + 1));
    on("dragleave", () => setDepth((now) => Math.max(0, now - 1)));
    // without this the browser opens the file instead
    on("dragover", (event) => event.preventDefault());
    on("drop", (event) => {
      event.preventDefault();
      setDepth(0);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    });
    return () => control.abort();
  }, [inside, onFiles]);
  return depth > 0;
}
