/** Converts batches into rows of JavaScript values. */
import {
  type Batch,
  CELL,
  type Reader,
  type ReadOptions,
  type RowValue,
  type SharedStrings,
  WIDE,
} from "../contracts.ts";
import { textsOf } from "./texts.ts";

const DAY = 86_400_000;

/**
 * @param strings all shared strings by index (StringTable.all)
 * @param width values per row
 * @returns null for an empty cell; days and times as Date in UTC
 */
export function rowsOf(
  batch: Batch,
  strings: readonly string[],
  width: number,
  date1904: boolean,
): RowValue[][] {
  const { kinds, values, numbers, ends, gap, bytes, width: stride } = batch;
  const starts = new Uint32Array(ends.length + 1);
  starts.set(ends, 1);
  if (gap > 0) for (let k = 1; k < starts.length; k += 1) starts[k]! += gap;
  const texts = textsOf(bytes, ends.length, starts, true, gap);
  const epoch = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const columns = Math.min(width, stride);
  const rows: RowValue[][] = [];
  for (let r = 0; r < batch.rows; r += 1) {
    // Allocated at full length: growing it by pushes costs as much as filling it.
    const row: RowValue[] = Array(width);
    const base = r * stride;
    for (let c = 0; c < columns; c += 1) {
      const value = values[base + c]!;
      switch (kinds[base + c]) {
        case CELL.shared:
          row[c] = strings[value] ?? "";
          break;
        case CELL.text:
        case CELL.error:
          row[c] = texts[value] ?? "";
          break;
        case CELL.number:
          row[c] = value;
          break;
        case CELL.number | WIDE:
          row[c] = numbers[value]!;
          break;
        case CELL.date:
          row[c] = new Date(epoch + value * DAY);
          break;
        case CELL.date | WIDE:
          row[c] = new Date(epoch + Math.round(numbers[value]! * 86_400) * 1000);
          break;
        case CELL.shownNumber:
          row[c] = numbers[value]!;
          break;
        case CELL.shownDate:
          row[c] = new Date(epoch + Math.round(numbers[value]! * 86_400) * 1000);
          break;
        case CELL.shownShared:
          row[c] = strings[numbers[value]!] ?? "";
          break;
        case CELL.shownText:
          row[c] = texts[numbers[value]!] ?? "";
          break;
        case CELL.bool:
          row[c] = value === 1;
          break;
        default:
          row[c] = null;
      }
    }
    for (let c = columns; c < width; c += 1) row[c] = null;
    rows.push(row);
  }
  return rows;
}

/** All rows of a source as values, in file order. @throws AppError import.* */
export async function rowsFrom(
  reader: Reader,
  options: Pick<ReadOptions, "source" | "signal">,
  onRows: (rows: RowValue[][]) => void,
): Promise<void> {
  if (reader.readRows !== undefined) return reader.readRows(options, onRows);
  let strings: readonly string[] = [];
  await reader.read(
    { ...options, maxRows: Infinity, onStrings: (table) => (strings = allTexts(table)) },
    (batch) => onRows(rowsOf(batch, strings, batch.width, false)),
  );
}

/** The texts of all shared strings, decoded in blocks where the table supports it. */
export function allTexts(strings: SharedStrings & { all?(): string[] }): string[] {
  if (strings.all !== undefined) return strings.all();
  return Array.from({ length: strings.count }, (_, k) => strings.text(k));
}
