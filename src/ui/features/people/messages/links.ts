/** Finds the addresses in a message's text. Pure; what it returns is shown as text and links, never as HTML. */

export interface TextPart {
  readonly text: string;
  /** Set for an address that a browser may open. */
  readonly href: string | null;
}

/** An address ends at a space, a quotation mark, a bracket of a tag, or a character that no address has unescaped. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\\^{}|\u3000-\u303f\uff00-\uffef]+/gi;
/** What follows an address in a sentence and is no part of it. */
const TRAILING = /[.,;:!?~*_\]]+$/;

/** An address without the sentence's punctuation. A closing bracket belongs to it only together with an opening one. */
function withoutTail(found: string): string {
  let address = found.replace(TRAILING, "");
  while (address.endsWith(")") && !address.includes("(")) {
    address = address.slice(0, -1).replace(TRAILING, "");
  }
  return address;
}

/** @returns the canonical address, null unless it is a valid one of http or https without a password */
function hrefOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  // A name before an @ looks like the host and hides the real one.
  const isPlain = url.username === "" && url.password === "";
  return isPlain && /^https?:$/.test(url.protocol) && url.hostname !== "" ? url.href : null;
}

export function linkParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutTail(match[0]);
    const href = hrefOf(address);
    if (href === null) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null });
    parts.push({ text: address, href });
    end = match.index + address.length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), href: null });
  return parts;
}
