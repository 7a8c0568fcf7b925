/** Shows a stored picture in an element: the file needs a token, so the core reads it. */
import type { CoreClient } from "../../../core-client/contracts.ts";

/**
 * Gives the element the picture once it is there.
 *
 * @param alt shown when the picture cannot be read
 * @returns a function that gives the picture's memory back
 */
export function showStored(
  core: Pick<CoreClient, "commands">,
  element: HTMLImageElement,
  fileName: string,
  alt: string,
): () => void {
  let address: string | null = null;
  let ended = false;
  element.classList.add("rich-picture");
  core.commands.files.read({ fileName }).then(
    (blob) => {
      if (ended) return;
      address = URL.createObjectURL(blob);
      element.src = address;
    },
    () => {
      element.alt = alt;
      element.classList.add("rich-picture-missing");
    },
  );
  return () => {
    ended = true;
    if (address !== null) URL.revokeObjectURL(address);
  };
}
