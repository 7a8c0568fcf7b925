/** What the address of the fleet's pages says: time, zoom, whose cores, and which of them (docs/session.md#fleet). Pure. */
import type { TimeRange } from "../../components/charts/time-range.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Times that a person chooses, with how often their end moves on, ms. */
export const TIMES = {
  now: { span: 15 * MINUTE, every: 15_000 },
  hour: { span: HOUR, every: 15_000 },
  day: { span: DAY, every: MINUTE },
  month: { span: 30 * DAY, every: 10 * MINUTE },
} as const;
export type TimeName = keyof typeof TIMES;
export const TIME_NAMES = Object.keys(TIMES) as TimeName[];
/** How far back a person may pan, ms. */
const REACH = 400 * DAY;

export type Scope = "company" | "all";

export interface FleetView {
  readonly time: TimeName;
  /** What a person has zoomed or panned to; null: the time that ends now. */
  readonly zoom: TimeRange | null;
  readonly scope: Scope;
}

/** Filters of the list of cores that a link sets. */
export const CORE_FILTERS = ["company", "build", "browser", "error", "socket", "having"] as const;
export type CoreFilter = (typeof CORE_FILTERS)[number];

const timeOf = (text: string | null): number | null => {
  const time = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(time) && time > 0 ? time : null;
};

export function readView(search: string): FleetView {
  const params = new URLSearchParams(search);
  const name = params.get("time") ?? "";
  const [from, to] = [timeOf(params.get("from")), timeOf(params.get("to"))];
  return {
    time: Object.hasOwn(TIMES, name) ? (name as TimeName) : "now",
    zoom: from !== null && to !== null && from < to ? { from, to } : null,
    scope: params.get("scope") === "all" ? "all" : "company",
  };
}

/** @returns the query of an address that shows it; what is usual is left out */
export function viewAddress({ time, zoom, scope }: FleetView): string {
  const params = new URLSearchParams();
  if (time !== "now") params.set("time", time);
  if (zoom !== null) {
    params.set("from", String(zoom.from));
    params.set("to", String(zoom.to));
  }
  if (scope === "all") params.set("scope", "all");
  return params.size === 0 ? "" : `?${params.toString()}`;
}

/** The address of the cores behind a number. */
export function coresAddress(
  scope: Scope,
  filters: Readonly<Partial<Record<CoreFilter, string>>> = {},
): string {
  const params = new URLSearchParams(scope === "all" ? { scope } : {});
  for (const [name, value] of Object.entries(filters)) params.set(name, value);
  return `/monitor/cores${params.size === 0 ? "" : `?${params.toString()}`}`;
}

/** The filters that an address sets. */
export function readFilters(search: string): Partial<Record<CoreFilter, string>> {
  const params = new URLSearchParams(search);
  return Object.fromEntries(
    CORE_FILTERS.flatMap((name) => {
      const value = params.get(name) ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
}

/** @param now ms since the epoch, by the server's clock */
export function windowOf(
  time: TimeName,
  now: number,
): { readonly full: TimeRange; readonly bounds: TimeRange } {
  const { span, every } = TIMES[time];
  const to = Math.ceil(now / every) * every;
  return { full: { from: to - span, to }, bounds: { from: to - REACH, to } };
}
