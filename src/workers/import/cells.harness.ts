/** All cells of a file as `sheet!A1` -> `kind:value`, once from this reader and once from @e965/xlsx. */
import * as XLSX from "@e965/xlsx";
import { type Batch, CELL, WIDE } from "./contracts.ts";
import { columnName } from "./read/faults.ts";
import { openReader } from "./read/index.ts";
import { textBytes } from "./read/texts.ts";

export type Cells = Map<string, string>;

const number = (kind: string, value: number): string => `${kind}:${Number(value.toPrecision(15))}`;

export async function ourCells(file: Blob): Promise<Cells> {
  const { signal } = new AbortController();
  const reader = await openReader(file, "", signal);
  const cells: Cells = new Map();
  for (const { index, name } of reader.opened.sheets) {
    const batches: Batch[] = [];
    const options = { source: { sheet: index }, maxRows: Infinity, signal };
    const { strings } = await reader.read(options, (batch) => batches.push(batch));
    for (const batch of batches) {
      for (let at = 0; at < batch.rows * batch.width; at += 1) {
        const said = batch.kinds[at] ?? 0;
        if (said === CELL.empty) continue;
        const value = batch.values[at] ?? 0;
        const isShown = said === CELL.shownNumber || said === CELL.shownDate;
        const isWide = (said & WIDE) !== 0 || isShown;
        const wide = isWide ? (batch.numbers[value] ?? Number.NaN) : value;
        const text = (): string =>
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(textBytes(batch, value));
        const kind = said & (WIDE - 1);
        const place = `${name}!${columnName(at % batch.width)}${batch.rowNumbers[Math.floor(at / batch.width)]}`;
        if (kind === CELL.shared) cells.set(place, `text:${strings.text(value)}`);
        else if (kind === CELL.text) cells.set(place, `text:${text()}`);
        else if (kind === CELL.error) cells.set(place, `error:${text()}`);
        else if (kind === CELL.bool) cells.set(place, `bool:${value}`);
        else {
          const isDate = kind === CELL.date || kind === CELL.shownDate;
          cells.set(place, number(isDate ? "date" : "number", wide));
        }
      }
    }
  }
  return cells;
}

export function libraryCells(bytes: Uint8Array): Cells {
  const book = XLSX.read(bytes, { type: "array", cellNF: true, dense: false });
  const cells: Cells = new Map();
  for (const name of book.SheetNames) {
    for (const [ref, value] of Object.entries(book.Sheets[name] ?? {})) {
      if (ref.startsWith("!")) continue;
      const cell = value as XLSX.CellObject;
      const place = `${name}!${ref}`;
      if (cell.t === "n") {
        const date = typeof cell.z === "string" && XLSX.SSF.is_date(cell.z);
        cells.set(place, number(date ? "date" : "number", Number(cell.v)));
      } else if (cell.t === "s") cells.set(place, `text:${String(cell.v)}`);
      else if (cell.t === "b") cells.set(place, `bool:${cell.v === true ? 1 : 0}`);
      else if (cell.t === "e") cells.set(place, `error:${cell.w ?? ""}`);
      else if (cell.t !== "z") cells.set(place, `${cell.t}:${String(cell.v)}`);
    }
  }
  return cells;
}

/** Lines `cell | ours | theirs` for the cells that differ, sorted by cell. */
export function differences(ours: Cells, theirs: Cells): string[] {
  const places = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  return places
    .filter((place) => ours.get(place) !== theirs.get(place))
    .map((place) => `${place} | ${ours.get(place) ?? "-"} | ${theirs.get(place) ?? "-"}`);
}
