/** The text of a message with clickable addresses. React writes it as text, so nothing in it can become markup. */
import { linkParts } from "./links.ts";

export function MessageText({ text }: { readonly text: string }) {
  return linkParts(text).map((part, at) =>
    part.href === null ? (
      part.text
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never move
      <a key={at} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </a>
    ),
  );
}
