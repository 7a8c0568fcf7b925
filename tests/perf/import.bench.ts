/**
 * Compares the import's readers with other libraries and with the physical limit, in the same run and the same kind of worker.
 * Parts that need more than a file (from the file to rows in the database) are listed in `PARTS` too.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HEADERS, type FileShape, writeTable } from "./import/generate.ts";
import type { ReaderName } from "./import/protocol.ts";
import { createStage, type Stage, type StageResult } from "./import/stage.ts";
import { benchWhole } from "./import/whole.ts";
import { type Figure, percentile, round } from "./report.ts";

export interface ImportBenchOptions {
  /** Numbers of rows, comma-separated; default "10000,100000,500000,1000000". */
  readonly rows?: string | undefined;
  /** Shapes of the files, comma-separated: shared, inline, csv; default all. */
  readonly shapes?: string | undefined;
  /** Only "readers" or only "whole"; default both. */
  readonly part?: string | undefined;
}

const ROWS = [10_000, 100_000, 500_000, 1_000_000];
const SHAPES: readonly FileShape[] = ["shared", "inline", "csv"];

interface Reader {
  readonly name: ReaderName;
  readonly own: boolean;
}
const own = (name: ReaderName): Reader => ({ name, own: true });
const peer = (name: ReaderName): Reader => ({ name, own: false });

const XLSX: readonly Reader[] = [
  own("native inflate alone"),
  own("this reader, first 100 rows"),
  own("this reader, lazy"),
  own("this reader, rows"),
  peer("excel2json-wasm"),
  peer("hucre"),
  peer("hucre, streaming"),
  peer("@e965/xlsx"),
  peer("read-excel-file"),
];
const CSV: readonly Reader[] = [
  own("native decode alone"),
  own("this reader, first 100 rows"),
  own("this reader, lazy"),
  own("this reader, rows"),
  peer("papaparse"),
  peer("uDSV"),
];

/**
 * Most ms that another library is expected to take before it is left out. hucre always runs, because memory is compared with it.
 */
const PATIENCE = 60_000;
const TIMEOUT = 240_000;
const RUNS = 3;
/** Readers faster than this (ms) run more often, because chance has a larger part in a short run. */
const QUICK = 1000;
const QUICK_RUNS = 5;

type Bound = Pick<Figure, "limit" | "least">;
const FASTEST_ROWS = "rows, faster than the fastest library";
const FASTEST_LAZY = "lazy, faster than the fastest library";
const OVER_DECODE = "lazy, over native decode";
/** Bounds of the ratios of each shape at TARGET_ROWS. The benchmark fails when one is missed. */
const TARGETS: Readonly<Partial<Record<FileShape, Readonly<Record<string, Bound>>>>> = {
  csv: { [FASTEST_ROWS]: { least: 1 }, [OVER_DECODE]: { limit: 2 } },
  inline: { [FASTEST_ROWS]: { least: 4.5 }, [FASTEST_LAZY]: { least: 7 } },
};
const TARGET_ROWS = 100_000;

const totalOf = (run: StageResult): number => run.measured.total;
const median = (values: readonly number[]): number => percentile(values, 50);

async function benchReaders(options: ImportBenchOptions): Promise<Figure[]> {
  const wanted = options.rows?.split(",").map(Number) ?? ROWS;
  const shapes = SHAPES.filter((shape) => options.shapes?.split(",").includes(shape) ?? true);
  const dir = mkdtempSync(join(tmpdir(), "import-files-"));
  const stage = await createStage();
  const figures: Figure[] = [];
  /** ms per row in each reader's last measurement, to predict which would take too long. */
  const pace = new Map<string, number>();
  try {
    for (const rows of wanted) {
      for (const shape of shapes) {
        const file = join(dir, `${rows}.${shape === "csv" ? "csv" : "xlsx"}`);
        await writeTable(file, rows, shape);
        figures.push(...(await benchFile(stage, file, rows, shape, pace)));
        rmSync(file);
      }
    }
  } finally {
    await stage.close();
    rmSync(dir, { recursive: true, force: true });
  }
  return figures;
}

async function benchFile(
  stage: Stage,
  file: string,
  rows: number,
  shape: FileShape,
  pace: Map<string, number>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const results = new Map<ReaderName, StageResult[]>();
  const label = `${rows.toLocaleString("en")} x ${HEADERS.length} ${shape}`;
  for (const { name, own } of shape === "csv" ? CSV : XLSX) {
    const key = `${shape} ${name}`;
    const expected = (pace.get(key) ?? 0) * rows;
    const waitedFor = own || (name === "hucre" && rows <= 500_000);
    if (!waitedFor && (expected > PATIENCE || rows > 500_000)) {
      const why =
        rows > 500_000 ? "peers end at 500,000 rows" : `about ${round(expected / 1000)} s`;
      console.log(`  ${label}: ${name} left out, ${why}`);
      continue;
    }
    const runs: StageResult[] = [];
    try {
      // Single runs differ by a third. For the largest files one run has to do.
      const times = rows <= 100_000 || (own && rows <= 500_000) ? RUNS : 1;
      const isQuick = (): boolean => times > 1 && median(runs.map(totalOf)) < QUICK;
      while (runs.length < times || (isQuick() && runs.length < QUICK_RUNS)) {
        runs.push(await stage.measure(name, file, TIMEOUT));
      }
      for (const run of runs) check(name, rows, run);
    } catch (error) {
      if (own) throw error;
      // A library that fails or drops rows is reported, but not compared.
      console.log(`  ${label}: ${name} failed: ${error instanceof Error ? error.message : ""}`);
      pace.set(key, Infinity);
      continue;
    }
    results.set(name, runs);
    const total = median(runs.map((run) => run.measured.total));
    pace.set(key, total / rows);
    const push = (metric: string, unit: string, valueOf: (run: StageResult) => number): void => {
      const value = round(median(runs.map(valueOf)), 0);
      figures.push({
        bench: "import",
        case: `${label}: ${name}`,
        metric,
        unit,
        value,
        runs: runs.length,
      });
    };
    const preview = name === "this reader, first 100 rows";
    if (!preview) push("time", "ms", (run) => run.measured.total);
    if (preview || !own) push("first 100 rows", "ms", (run) => run.measured.first);
    push("peak memory", "MiB", (run) => run.memory);
    push("longest main task", "ms", (run) => run.longestTask);
    push("longest frame gap", "ms", (run) => run.longestGap);
    console.log(`  ${label}: ${name} ${round(total, 0)} ms`);
  }
  const targets = rows === TARGET_ROWS ? TARGETS[shape] : undefined;
  figures.push(...ratios(label, results, targets));
  return figures;
}

/** A reader that stops early is not fast. */
function check(name: ReaderName, rows: number, { measured }: StageResult): void {
  if (name.startsWith("native")) return;
  const wanted = name === "this reader, first 100 rows" ? 100 : rows + 1;
  const last = `E${String(wanted - 1).padStart(8, "0")}`;
  if (measured.rows !== wanted || measured.last !== last) {
    throw new Error(`${name} read ${measured.rows} rows up to ${measured.last}`);
  }
}

/** The ratios that the targets refer to, as separate figures. */
function ratios(
  label: string,
  results: ReadonlyMap<ReaderName, readonly StageResult[]>,
  targets: Readonly<Record<string, Bound>> = {},
): Figure[] {
  const medianOf = (name: ReaderName, value: (run: StageResult) => number): number =>
    median((results.get(name) ?? []).map(value));
  const time = (name: ReaderName): number => medianOf(name, (run) => run.measured.total);
  const libraries = [...results.keys()].filter((name) => !/^(?:native|this)/.test(name));
  const fastest = Math.min(...libraries.map(time));
  const figures: Figure[] = [];
  const push = (metric: string, value: number): void => {
    if (!Number.isFinite(value)) return;
    figures.push({
      bench: "import",
      case: `${label}: ratios`,
      metric,
      unit: "x",
      value: round(value, 2),
      runs: 1,
      ...targets[metric],
    });
  };
  push(FASTEST_ROWS, fastest / time("this reader, rows"));
  push("rows, faster than @e965/xlsx", time("@e965/xlsx") / time("this reader, rows"));
  push(FASTEST_LAZY, fastest / time("this reader, lazy"));
  push("lazy, faster than @e965/xlsx", time("@e965/xlsx") / time("this reader, lazy"));
  push("lazy, over native inflate", time("this reader, lazy") / time("native inflate alone"));
  push(OVER_DECODE, time("this reader, lazy") / time("native decode alone"));
  const memory = (name: ReaderName): number => medianOf(name, (run) => run.memory);
  push("hucre's memory over lazy's", memory("hucre") / memory("this reader, lazy"));
  return figures;
}

/** Each part has its own figures; all are measured by the same command. */
const PARTS: Readonly<Record<string, (options: ImportBenchOptions) => Promise<Figure[]>>> = {
  readers: benchReaders,
  whole: benchWhole,
};

export async function benchImport(options: ImportBenchOptions = {}): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (options.part === undefined || options.part === name) figures.push(...(await part(options)));
  }
  return figures;
}
