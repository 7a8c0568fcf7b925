/** Names of uploaded files: what of them is kept, and how a download says them. */

/** Characters of a file name; a longer one keeps its end, which has the extension. */
const NAME_LENGTH = 200;

/** Removes characters that control a terminal, a header or the direction of text. */
export const cleanName = (name: string): string => {
  const clean = name
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    .replaceAll(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .slice(-NAME_LENGTH);
  // If the cut splits a surrogate pair, its half becomes the replacement character.
  return Buffer.from(clean).toString();
};

/**
 * RFC 6266: an ASCII name for old clients, the real name for the others.
 *
 * @param kind `inline` only for contents that a browser may show as a page of this origin
 */
export const disposition = (
  fileName: string,
  originalName: string,
  kind: "attachment" | "inline" = "attachment",
): string => {
  const real = encodeURIComponent(originalName).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${fileName}"; filename*=UTF-8''${real}`;
};
