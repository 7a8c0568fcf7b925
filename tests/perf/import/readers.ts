/**
 * Each reader used as its manual describes, with the File as input and rows of values as output. Libraries are loaded before the
 * clock starts.
 */
import { AppError } from "../../../src/shared/errors.ts";
import type { Ahead, Batch } from "../../../src/workers/import/contracts.ts";
import {
  allTexts,
  openReader,
  rowsFrom,
  rowsOf,
  type RowValue,
} from "../../../src/workers/import/read/index.ts";
import { createAheadThread } from "../../../src/workers/import/read/ahead-thread.ts";
import { openZip } from "../../../src/workers/import/read/zip.ts";
import type { Measured, ReaderName } from "./protocol.ts";

/** Started before the clock, like the libraries: in the import worker the thread already runs when the preview has been read. */
const startThread = (): Ahead =>
  createAheadThread(
    () =>
      new Worker(new URL("../../../src/workers/import/ahead-entry.ts", import.meta.url), {
        type: "module",
      }),
  );

type Run = (file: File) => Promise<Measured>;
/** The column whose last value is checked: the employee number. */
const LOOK = 0;

interface Clock {
  readonly first: () => void;
  readonly done: (rows: number, last: unknown) => Measured;
}

function clock(): Clock {
  const began = performance.now();
  let first: number | null = null;
  return {
    first: () => {
      first ??= performance.now() - began;
    },
    done: (rows, last) => {
      const total = performance.now() - began;
      return { rows, last: String(last), total, first: first ?? total };
    },
  };
}

const { signal } = new AbortController();

/** The first rows that a person sees. The rest is read in a second pass, as `ours` does from the start. */
async function preview(file: File, ahead: Ahead): Promise<Measured> {
  const time = clock();
  const reader = await openReader(file, file.name, signal, ahead);
  const head: Batch[] = [];
  const { strings, width, date1904 } = await reader.read(
    { source: {}, maxRows: 100, signal },
    (b) => head.push(b),
  );
  const texts = Array.from({ length: strings.count }, (_, k) => strings.text(k));
  const rows = head.flatMap((batch) => rowsOf(batch, texts, width, date1904));
  return time.done(rows.length, rows.at(-1)?.[LOOK]);
}

async function ours(file: File, asRows: boolean, ahead: Ahead): Promise<Measured> {
  const time = clock();
  const reader = await openReader(file, file.name, signal, ahead);
  const batches: Batch[] = [];
  if (asRows) {
    const rows: RowValue[][] = [];
    await rowsFrom(reader, { source: {}, signal }, (some) => {
      for (const row of some) rows.push(row);
    });
    return time.done(rows.length, rows.at(-1)?.[LOOK]);
  }
  const outcome = await reader.read({ source: {}, maxRows: Infinity, signal }, (batch) =>
    batches.push(batch),
  );
  const measured = time.done(outcome.rows, "");
  const batch = batches.at(-1);
  if (batch === undefined) return measured;
  // This is possible because strings and batches are kept.
  const last = rowsOf(batch, allTexts(outcome.strings), 1, false).at(-1)?.[LOOK];
  return { ...measured, last: String(last) };
}

/** Inflates only the parts that every reader must inflate. */
async function inflateAlone(file: File): Promise<Measured> {
  const time = clock();
  const zip = await openZip(file, signal);
  let bytes = 0;
  for (const name of ["xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"]) {
    const entry = zip.get(name);
    if (entry === undefined) continue;
    // These files have no extra fields.
    const from = entry.offset + 30 + name.length;
    const stream = file.slice(from, from + entry.packed).stream();
    const reader = stream.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      bytes += chunk.value.length;
    }
  }
  if (bytes === 0) throw new AppError("import.corrupt");
  return time.done(0, bytes);
}

async function decode(file: File): Promise<Measured> {
  const time = clock();
  const text = await file.text();
  return time.done(0, text.length);
}

const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.arrayBuffer());

const LIBRARIES: Record<
  Exclude<ReaderName, `native${string}` | `this${string}`>,
  () => Promise<Run>
> = {
  "excel2json-wasm": async () => {
    const { convertArray } = await import("excel2json-wasm");
    return async (file) => {
      const time = clock();
      const { data } = await convertArray(await bytesOf(file), { styles: false });
      const cells = data[0]?.cells ?? [];
      const last = cells.at(-1)?.[LOOK];
      const value = typeof last === "object" && last !== null && "v" in last ? last.v : last;
      return time.done(cells.length, value);
    };
  },
  hucre: async () => {
    const { readXlsx } = await import("hucre/xlsx");
    return async (file) => {
      const time = clock();
      const rows = (await readXlsx(await bytesOf(file))).sheets[0]?.rows ?? [];
      return time.done(rows.length, rows.at(-1)?.[LOOK]);
    };
  },
  "hucre, streaming": async () => {
    const { streamXlsxRows } = await import("hucre/xlsx");
    return async (file) => {
      const time = clock();
      const rows: unknown[][] = [];
      for await (const row of streamXlsxRows(await bytesOf(file))) {
        rows.push(row.values);
        if (rows.length === 100) time.first();
      }
      return time.done(rows.length, rows.at(-1)?.[LOOK]);
    };
  },
  "@e965/xlsx": async () => {
    const { read, utils } = await import("@e965/xlsx");
    return async (file) => {
      const time = clock();
      const book = read(await bytesOf(file), { type: "array", dense: true });
      const sheet = book.Sheets[book.SheetNames[0] ?? ""];
      if (sheet === undefined) throw new Error("no sheet");
      const rows = utils.sheet_to_json<unknown[]>(sheet, { header: 1 });
      return time.done(rows.length, rows.at(-1)?.[LOOK]);
    };
  },
  "read-excel-file": async () => {
    const { readSheet } = await import("read-excel-file/web-worker");
    return async (file) => {
      const time = clock();
      const rows = await readSheet(file);
      return time.done(rows.length, rows.at(-1)?.[LOOK]);
    };
  },
  papaparse: async () => {
    const { default: papa } = await import("papaparse");
    return (file) =>
      new Promise((resolve, reject) => {
        const time = clock();
        const rows: string[][] = [];
        papa.parse<string[]>(file, {
          skipEmptyLines: true,
          chunk: ({ data }) => {
            for (const row of data) rows.push(row);
            if (rows.length >= 100) time.first();
          },
          complete: () => resolve(time.done(rows.length, rows.at(-1)?.[LOOK])),
          error: reject,
        });
      });
  },
  uDSV: async () => {
    const { inferSchema, initParser } = await import("udsv");
    return async (file) => {
      const time = clock();
      const text = await file.text();
      const rows: readonly string[][] = initParser(inferSchema(text)).stringArrs(text);
      // This library leaves the header out.
      return time.done(rows.length + 1, rows.at(-1)?.[LOOK]);
    };
  },
};

/** Loads the library. @returns a function that reads a file */
export async function runOf(reader: ReaderName): Promise<Run> {
  switch (reader) {
    case "this reader, lazy":
    case "this reader, rows":
    case "this reader, first 100 rows": {
      const ahead = startThread();
      if (reader === "this reader, first 100 rows") return (file) => preview(file, ahead);
      return (file) => ours(file, reader === "this reader, rows", ahead);
    }
    case "native inflate alone":
      return inflateAlone;
    case "native decode alone":
      return decode;
    default:
      return LIBRARIES[reader]();
  }
}
