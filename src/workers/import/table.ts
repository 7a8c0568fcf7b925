/**
 * The whole file below its header row, on top of the batches: nothing is copied, and a text is made only on demand. The header
 * row is the chosen one or is detected.
 */
import { asIdeographs, radicalNote } from "../../shared/domain/han-text.ts";
import { type CellFacts, LOST_DIGITS } from "../../shared/domain/import-rules.ts";
import {
  type Batch,
  CELL,
  type CellKind,
  type ReadOutcome,
  type ReadTable,
  WIDE,
} from "./contracts.ts";
import { createFill, isFillable } from "./fill.ts";
import { findHeader, firstFrom, headerTexts } from "./header.ts";
import { createIds, marked } from "./ids.ts";
import { serialText } from "./read/dates.ts";
import { columnName } from "./read/faults.ts";
import { type ShowNumber, showBy, type ShowText, showTextBy } from "./read/formats.ts";
import { textBytes } from "./read/texts.ts";

const NOTHING = new Uint8Array(0);
const KIND = WIDE - 1;

/** The number without exponent, and without digits that come from its binary fraction. */
export function numberText(n: number): string {
  if (Number.isInteger(n)) return Math.abs(n) < 1e21 ? String(n) : BigInt(n).toString();
  const text = String(Number(n.toPrecision(15)));
  return text.includes("e") ? n.toFixed(20).replace(/\.?0+$/, "") : text;
}

export interface TableChoice {
  /** Row of the headers in the file; null: detected. */
  readonly headerRow?: number | null;
  /** Last row of the headers in the file; null: detected. */
  readonly headerEnd?: number | null;
  /** Whether merged cells and marks such as 同上 get the content above them. */
  readonly fill?: boolean;
}

/** @param batches in file order; must not change after this call */
export function createTable(
  batches: readonly Batch[],
  outcome: Pick<ReadOutcome, "strings" | "date1904" | "width" | "formats" | "merges">,
  { headerRow = null, headerEnd = null, fill = false }: TableChoice = {},
): ReadTable {
  const { strings, date1904, width, formats, merges } = outcome;
  const shows = new Map<number, ShowNumber>();
  const textShows = new Map<number, ShowText>();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const starts: number[] = [];
  let all = 0;
  for (const batch of batches) {
    starts.push(all);
    all += batch.rows;
  }

  // Successive lookups are mostly for neighbouring rows.
  let at = 0;
  /** The batch of row i, counted over all rows. Sets `at` to its index. */
  function batchOf(i: number): Batch {
    const batch = batches[at];
    const start = starts[at];
    if (batch !== undefined && start !== undefined && i >= start && i < start + batch.rows) {
      return batch;
    }
    let low = 0;
    let high = batches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= i) low = middle;
      else high = middle - 1;
    }
    at = low;
    const found = batches[low];
    if (found === undefined || i < 0 || i >= all) throw new RangeError(`row ${i} of ${all}`);
    return found;
  }

  const rawNumber = (i: number): number => {
    const batch = batchOf(i);
    return batch.rowNumbers[i - starts[at]!]!;
  };

  function keptKind(i: number, column: number): CellKind {
    const batch = batchOf(i);
    if (column >= batch.width) return CELL.empty;
    return (batch.kinds[(i - starts[at]!) * batch.width + column]! & KIND) as CellKind;
  }

  function rawKind(i: number, column: number): CellKind {
    const kind = keptKind(i, column);
    if (kind < CELL.shownNumber) return kind;
    return kind === CELL.shownNumber
      ? CELL.number
      : kind === CELL.shownDate
        ? CELL.date
        : CELL.text;
  }

  function rawValue(i: number, column: number): number {
    const batch = batchOf(i);
    if (column >= batch.width) return 0;
    const cell = (i - starts[at]!) * batch.width + column;
    const value = batch.values[cell]!;
    const kind = batch.kinds[cell]!;
    return (kind & WIDE) === 0 && kind < CELL.shownNumber ? value : batch.numbers[value]!;
  }

  /** Style of a cell whose kind is shown by its format. */
  function styleOf(i: number, column: number): number {
    const batch = batchOf(i);
    return batch.numbers[batch.values[(i - starts[at]!) * batch.width + column]! + 1]!;
  }

  /** Text by the format; null when only a spreadsheet can show it. */
  function shown(i: number, column: number): string | null {
    const style = styleOf(i, column);
    const show = shows.get(style) ?? showBy(formats[style] ?? "");
    shows.set(style, show);
    return show(rawValue(i, column), date1904)?.trim() ?? null;
  }

  /** A text as its format shows it; null when only a spreadsheet can show it. */
  function shownText(i: number, column: number): string | null {
    const style = styleOf(i, column);
    const show = textShows.get(style) ?? showTextBy(formats[style] ?? "");
    textShows.set(style, show);
    return show(keptText(i, column));
  }

  /** The text without its format. */
  function keptText(i: number, column: number): string {
    const kind = keptKind(i, column);
    const index = rawValue(i, column);
    const isShared = kind === CELL.shared || kind === CELL.shownShared;
    return decoder.decode(isShared ? strings.bytes(index) : textBytes(batchOf(i), index));
  }

  function rawBytes(i: number, column: number): Uint8Array {
    const batch = batchOf(i);
    if (column >= batch.width) return NOTHING;
    const cell = (i - starts[at]!) * batch.width + column;
    const kind = batch.kinds[cell]!;
    const value = batch.values[cell]!;
    if (kind === CELL.shared) return strings.bytes(value);
    if (kind === CELL.shownShared || kind === CELL.shownText) {
      return encoder.encode(rawText(i, column));
    }
    if (kind !== CELL.text && kind !== CELL.error) return NOTHING;
    return textBytes(batch, value);
  }

  function rawText(i: number, column: number): string {
    const kind = keptKind(i, column);
    switch (kind) {
      case CELL.shownNumber:
        return shown(i, column) ?? numberText(rawValue(i, column));
      case CELL.shownDate: {
        const serial = rawValue(i, column);
        return shown(i, column) ?? serialText(serial, date1904) ?? numberText(serial);
      }
      case CELL.empty:
        return "";
      case CELL.number:
        return numberText(rawValue(i, column));
      case CELL.date: {
        const serial = rawValue(i, column);
        return serialText(serial, date1904) ?? numberText(serial);
      }
      case CELL.bool:
        return rawValue(i, column) === 1 ? "TRUE" : "FALSE";
      case CELL.shownShared:
      case CELL.shownText:
        return shownText(i, column) ?? keptText(i, column);
      default:
        return decoder.decode(rawBytes(i, column));
    }
  }

  function rawFacts(i: number, column: number): CellFacts {
    const kept = keptKind(i, column);
    if (kept === CELL.error) return { kind: "error" };
    const kind = rawKind(i, column);
    if (kept > CELL.shownDate && shownText(i, column) === null) {
      return { kind: "text", unclear: true };
    }
    if (kind !== CELL.number && kind !== CELL.date) return { kind: "text" };
    const number = rawValue(i, column);
    const unclear = kept !== kind && shown(i, column) === null ? { unclear: true } : {};
    if (kind === CELL.date) return { kind: "date", number, date1904, ...unclear };
    const digits = numberText(number);
    const other = digits === rawText(i, column) ? {} : { digits };
    return { kind: "number", number, ...other, ...unclear };
  }

  /** What distinguishes a text from others: the text, followed by the number if the text alone is ambiguous. */
  function key(i: number, column: number): Uint8Array {
    const text = encoder.encode(rawText(i, column));
    const { kind, number = 0, digits, unclear } = rawFacts(i, column);
    const hidden =
      kind === "error" ||
      unclear === true ||
      (kind === "number" && Math.abs(number) >= LOST_DIGITS);
    const isShown = keptKind(i, column) === CELL.shownDate || digits !== undefined;
    if (!hidden && !isShown) return text;
    return marked(text, encoder.encode(isShown ? String(number) : kind));
  }

  const raw = {
    rows: all,
    width,
    kind: rawKind,
    text: rawText,
    bytes: rawBytes,
    rowNumber: rawNumber,
  };
  const header = findHeader(raw, headerRow, headerEnd);
  const first = header.below;
  const written = headerTexts(raw, header);
  const headers = written.map(asIdeographs);
  const rows = Math.max(0, all - first);
  const row = (i: number): number => {
    if (i < 0 || i >= rows) throw new RangeError(`row ${i} of ${rows}`);
    return i + first;
  };
  const fillSource = { ...raw, firstFrom: (wanted: number) => firstFrom(raw, wanted) };
  const filled = fill ? createFill(fillSource, merges, first) : null;
  /** The row from which a cell takes its content. */
  const place = (i: number, column: number): number =>
    filled === null ? i + first : filled(i + first, column);
  const cell = (i: number, column: number): number =>
    filled === null ? row(i) : filled(row(i), column);
  const made = new Map<number, ReturnType<ReadTable["ids"]>>();

  const table: ReadTable = {
    rows,
    headers,
    date1904,
    headerRow: header.row,
    headerEnd: header.end,
    isFillable: fill || isFillable(fillSource, merges, first),
    warnings: [...headerWarnings(headers), ...radicalWarnings(written)],
    rowNumber: (i) => rawNumber(row(i)),
    kind: (i, column) => rawKind(cell(i, column), column),
    facts: (i, column) => rawFacts(cell(i, column), column),
    value: (i, column) => rawValue(cell(i, column), column),
    bytes: (i, column) => rawBytes(cell(i, column), column),
    text: (i, column) => rawText(cell(i, column), column),
    filled(column) {
      let count = 0;
      for (const [k, batch] of batches.entries()) {
        if (column >= batch.width) continue;
        const from = Math.max(0, first - starts[k]!);
        for (let r = from; r < batch.rows; r += 1) {
          if (batch.kinds[r * batch.width + column] !== CELL.empty) count += 1;
        }
      }
      return count;
    },
    ids(column) {
      const known = made.get(column);
      if (known !== undefined) return known;
      const ids = createIds({
        rows,
        strings: strings.count,
        kind: (i) => keptKind(place(i, column), column),
        value: (i) => rawValue(place(i, column), column),
        style: (i) => styleOf(place(i, column), column),
        bytes: (i) => rawBytes(place(i, column), column),
        key: (i) => key(place(i, column), column),
      });
      made.set(column, ids);
      return ids;
    },
  };
  return table;
}

/** One warning for all headers with radicals. */
function radicalWarnings(headers: readonly string[]): string[] {
  const notes = headers.flatMap((name) => radicalNote(name) ?? []);
  return notes.length === 0
    ? []
    : [`${notes.length} 个列名${[...new Set(notes)].slice(0, 3).join("；")}`];
}

function headerWarnings(headers: readonly string[]): string[] {
  const said: string[] = [];
  const empty = headers.flatMap((name, column) => (name === "" ? [columnName(column)] : []));
  if (empty.length > 0) said.push(`${empty.slice(0, 10).join("、")} 列没有列名`);
  const times = new Map<string, number>();
  for (const name of headers) if (name !== "") times.set(name, (times.get(name) ?? 0) + 1);
  for (const [name, count] of times) {
    if (count > 1) said.push(`列名“${name}”出现了 ${count} 次`);
  }
  return said;
}
