/** A figure of the fleet by its parts: losses by socket, errors by code, commands by name (docs/server.md#reports-of-cores). Pure. */
import type { z } from "zod";
import { ROUTE_FIGURES } from "../../../shared/domain/server-figures.ts";
import type { FLEET_PARTS, fleetPartsCall } from "../../../shared/protocol/rest/fleet.ts";
import type { Step } from "./rollup.ts";
import { PLACES, seriesOf } from "./series.ts";
import type { FiguresRow, MetricRow } from "./store.ts";

type Parts = z.input<typeof fleetPartsCall.data>;
export type PartsOf = (typeof FLEET_PARTS)[number];

/** Parts of which the points are answered. */
const DRAWN = 7;

interface Place {
  readonly kind: Parts["kind"];
  /** With what the names of its metrics begin. */
  readonly begin: string;
  /** The part and the detail that a metric counts; null: none. */
  readonly read: (metric: string) => readonly [part: string, detail: string | null] | null;
}

const ofSocket = (what: "lost" | "opened"): Place => ({
  kind: "counter",
  begin: "socket.",
  read(metric) {
    const [, socket = "", happened, why = null] = metric.split(".");
    return happened === what ? [socket, why] : null;
  },
});

export const PART_PLACES: Readonly<Record<PartsOf, Place>> = {
  lost: ofSocket("lost"),
  opened: ofSocket("opened"),
  errors: {
    kind: "counter",
    begin: "errors.",
    read(metric) {
      const name = metric.slice("errors.".length);
      const at = name.indexOf("@");
      return at === -1 ? [name, null] : [name.slice(0, at), name.slice(at + 1)];
    },
  },
  commands: {
    kind: "latency",
    begin: "command.",
    read: (metric) => [metric.slice("command.".length), null],
  },
  routes: {
    kind: "latency",
    begin: ROUTE_FIGURES.begin,
    read: (metric) => [metric.slice(ROUTE_FIGURES.begin.length), null],
  },
};

/** Errors are counted by code and once more by code and build, so a detail there counts nothing of its own. */
const countsDetails = (of: PartsOf): boolean => of !== "errors";

interface PartRow extends MetricRow {
  readonly name: string;
}

/** @param drawn of how many parts the points are answered; durations by step cost the most */
export function partsOf(
  of: PartsOf,
  rows: readonly FiguresRow[],
  seconds: Step,
  now: number,
  drawn = DRAWN,
): Parts {
  const { kind, begin, read } = PART_PLACES[of];
  const counted = new Map<string, PartRow[]>();
  const details = new Map<string, Map<string, number>>();
  for (const { time, companyId, [PLACES[kind]]: figures } of rows) {
    for (const [name, value] of Object.entries(figures)) {
      const found = name.startsWith(begin) ? read(name) : null;
      if (found === null) continue;
      const [part, detail] = found;
      if (detail !== null) {
        const all = details.get(part) ?? new Map<string, number>();
        details.set(part, all.set(detail, (all.get(detail) ?? 0) + Number(value)));
      }
      if (detail !== null && !countsDetails(of)) continue;
      const row = { time, companyId, name, value };
      const list = counted.get(part);
      if (list === undefined) counted.set(part, [row]);
      else list.push(row);
    }
  }
  const parts = [...counted].map(([name, list]) => {
    // As if all were of one time.
    const together = list.map((row) => ({ ...row, time: "" }));
    const { total } = seriesOf(kind, together, seconds, now);
    return {
      list,
      part: {
        name,
        value: total.value,
        p50: total.p50,
        p99: total.p99,
        details: [...(details.get(name) ?? [])]
          .map(([detail, value]) => ({ name: detail, value }))
          .toSorted((a, b) => b.value - a.value),
      },
    };
  });
  const weight = ({ part }: (typeof parts)[number]): number =>
    kind === "latency" ? (part.p99 ?? 0) : part.value;
  const ordered = parts.toSorted(
    (a, b) => weight(b) - weight(a) || (a.part.name < b.part.name ? -1 : 1),
  );
  return {
    kind,
    seconds,
    parts: ordered.map(({ list, part }, place) => ({
      ...part,
      points: place < drawn ? seriesOf(kind, list, seconds, now).points : [],
    })),
  };
}
