/** Tells from samples of its bytes in which encoding a Chinese text is written. */
import type { Opened } from "../../../shared/protocol/import-worker.ts";

export type Encoding = NonNullable<Opened["encoding"]>;
/** An encoding, and whether it is only the best guess. */
export interface Found {
  readonly encoding: Encoding;
  readonly isGuess: boolean;
}

/** Signs that a text must have before its looks decide anything. */
const ENOUGH = 10;
/** Share of usual signs in a text that is read rightly, and most of a text that is read wrongly. */
const RIGHT = 0.9;
const WRONG = 0.6;

/** Signs beyond ASCII: those that people write every day, other ones, and bytes that are no sign. */
interface Signs {
  usual: number;
  rare: number;
  broken: number;
}
const allOf = ({ usual, rare, broken }: Signs): number => usual + rare + broken;
const share = (signs: Signs): number => (allOf(signs) === 0 ? 1 : signs.usual / allOf(signs));
/** A few broken bytes in a text that is read rightly otherwise. */
const isHardlyBroken = (signs: Signs): boolean =>
  signs.broken === 0 ||
  (8 * signs.broken <= allOf(signs) && signs.broken <= 3) ||
  50 * signs.broken <= allOf(signs);

/** Most broken signs of a text, by its signs beyond ASCII, in an encoding that the person has chosen. */
const BROKEN = 0.3;

export function isMostlyWhole(text: string): boolean {
  const signs: Signs = { usual: 0, rare: 0, broken: 0 };
  countText(text, signs);
  return signs.broken <= BROKEN * allOf(signs);
}

/** @param samples whole lines from all over the file */
export function encodingOfSamples(samples: readonly Uint8Array[]): Found {
  const sure = (encoding: Encoding): Found => ({ encoding, isGuess: false });
  if (samples.every((sample) => decodes(sample, "utf-8"))) return sure("utf-8");
  const chinese = countAll(samples, countGb18030);
  const traditional = countAll(samples, countBig5);
  const isTraditional =
    isHardlyBroken(traditional) &&
    traditional.usual >= ENOUGH &&
    share(traditional) >= RIGHT &&
    share(chinese) < WRONG;
  if (samples.every((sample) => isGb18030(sample))) {
    if (isTraditional) return sure("big5");
    // Japanese, for example, is valid as well, but reads as signs that nobody knows.
    return { encoding: "gb18030", isGuess: allOf(chinese) >= ENOUGH && share(chinese) < WRONG };
  }
  const utf8 = countAll(samples, countUtf8);
  if (utf8.usual >= ENOUGH && isHardlyBroken(utf8)) return sure("utf-8");
  if (isTraditional) return sure("big5");
  if (chinese.usual >= ENOUGH && isHardlyBroken(chinese) && share(chinese) >= RIGHT - 0.1) {
    return sure("gb18030");
  }
  const best = [
    { encoding: "utf-8", signs: utf8 },
    { encoding: "gb18030", signs: chinese },
    { encoding: "big5", signs: traditional },
  ] as const;
  const [first] = best.toSorted((a, b) => share(b.signs) - share(a.signs));
  return { encoding: first?.encoding ?? "utf-8", isGuess: true };
}

function countAll(
  samples: readonly Uint8Array[],
  count: (b: Uint8Array, signs: Signs) => void,
): Signs {
  const signs: Signs = { usual: 0, rare: 0, broken: 0 };
  for (const sample of samples) count(sample, signs);
  return signs;
}

const countUtf8 = (b: Uint8Array, signs: Signs): void =>
  countText(new TextDecoder("utf-8").decode(b), signs);

function countText(text: string, signs: Signs): void {
  for (const sign of text) {
    if (sign === "\ufffd") signs.broken += 1;
    else if (sign.charCodeAt(0) >= 0x80) signs.usual += 1;
  }
}

/** The first level of GB 2312 has the signs of everyday texts. */
function countGb18030(b: Uint8Array, signs: Signs): void {
  for (let i = 0; i < b.length; i += 1) {
    const c = b[i]!;
    if (c < 0x80) continue;
    const next = b[i + 1] ?? 0;
    const isPair = c > 0x80 && c < 0xff && next >= 0x40 && next !== 0x7f && next < 0xff;
    if (isPair) {
      const isUsual = next >= 0xa1 && ((c >= 0xb0 && c <= 0xd7) || (c >= 0xa1 && c <= 0xa3));
      if (isUsual) signs.usual += 1;
      else signs.rare += 1;
      i += 1;
    } else if (c > 0x80 && c < 0xff && next >= 0x30 && next <= 0x39 && (b[i + 2] ?? 0) > 0x80) {
      signs.rare += 1;
      i += 3;
    } else signs.broken += 1;
  }
}

/** The first level of Big5 has the signs of everyday texts. */
function countBig5(b: Uint8Array, signs: Signs): void {
  for (let i = 0; i < b.length; i += 1) {
    const c = b[i]!;
    if (c < 0x80) continue;
    const next = b[i + 1] ?? 0;
    const isTrail = (next >= 0x40 && next <= 0x7e) || (next >= 0xa1 && next <= 0xfe);
    if (c > 0x80 && c < 0xff && isTrail) {
      if (c >= 0xa1 && c <= 0xc6) signs.usual += 1;
      else signs.rare += 1;
      i += 1;
    } else signs.broken += 1;
  }
}

export function decodes(b: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(b);
    return true;
  } catch {
    return false;
  }
}

/** Valid GB18030, mostly characters that people write, and no line that is clearly UTF-8. */
export function isGb18030(b: Uint8Array): boolean {
  let text;
  try {
    text = new TextDecoder("gb18030", { fatal: true }).decode(b);
  } catch {
    return false;
  }
  let usual = 0;
  let other = 0;
  for (const sign of text) {
    const cp = sign.codePointAt(0) ?? 0;
    if (cp < 0x80) continue;
    const han = cp >= 0x4e00 && cp <= 0x9fff;
    const mark = (cp >= 0x2000 && cp <= 0x303f) || (cp >= 0xff00 && cp <= 0xffef) || cp === 0xb7;
    if (han || mark || (cp >= 0x20000 && cp < 0x30000)) usual += 1;
    else other += 1;
  }
  return other <= 0.3 * (usual + other) && !hasUtf8Line(b);
}

/** A line of another encoding with several non-ASCII characters is almost never valid UTF-8. */
function hasUtf8Line(b: Uint8Array): boolean {
  let from = 0;
  while (from < b.length) {
    let to = b.indexOf(10, from);
    if (to < 0) to = b.length;
    let high = 0;
    for (let i = from; i < to; i += 1) if (b[i]! >= 0x80) high += 1;
    if (high >= 9 && decodes(b.subarray(from, to), "utf-8")) return true;
    from = to + 1;
  }
  return false;
}
