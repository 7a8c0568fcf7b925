/**
 * The pages of a list that are loaded. They lie outside of React: most pages arrive before their rows come into sight, and then nothing
 * needs to render. A component that shows rows subscribes to those alone (useArrivals).
 */
import { useSyncExternalStore } from "react";
import { idOf } from "./row-id.ts";
import type { RowRange } from "./rows-ahead.ts";

/** Says which rows came, changed or went. */
export interface Arrivals {
  /** @returns ends it */
  subscribe(listener: () => void): () => void;
  /** Another text whenever one of these rows may be another one. */
  of(rows: RowRange | "all"): string;
}

export interface RowPages<T> {
  readonly arrivals: Arrivals;
  row(index: number): T | undefined;
  /** The rows that are loaded now, in no order. */
  loaded(): Iterable<T>;
  /** @returns the index of a loaded row; null when it is not loaded */
  placeOf(id: string): number | null;
  put(page: number, records: readonly T[]): void;
  /** The next pages belong to another query, or have another size, and replace those of now once the first of them is there. */
  begin(size: number): void;
}

interface Kept<T> {
  readonly records: readonly T[];
  /** How many pages had arrived then. */
  readonly arrival: number;
}

/** @param most rows that are kept; the oldest pages are dropped first */
export function createRowPages<T>(most: number): RowPages<T> {
  const pages = new Map<number, Kept<T>>();
  const listeners = new Set<() => void>();
  /** Rows of each page, and those of the pages to come. */
  let size = 1;
  let next: number | null = null;
  let arrived = 0;
  return {
    arrivals: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      of(rows) {
        if (rows === "all") return String(arrived);
        const first = Math.floor(rows.from / size);
        const count = Math.max(0, Math.floor(rows.to / size) - first + 1);
        return Array.from({ length: count }, (_, n) => pages.get(first + n)?.arrival).join(" ");
      },
    },
    row: (index) => pages.get(Math.floor(index / size))?.records[index % size],
    loaded: () => [...pages.values()].flatMap(({ records }) => records),
    placeOf(id) {
      for (const [page, { records }] of pages) {
        const at = records.findIndex((row) => idOf(row) === id);
        if (at !== -1) return page * size + at;
      }
      return null;
    },
    put(page, records) {
      if (next !== null) {
        pages.clear();
        size = next;
        next = null;
      }
      arrived += 1;
      pages.delete(page);
      pages.set(page, { records, arrival: arrived });
      for (const old of pages.keys()) {
        if (pages.size * size <= most) break;
        pages.delete(old);
      }
      for (const listener of listeners) listener();
    },
    begin(of) {
      next = of;
    },
  };
}

/** Renders again when one of these rows came, changed or went. @param rows null: none */
export function useArrivals(arrivals: Arrivals, rows: RowRange | "all" | null): void {
  useSyncExternalStore(arrivals.subscribe, () => (rows === null ? "" : arrivals.of(rows)));
}
