/**
 * The API of the import worker, with reader, staging and clock injected. It holds one file, its table and its findings. Only one
 * piece of work runs at a time: `cancel` or a new piece of work aborts the one before.
 */
import type { CellValue, SheetColumn } from "../../shared/xlsx/workbook.ts";
import { AppError } from "../../shared/errors.ts";
import { z } from "../../shared/zod.ts";
import { allFields } from "../../shared/domain/import-fields.ts";
import {
  type AskTaken,
  type Checked,
  checkRequestSchema,
  type Correction,
  correctionSchema,
  type ImportApi,
  type OnProgress,
  type ReadProgress,
  sourceSchema,
  stageRequestSchema,
  totalDecisionSchema,
  windowRequestSchema,
} from "../../shared/protocol/import-worker.ts";
import type { ImportContext } from "../../shared/protocol/rest/imports.ts";
import { type CheckedTable, checkTable } from "./check/checked.ts";
import type { Batch, OpenReader } from "./contracts.ts";
import { suggestMapping } from "./map/suggest.ts";
import { hex, type Staging, stageRows } from "./stage.ts";
import { createTable } from "./table.ts";
import type { ReadTable, Reader } from "./contracts.ts";
import { workbookFile } from "../workbook-file.ts";

export interface ImportDeps {
  readonly openReader: OpenReader;
  readonly staging: Staging;
  /** Current time in ms. */
  readonly now: () => number;
  /** Yields to the event loop so that pending messages are handled. */
  readonly pause: () => Promise<void>;
}

const PREVIEW_ROWS = 100;
/** Rows read for the preview: more than are shown, because titles can stand above the header. */
const PREVIEW_READ = PREVIEW_ROWS + 30;
/** Bytes hashed per step. */
const HASH_PIECE = 4 * 1024 * 1024;
/** TURN: ms of work before yielding to the event loop. TELL: ms between two progress reports. */
const TURN = 16;
const TELL = 100;
const REPORT_ROWS = 200_000;

/** What tells two readings of a file apart. A setting that was not changed is left out, so that the same import stays the same job. */
function settingsOf({ headerEnd, fill, ...source }: ReturnType<typeof sourceSchema.parse>) {
  const isLonger = headerEnd !== null && headerEnd !== source.headerRow;
  return { ...source, ...(isLonger && { headerEnd }), ...(fill && { fill }) };
}

export function createImportApi(deps: ImportDeps): ImportApi<Blob> {
  const { now, pause } = deps;
  let file: Blob | null = null;
  let reader: Reader | null = null;
  let table: ReadTable | null = null;
  let fileHash = "";
  let checked: CheckedTable | null = null;
  let work = new AbortController();

  const fresh = (): AbortSignal => {
    work.abort();
    work = new AbortController();
    return work.signal;
  };
  const breather = (signal: AbortSignal): (() => Promise<void>) => {
    let last = now();
    return async () => {
      if (now() - last >= TURN) {
        await pause();
        last = now();
      }
      if (signal.aborted) throw new AppError("import.cancelled");
    };
  };
  const teller = (onProgress: OnProgress): OnProgress => {
    let last = Number.NEGATIVE_INFINITY;
    return (progress: ReadProgress) => {
      if (now() - last < TELL && progress.part !== 1) return;
      last = now();
      onProgress(progress);
    };
  };
  const opened = (): Reader => {
    if (reader === null) throw new AppError("import.empty");
    return reader;
  };
  const loaded = (): ReadTable => {
    if (table === null) throw new AppError("import.empty");
    return table;
  };
  const known = (): CheckedTable => {
    if (checked === null) throw new AppError("import.empty");
    return checked;
  };

  async function hashOf(blob: Blob, breathe: () => Promise<void>): Promise<string> {
    const sums: ArrayBuffer[] = [];
    for (let at = 0; at < blob.size; at += HASH_PIECE) {
      await breathe();
      const piece = await blob.slice(at, at + HASH_PIECE).arrayBuffer();
      sums.push(await crypto.subtle.digest("SHA-256", piece));
    }
    return hex(await crypto.subtle.digest("SHA-256", await new Blob(sums).arrayBuffer()));
  }
  const changed = async (change: () => Promise<unknown>): Promise<Checked> => {
    await change();
    return known().tally();
  };

  const correctOne = async (correction: Correction): Promise<Checked & { changed: number }> => {
    const [cells = 0] = await known().correct([correction]);
    return { ...known().tally(), changed: cells };
  };

  return {
    async open(blob, name) {
      const signal = fresh();
      table = null;
      checked = null;
      file = blob;
      reader = await deps.openReader(blob, name, signal);
      return reader.opened;
    },
    async preview(given) {
      const signal = fresh();
      const source = sourceSchema.parse(given);
      const batches: Batch[] = [];
      const skip = source.headerEnd ?? source.headerRow ?? 0;
      const outcome = await opened().read(
        { source, maxRows: PREVIEW_READ + skip, signal },
        (batch) => void batches.push(batch),
      );
      const found = createTable(batches, outcome, source);
      const count = Math.min(PREVIEW_ROWS, found.rows);
      return {
        headerRow: found.headerRow,
        headerEnd: found.headerEnd,
        headers: [...found.headers],
        from: count === 0 ? found.headerEnd + 1 : found.rowNumber(0),
        rows: Array.from({ length: count }, (_, i) =>
          found.headers.map((_header, column) => found.text(i, column)),
        ),
        complete: outcome.rows < PREVIEW_READ + skip,
      };
    },
    async load(given, onProgress) {
      const signal = fresh();
      const reportProgress = teller(onProgress);
      const source = sourceSchema.parse(given);
      const began = now();
      const batches: Batch[] = [];
      checked = null;
      const outcome = await opened().read(
        { source, maxRows: Number.POSITIVE_INFINITY, signal, onProgress: reportProgress },
        (batch) => void batches.push(batch),
      );
      const made = createTable(batches, outcome, source);
      const read = now() - began;
      if (file === null) throw new AppError("import.empty");
      fileHash = await hashOf(file, breather(signal));
      // Other settings of the same file give other rows, so they are part of the hash.
      fileHash = hex(
        await crypto.subtle.digest(
          "SHA-256",
          new TextEncoder().encode(JSON.stringify([fileHash, settingsOf(source), made.headerRow])),
        ),
      );
      table = made;
      return {
        rows: made.rows,
        headers: [...made.headers],
        headerRow: made.headerRow,
        headerEnd: made.headerEnd,
        isFillable: made.isFillable,
        fileHash,
        warnings: [...outcome.warnings, ...made.warnings],
        took: { read, hash: now() - began - read },
      };
    },
    suggest: async (context, remembered) => suggestMapping(loaded(), context, remembered),
    async check(given, askTaken: AskTaken, onProgress) {
      const signal = fresh();
      const reportProgress = teller(onProgress);
      const request = checkRequestSchema.parse(given);
      const source = loaded();
      checked = await checkTable(source, request, askTaken, {
        breathe: breather(signal),
        now,
        onProgress: (part) =>
          reportProgress({ phase: "check", rows: Math.round(part * source.rows), part }),
      });
      return checked.tally();
    },
    async window(given) {
      const { view, from, count } = windowRequestSchema.parse(given);
      return known().window(view, from, count);
    },
    values: async (column, limit) => known().values(column, limit),
    edit: (row, column, value) => correctOne({ kind: "edit", row, column, value }),
    replace: (column, from, to) => correctOne({ kind: "replace", column, from, to }),
    async correct(corrections) {
      const cells = await known().correct(z.array(correctionSchema).parse(corrections));
      return { ...known().tally(), made: cells.map((count) => count > 0) };
    },
    undo: () => changed(async () => known().undo()),
    decideTotal: (decision) =>
      changed(async () => known().decideTotal(totalDecisionSchema.parse(decision))),
    async stage(given, onProgress) {
      const signal = fresh();
      const reportProgress = teller(onProgress);
      const request = stageRequestSchema.parse(given);
      const began = now();
      const job = await stageRows(loaded(), known(), { ...request, fileHash }, deps.staging, {
        breathe: breather(signal),
        now,
        onProgress: (rows, part) => reportProgress({ phase: "stage", rows, part }),
      });
      return { key: job.key, rows: job.rows, chunks: job.chunks, took: now() - began };
    },
    async report(onProgress) {
      const source = loaded();
      const found = known();
      const reportProgress = teller(onProgress);
      const total = Math.min(REPORT_ROWS, found.tally().bad);
      const columns: SheetColumn[] = [
        { title: "行号", width: 8 },
        { title: "问题", width: 48 },
        ...source.headers.map((header, i) => ({ title: header === "" ? `第${i + 1}列` : header })),
      ];
      const label = new Map(found.columns.map((one) => [one.column, one.field.label]));
      function* rows(): Generator<CellValue[]> {
        for (let at = 0; at < total; at += PREVIEW_ROWS) {
          const size = Math.min(PREVIEW_ROWS, total - at);
          for (const { row, cells, issues } of found.window("bad", at, size).rows) {
            const wrong = new Set(
              issues.flatMap(({ column, warning }) => (warning === true ? [] : [column])),
            );
            const why = issues.map(({ column, message }) => `${label.get(column)}：${message}`);
            yield [
              String(row),
              why.join("；"),
              ...cells.map((text, column) => (wrong.has(column) ? { wrong: text } : text)),
            ];
          }
          reportProgress({ phase: "report", rows: at, part: at / total });
        }
      }
      return workbookFile({ name: "错误报告", columns, rows: rows(), form: true });
    },
    template: (context) =>
      workbookFile({ name: "员工", columns: templateColumns(context), rows: [], form: true }),
    async cancel() {
      work.abort();
    },
  };
}

/** One column per field, with a drop-down where the field has fixed choices. */
function templateColumns(context: ImportContext): SheetColumn[] {
  const leaves = context.departments.map(({ name }) => name);
  return allFields(context).map(({ key, label, rule, required }): SheetColumn => {
    const title = required === true ? `${label}*` : label;
    const width = key === "idNumber" ? 22 : 16;
    if (rule.type === "department" && leaves.length > 0) return { title, width, choices: leaves };
    if (rule.type !== "dict") return { title, width };
    const entries = (context.dictionaries[rule.dict] ?? []).filter(
      ({ value }) => rule.without?.includes(value) !== true,
    );
    return { title, width, choices: entries.map((one) => one.label) };
  });
}
