/** For tests of the times of long lists: both databases, reads by their place in the list, and what they took. */
import { percentile } from "../perf/report.ts";
import { emptyDatabase } from "./empty-database.ts";

const PLACES = ["first page", "next pages", "last page", "dragged to"] as const;

/** One page of a list, as a person who scrolls waits for it. */
export interface ListRead {
  readonly place: (typeof PLACES)[number];
  /** Order and filter of the list. */
  readonly list: string;
  readonly ms: number;
}

/** Prints what the reads took, by place, and the slowest ones. */
export function printReads(title: string, reads: readonly ListRead[]): void {
  const summary = (some: readonly ListRead[]): string => {
    const ms = some.map((one) => one.ms);
    const [p50, p95] = [percentile(ms, 50), percentile(ms, 95)].map((value) => value.toFixed(1));
    return `${some.length} reads: p50 ${p50} ms, p95 ${p95} ms, at most ${Math.max(...ms).toFixed(1)} ms`;
  };
  console.log(`${title}: ${summary(reads)}`);
  for (const place of PLACES) {
    console.log(`  ${place}: ${summary(reads.filter((one) => one.place === place))}`);
  }
  for (const { list, place, ms } of reads.toSorted((a, b) => b.ms - a.ms).slice(0, 5)) {
    console.log(`  slowest: ${ms.toFixed(1)} ms, ${place} of ${decodeURIComponent(list)}`);
  }
}

/** @param ends gets what drops a database that was made */
export const bothDatabases = (ends: (() => Promise<void>)[]) => [
  { name: "the embedded database", open: () => Promise.resolve("") },
  {
    name: "PostgreSQL",
    async open() {
      const database = await emptyDatabase();
      ends.push(() => database.drop());
      return database.url;
    },
  },
];
