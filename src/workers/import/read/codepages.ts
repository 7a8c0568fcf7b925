/**
 * Texts of the oldest spreadsheets use one code page for the whole file. The platform's TextDecoder decodes them, without tables
 * of our own.
 */

const LABELS: Readonly<Record<number, string>> = {
  874: "windows-874",
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  1200: "utf-16le",
  1201: "utf-16be",
  65001: "utf-8",
};
const LATIN = 1252;
/** Every character beyond ASCII is two bytes of GB 2312. */
const PAIRS = /^(?:[\0-\u007f]|[\u00a1-\u00f7][\u00a1-\u00fe])*$/;

function bytesOf(data: string | Iterable<number>): Uint8Array {
  return typeof data === "string"
    ? Uint8Array.from(data, (sign) => sign.charCodeAt(0))
    : Uint8Array.from(data);
}

/** Some writers declare the Latin code page regardless; texts that are clearly Chinese are read as such. */
function isChinese(bytes: Uint8Array): boolean {
  const text = String.fromCharCode(...bytes.subarray(0, 4096));
  // oxlint-disable-next-line no-control-regex -- ASCII begins there
  return /[^\0-\u007f]/.test(text) && PAIRS.test(text);
}

/** The code page functions that the library for old spreadsheets calls. */
export const codepages = {
  utils: {
    decode(codepage: number, data: string | Iterable<number>): string {
      const bytes = bytesOf(data);
      const label =
        codepage === LATIN && isChinese(bytes)
          ? "gb18030"
          : (LABELS[codepage] ??
            (codepage > 1249 && codepage < 1259 ? `windows-${codepage}` : "windows-1252"));
      return new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
    },
    /** Nothing is ever written in this format. */
    encode: (_codepage: number, text: string): number[] =>
      Array.from(text, (sign) => sign.charCodeAt(0) & 255),
  },
};
