/** The output of a benchmark: a table for people, an array of figures for programs. */

export interface Figure {
  readonly bench: string;
  readonly case: string;
  readonly metric: string;
  readonly unit: string;
  readonly value: number;
  /** Number of runs or samples behind the value. */
  readonly runs: number;
  /** The largest value allowed; a run with more has failed. */
  readonly limit?: number;
  /** The smallest value allowed. */
  readonly least?: number;
}

/** One sentence per figure that is out of its bounds. */
export const missed = (figures: readonly Figure[]): string[] =>
  figures.flatMap(({ case: name, metric, unit, value, limit, least }) => {
    const isMissed =
      (limit !== undefined && !(value <= limit)) || (least !== undefined && !(value >= least));
    const bound = limit === undefined ? `the least is ${least}` : `the limit is ${limit}`;
    return isMissed ? [`${name}: ${metric} is ${value} ${unit}, ${bound}`] : [];
  });

/** @param p percentile, 0..100. @returns NaN when `values` is empty */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil((p / 100) * sorted.length) - 1));
  return sorted[index] ?? Number.NaN;
}

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** One row per case, one column per metric. */
export function table(figures: readonly Figure[]): string {
  const metrics = [...new Set(figures.map((f) => `${f.metric} (${f.unit})`))];
  const cases = [...new Set(figures.map((f) => f.case))];
  const rows = [
    ["case", ...metrics],
    ...cases.map((name) => [
      name,
      ...metrics.map((metric) => {
        const figure = figures.find((f) => f.case === name && `${f.metric} (${f.unit})` === metric);
        return figure === undefined ? "–" : String(figure.value);
      }),
    ]),
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((r) => (r[i] ?? "").length))) ?? [];
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [
    line(head),
    `|${widths.map((w) => "-".repeat(w + 2)).join("|")}|`,
    ...body.map(line),
  ].join("\n");
}
