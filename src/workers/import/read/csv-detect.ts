/** Detects what a text file is: its encoding by its bytes, its delimiter by its records, and whether it is a table at all. */
import { AppError } from "../../../shared/errors.ts";
import type { Opened } from "../../../shared/protocol/import-worker.ts";
import { decodes, type Encoding, encodingOfSamples, type Found, isGb18030 } from "./encodings.ts";
import { checkSignal } from "./faults.ts";
import { readSlice } from "./inflate.ts";

export type Escape = NonNullable<Opened["escape"]>;

const HEAD = 1 << 18;
/** Samples after the head: a file can begin with a long stretch of ASCII. */
const PROBES = 16;
const PROBE = 1 << 15;
/** Records that are looked at. */
const RECORDS = 50;
const DELIMITERS = [",", "\t", ";", "|"] as const;

/** Share of a text that may be characters no text should have; a short text may have a few. */
const RARE = 0.01;
const isFew = (count: number, total: number): boolean =>
  count < RARE * total || (count <= 3 && 8 * count < total);

export interface TextFile extends Found {
  readonly delimiter: string;
  readonly escape: Escape;
  /** Whether the first records look like rows of a table: more than one, most of them with the same number of columns. */
  readonly isTable: boolean;
  readonly head: Uint8Array;
}

/** @throws AppError import.empty, import.html, import.not-table, import.unsupported */
export async function detectText(blob: Blob, signal: AbortSignal): Promise<TextFile> {
  const head = await readSlice(blob, 0, HEAD);
  checkSignal(signal);
  const found = await encodingOf(blob, head);
  checkSignal(signal);
  const text = decodeHead(head, found.encoding, head.length < blob.size);
  refuseOthers(text);
  const delimiter = delimiterOf(text);
  const isTable = looksLikeTable(fieldCounts(text, delimiter, RECORDS));
  return { ...found, delimiter, escape: escapeOf(text, delimiter), isTable, head };
}

export function decodeHead(head: Uint8Array, encoding: Encoding, cut: boolean): string {
  return new TextDecoder(encoding).decode(head, { stream: cut });
}

function refuseOthers(text: string): void {
  if (text.trim() === "") throw new AppError("import.empty");
  const start = text
    .slice(0, 4096)
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .trimStart();
  if (/^<\?xml|^<\w+:?Workbook/i.test(start)) {
    const html = /<html[\s>]/i.test(start);
    const table = /<(?:\w+:)?Workbook[\s>]|office:spreadsheet/.test(start);
    throw new AppError(html ? "import.html" : table ? "import.unsupported" : "import.not-table");
  }
  if (/^<(?:!doctype\s+html|html|head|meta|body|table|div|style|script|center)\b/i.test(start)) {
    throw new AppError("import.html");
  }
  if (/^MIME-Version:/i.test(start)) throw new AppError("import.html");
  if (/^(?:%PDF-|\{\\rtf|Rar!)/.test(start)) throw new AppError("import.not-table");
  // A text has tabs, line ends, form feeds or the old end mark (0x1a), and a few stray control characters.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const controls = text.match(/[\u0000-\u0008\u000e-\u0019\u001b-\u001f]/g)?.length ?? 0;
  if (!isFew(controls, text.length)) throw new AppError("import.not-table");
}

const sure = (encoding: Encoding): Found => ({ encoding, isGuess: false });

async function encodingOf(blob: Blob, head: Uint8Array): Promise<Found> {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return sure("utf-8");
  if (head[0] === 0xff && head[1] === 0xfe) return sure("utf-16le");
  if (head[0] === 0xfe && head[1] === 0xff) return sure("utf-16be");
  const zeros = [0, 0];
  for (let i = 0; i < head.length; i += 1) if (head[i] === 0) zeros[i & 1]! += 1;
  const [even = 0, odd = 0] = zeros;
  // UTF-8 text has no NUL bytes; UTF-16 has one in each delimiter and each digit. A few NULs are stray bytes.
  if (even + odd > 0 && isFew(even + odd, head.length)) {
    if (decodes(wholeLines(head, false, head.length < blob.size), "utf-8"))
      return byBytes(blob, head);
    if (even + odd < RARE * head.length && isGb18030(head)) return byBytes(blob, head);
  }
  if (even + odd > 0) {
    // UTF-16 has its NULs at even (BE) or odd (LE) offsets only, at least those of its line ends.
    if (odd > 19 * even) return sure("utf-16le");
    if (even > 19 * odd) return sure("utf-16be");
    throw new AppError("import.not-table");
  }
  return byBytes(blob, head);
}

/** Decided by samples from the whole file. */
async function byBytes(blob: Blob, head: Uint8Array): Promise<Found> {
  const step = Math.floor(blob.size / (PROBES + 1));
  const count = blob.size > 2 * HEAD ? PROBES : 0;
  // Read in parallel, because each read has latency.
  const probes = await Promise.all(
    Array.from({ length: count }, (_, k) => {
      const at = Math.max(HEAD, (k + 1) * step);
      return readSlice(blob, at, at + PROBE);
    }),
  );
  return encodingOfSamples([
    wholeLines(head, false, head.length < blob.size),
    ...probes.map((probe) => wholeLines(probe, true, true)),
  ]);
}

/**
 * In these encodings a line feed is never part of another character, so the bytes between two line feeds are whole characters.
 */
function wholeLines(b: Uint8Array, cutBefore: boolean, cutBehind: boolean): Uint8Array {
  const first = cutBefore ? b.indexOf(10) + 1 : 0;
  const last = cutBehind ? b.lastIndexOf(10) + 1 : b.length;
  // A single line longer than the sample: cut it after its last ASCII byte, because a character may be cut at the end.
  if (last <= first) return b.subarray(first, Math.max(first, lastAscii(b)));
  return b.subarray(first, last);
}

function lastAscii(b: Uint8Array): number {
  let i = b.length;
  while (i > 0 && !(b[i - 1]! < 0x30)) i -= 1;
  return i;
}

/** The delimiter that splits the first records into the most columns and most often into the same number. */
export function delimiterOf(text: string): string {
  const said = /^\uFEFF?sep=([,;|\t])\r?\n/i.exec(text)?.[1];
  if (said !== undefined) return said;
  let best: string = ",";
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const counts = fieldCounts(text, delimiter, RECORDS);
    const most = Math.max(0, ...counts);
    if (most < 2) continue;
    const usual = mode(counts.filter((count) => count > 1));
    const same = counts.filter((count) => count === usual).length / counts.length;
    const score = same * same * Math.log2(1 + usual);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** @param counts fields of each record */
function looksLikeTable(counts: readonly number[]): boolean {
  const usual = mode(counts);
  const same = counts.filter((count) => count === usual).length;
  return counts.length > 1 && usual > 1 && same * 2 > counts.length;
}

function mode(values: readonly number[]): number {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Number of fields per record, without blank records. A last record that is cut off counts only when it is the only one. */
function fieldCounts(text: string, delimiter: string, most: number): number[] {
  const counts: number[] = [];
  let fields = 1;
  let quoted = false;
  let start = true;
  let blank = true;
  for (let i = 0; i < text.length && counts.length < most; i += 1) {
    const c = text[i];
    if (quoted) {
      if (c === '"') quoted = false;
      continue;
    }
    if (c === '"' && start) quoted = true;
    start = c === delimiter;
    if (c === delimiter) fields += 1;
    if (c === "\n" || c === "\r") {
      if (!blank) counts.push(fields);
      fields = 1;
      start = true;
      blank = true;
    } else blank = false;
  }
  if (!blank && counts.length === 0) counts.push(fields);
  return counts;
}

/** Whether a field says that it has no value, as MySQL writes it. */
function hasNullField(text: string, delimiter: string): boolean {
  const isEdge = (sign: string | undefined): boolean =>
    sign === undefined || sign === delimiter || sign === "\n" || sign === "\r";
  for (let at = text.indexOf("\\N"); at >= 0; at = text.indexOf("\\N", at + 2)) {
    const quote = text[at - 1] === '"' && text[at + 2] === '"' ? 1 : 0;
    if (isEdge(text[at - 1 - quote]) && isEdge(text[at + 2 + quote])) return true;
  }
  return false;
}

/**
 * A backslash escapes if something shows that the writer meant it: a field `\N`, or quotes that are out of place otherwise and all in
 * their places then.
 */
export function escapeOf(text: string, delimiter: string): Escape {
  if (!text.includes("\\")) return "quote";
  const escaped = strayQuotes(text, delimiter, true);
  const doubled = strayQuotes(text, delimiter, false);
  if (hasNullField(text, delimiter)) return escaped <= doubled ? "backslash" : "quote";
  return escaped === 0 && doubled > 0 ? "backslash" : "quote";
}

/** Number of quotes that neither open nor close a field nor are doubled in it. */
function strayQuotes(text: string, delimiter: string, escapes: boolean): number {
  let strays = 0;
  let quoted = false;
  let start = true;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (escapes && c === "\\") {
      i += 1;
      start = false;
    } else if (quoted) {
      if (c !== '"') continue;
      const next = text[i + 1];
      if (next === '"') i += 1;
      else {
        quoted = false;
        if (next !== undefined && next !== delimiter && next !== "\n" && next !== "\r") strays += 1;
      }
    } else if (c === '"') {
      if (start) quoted = true;
      else strays += 1;
      start = false;
    } else start = c === delimiter || c === "\n" || c === "\r";
  }
  return strays;
}
