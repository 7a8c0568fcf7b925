/** The content of a bulletin: the HTML that the editor makes and that both sides let through (docs/session.md#bulletins). */

/** Elements without attributes, besides links and pictures. */
export const BULLETIN_TAGS = [
  "p",
  "br",
  "hr",
  "h2",
  "h3",
  "strong",
  "em",
  "u",
  "s",
  "code",
  "pre",
  "blockquote",
  "ul",
  "ol",
  "li",
] as const;

/** Protocols that a link may have. */
export const BULLETIN_LINKS = ["http", "https", "mailto", "tel"] as const;

/** Most characters of a content, with its tags. */
export const BULLETIN_MAX = 50_000;

/** Most pictures of a bulletin. */
export const BULLETIN_PICTURES = 20;

/**
 * Names of the uploaded pictures of a content. A picture is `<img data-file="NAME">` without an address: the file needs a token, so the
 * page reads it and shows it.
 */
export const picturesOf = (content: string): string[] => [
  ...new Set(
    [...content.matchAll(/ data-file="([\w-]{22}\.[a-z]{3,4})"/g)].map(([, name = ""]) => name),
  ),
];
