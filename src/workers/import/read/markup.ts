/** Finds and skips XML tags: as bytes in large parts, as text in small ones. */

/**
 * Skips the markup that begins at b[i] ('<'): a tag, a comment, CDATA, an instruction, or a DOCTYPE with its declarations.
 *
 * @returns the index after it; -1 when its end is not available yet
 */
export function skipMarkup(b: Uint8Array, i: number, end: number): number {
  const next = b[i + 1];
  if (next === 33) {
    if (b[i + 2] === 45) return after(b, i + 4, end, 45, 45);
    if (b[i + 2] === 91) return after(b, i + 9, end, 93, 93);
    return skipDoctype(b, i, end);
  }
  if (next === 63) return after(b, i + 2, end, 63, -1);
  let quote = 0;
  for (let k = i + 1; k < end; k += 1) {
    const c = b[k];
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === 62) return k + 1;
    else if (c === 34 || c === 39) quote = c;
  }
  return -1;
}

/** The index after the next `xy>`, or after the next `x>` when y is -1. */
function after(b: Uint8Array, from: number, end: number, x: number, y: number): number {
  for (let k = from; k < end; k += 1) {
    k = b.indexOf(62, k);
    if (k < 0 || k >= end) return -1;
    if (y === -1 ? b[k - 1] === x : b[k - 1] === y && b[k - 2] === x) return k + 1;
  }
  return -1;
}

function skipDoctype(b: Uint8Array, i: number, end: number): number {
  let inside = 0;
  for (let k = i; k < end; k += 1) {
    const c = b[k];
    if (c === 91) inside += 1;
    else if (c === 93) inside -= 1;
    else if (c === 62 && inside <= 0) return k + 1;
  }
  return -1;
}

/** Skips the element that begins at b[i], with its content. @returns the index after it; -1 when its end is not available yet */
export function skipElement(b: Uint8Array, i: number, end: number): number {
  let depth = 0;
  let k = i;
  for (;;) {
    const next = skipMarkup(b, k, end);
    if (next < 0) return -1;
    if (b[k + 1] === 47) depth -= 1;
    else if (b[k + 1] !== 33 && b[k + 1] !== 63 && b[next - 2] !== 47) depth += 1;
    if (depth <= 0) return next;
    k = b.indexOf(60, next);
    if (k < 0 || k >= end) return -1;
  }
}

/** Whether the bytes at i spell `name`. */
export function spells(b: Uint8Array, i: number, name: string): boolean {
  for (let k = 0; k < name.length; k += 1) if (b[i + k] !== name.charCodeAt(k)) return false;
  return true;
}

/** Length of the prefix `x:` in the tag at b[i] ('<' or '</'); 0 without a prefix. */
export function prefixLength(b: Uint8Array, i: number, end: number): number {
  const from = b[i + 1] === 47 ? i + 2 : i + 1;
  for (let k = from; k < end; k += 1) {
    const c = b[k]!;
    if (c === 58) return k + 1 - from;
    if (c <= 32 || c === 62 || c === 47) return 0;
  }
  return 0;
}

export interface Tag {
  /** Name without prefix. */
  readonly name: string;
  readonly closing: boolean;
  readonly empty: boolean;
  /** Value by name without prefix, with references resolved. */
  attribute(name: string): string | undefined;
}

/** The tags of a small part in order, without comments, instructions and DOCTYPE. */
export function* tags(xml: string): Generator<Tag> {
  const pattern =
    /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*(?:\[[^\]]*\][^>]*)?>|<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
  for (const match of xml.matchAll(pattern)) {
    const [, slash, name, rest = ""] = match;
    if (name === undefined) continue;
    yield {
      name,
      closing: slash === "/",
      empty: rest.endsWith("/"),
      attribute: (wanted) => {
        for (const [, key, double, single] of rest.matchAll(
          /\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
        )) {
          if (key === wanted) return unescapeText(double ?? single ?? "");
        }
        return undefined;
      },
    };
  }
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

const unescapeText = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi, (whole, hex, dec, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole;
    const cp = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(dec);
    return cp > 0 && cp < 0x110000 ? String.fromCodePoint(cp) : String(whole);
  });
