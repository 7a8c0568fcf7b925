/** The map of the running system, from what processes say of themselves: their signs, and the figures of their steps (docs/server.md#map-of-the-system). */
import { emptyHistogram, addSparse, quantile } from "../../../shared/domain/latency-histogram.ts";
import { DATABASE_FIGURE } from "../../../shared/domain/server-figures.ts";
import type { SystemMap } from "../../../shared/protocol/rest/system-map.ts";
import type { FleetStep } from "../../base/cluster/fleet-step.ts";
import { NO_COMPANY } from "../fleet/server-figures.ts";
import { type KnownProcess, LEADS_MS } from "./life.ts";

/** ms without a sign: of the signs every 5 s one or two did not come; a process that leads no more. */
const [SILENT_MS, GONE_MS] = [11_000, LEADS_MS + 5_000];
/** ms for which the figures of a step are those of now. */
const FRESH_MS = 35_000;
const STEP_S = 10;

interface Figures {
  readonly at: number;
  readonly load: NonNullable<SystemMap["processes"][number]["load"]>;
  readonly streams: number | null;
  readonly databaseMs: number | null;
}

export interface ProcessFigures {
  add(step: FleetStep): void;
  /** @returns the last figures of the process, null when there are none of now */
  latest(name: string, now: number): Figures | null;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

export function createProcessFigures(now: () => number): ProcessFigures {
  const figures = new Map<string, Figures>();
  return {
    add({ name, rows }) {
      const own = rows.find(({ companyId }) => companyId === NO_COMPANY)?.figures;
      if (name === "" || own === undefined) return;
      const level = (metric: string): number | null => own.l[metric]?.[0] ?? null;
      const counted = (metric: string): number => own.c[metric] ?? 0;
      const pings = emptyHistogram();
      addSparse(pings, own.h[DATABASE_FIGURE] ?? []);
      const [received, forwarded] = [level("server.streams-in"), level("server.streams-out")];
      for (const [other, { at }] of figures) if (now() - at > FRESH_MS) figures.delete(other);
      figures.set(name, {
        at: now(),
        load: {
          cpu: rounded((100 * counted("server.cpu")) / STEP_S),
          memory: Math.round(level("server.memory") ?? 0),
          connections: level("server.connections") ?? 0,
          requests: rounded(counted("server.requests") / STEP_S),
        },
        streams: received === null ? null : received + (forwarded ?? 0),
        databaseMs: quantile(pings, 0.5),
      });
    },
    latest(name, at) {
      const found = figures.get(name);
      return found === undefined || at - found.at > FRESH_MS ? null : found;
    },
  };
}

const stateOf = (
  { signedAt }: KnownProcess,
  now: number,
): SystemMap["processes"][number]["state"] =>
  now - signedAt >= GONE_MS ? "gone" : now - signedAt >= SILENT_MS ? "silent" : "up";

/** Pure but for what `figures` remembers. */
export function systemMapOf(
  known: readonly KnownProcess[],
  figures: Pick<ProcessFigures, "latest">,
  now: number,
): SystemMap {
  const living = known.filter((one) => stateOf(one, now) !== "gone");
  const latest = living.toSorted((a, b) => b.signedAt - a.signedAt);
  const nodes = new Map<string, SystemMap["nodes"][number]>();
  for (const process of known) {
    const gone = stateOf(process, now) === "gone";
    for (const { name, up, restarted } of process.nodes) {
      const other = nodes.get(name);
      const state = gone ? "gone" : !up ? "down" : restarted ? "restarted" : "up";
      // Of a node that several processes use, one that lives knows more than one that is gone.
      const isKnown = other !== undefined && (gone || other.state === "down");
      const own = figures.latest(process.name, now)?.streams ?? null;
      nodes.set(name, {
        name,
        state: isKnown ? other.state : state,
        processes: [...(other?.processes ?? []), process.name],
        streams: own === null ? (other?.streams ?? null) : own + (other?.streams ?? 0),
      });
    }
  }
  const pings = living.flatMap(({ name }) => figures.latest(name, now)?.databaseMs ?? []);
  const buses = living.map(({ bus }) => bus).filter((bus) => bus !== "none");
  return {
    processes: known.map((process) => {
      const state = stateOf(process, now);
      const { name, startedAt, signedAt, database, bus } = process;
      return {
        name,
        state,
        startTime: new Date(startedAt).toISOString(),
        signTime: new Date(signedAt).toISOString(),
        load: state === "gone" ? null : (figures.latest(name, now)?.load ?? null),
        database: state === "gone" ? null : database.silent === 0,
        bus: state === "gone" || bus === "none" ? null : bus === "up",
      };
    }),
    nodes: [...nodes.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    database: {
      name: latest[0]?.database.name ?? "",
      state: living.some(({ database }) => database.silent > 0) ? "away" : "up",
      ms: pings.length === 0 ? null : Math.max(...pings),
    },
    bus: {
      state: buses.length === 0 ? "none" : buses.includes("away") ? "away" : "up",
    },
  };
}
