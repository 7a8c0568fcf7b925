/**
 * Which server processes live, by the signs that they send each other, and which of them leads (docs/server.md#alerts). It keeps the
 * last signs in memory and is pure otherwise.
 */
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import type { Finding } from "./measures.ts";
import type { Sign } from "./messages.ts";

/** ms after its last sign. A process that has been silent for longer no longer leads. */
export const LEADS_MS = 15_000;
/** ms. Something that went away and came back at once counts as gone for this long, so that people notice it. */
export const NOTICED_MS = 30_000;
/** ms after which the alert about a dead process ends. */
const FORGOTTEN_MS = 3_600_000;

interface Heard {
  readonly sign: Omit<Sign, "asks">;
  readonly at: number;
}
interface NodeLife {
  downSince: number | null;
  restarts: number;
  restartedAt: number | null;
}

/** A process as the map of the system shows it. */
export interface KnownProcess {
  readonly name: string;
  readonly startedAt: number;
  /** Its last sign, ms since the epoch. */
  readonly signedAt: number;
  readonly nodes: readonly {
    readonly name: string;
    readonly up: boolean;
    /** It ended and was started again a moment ago. */
    readonly restarted: boolean;
  }[];
  readonly database: Sign["database"];
  readonly bus: Sign["bus"];
}

export type MissedProcess = Pick<Sign, "id" | "name" | "startedAt"> & { readonly seenAt: number };

export interface Lives {
  hear(sign: Sign, now: number): void;
  goodbye(id: string): void;
  /** Adds a process that is known only from the database, with the time when it was last seen. */
  missed(process: MissedProcess, now: number): void;
  isKnown(id: string): boolean;
  /** Whether this process is the oldest that lives. */
  leads(id: string, now: number): boolean;
  findings(rule: AlertRule, now: number): Finding[];
  /** Every process of which something is known, by name: also one that is gone, unless another one has its place. */
  known(now: number): KnownProcess[];
  prune(now: number): void;
}

/** Whether `a` comes before `b`. The oldest process leads. */
export const leadsBefore = (
  a: Pick<Sign, "id" | "startedAt">,
  b: Pick<Sign, "id" | "startedAt">,
): boolean => a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.id < b.id);

export function createLives(): Lives {
  const processes = new Map<string, Heard>();
  /** When a process was first found gone. */
  const goneAt = new Map<string, number>();
  /** By process and node. */
  const nodes = new Map<string, NodeLife>();

  const nodeKey = (process: string, node: string): string => `${process} ${node}`;
  const forget = (id: string): void => {
    const entry = processes.get(id);
    processes.delete(id);
    goneAt.delete(id);
    for (const { name } of entry?.sign.nodes ?? []) nodes.delete(nodeKey(id, name));
  };
  const living = (now: number, ms: number): Heard[] =>
    [...processes.values()].filter(({ at }) => now - at < ms);

  function goneProcesses(rule: AlertRule, now: number): Finding[] {
    return [...processes.values()].flatMap(({ sign, at }) => {
      const silent = (now - at) / 1000;
      if (silent < rule.window) return [];
      const since = goneAt.get(sign.id) ?? now;
      goneAt.set(sign.id, since);
      const isBack = living(now, rule.window * 1000).some(
        (other) => other.sign.id !== sign.id && other.sign.name === sign.name,
      );
      if (isBack && now - since >= NOTICED_MS) return [];
      return [finding("process", sign.name, silent, rule.window)];
    });
  }

  function goneNodes(rule: AlertRule, now: number): Finding[] {
    return living(now, LEADS_MS).flatMap(({ sign }) =>
      sign.nodes.flatMap(({ name }) => {
        const life = nodes.get(nodeKey(sign.id, name));
        if (life === undefined) return [];
        const down = life.downSince === null ? 0 : (now - life.downSince) / 1000;
        const restarted = life.restartedAt !== null && now - life.restartedAt < NOTICED_MS;
        if (!restarted && (life.downSince === null || down < rule.window)) return [];
        return [finding("media-node", name, down, rule.window)];
      }),
    );
  }

  const awayDatabases = (rule: AlertRule, now: number): Finding[] =>
    living(now, LEADS_MS)
      .filter(({ sign }) => sign.database.silent >= rule.window * 1000)
      .map(({ sign }) =>
        finding("database", sign.database.name, sign.database.silent / 1000, rule.window),
      );

  const finding = (
    kind: "process" | "media-node" | "database",
    name: string,
    value: number,
    limit: number,
  ): Finding => ({ companyId: null, subject: { kind, name }, value, limit, named: null });

  return {
    hear(sign, now) {
      for (const { name, up, restarts } of sign.nodes) {
        const key = nodeKey(sign.id, name);
        const life = nodes.get(key) ?? { downSince: null, restarts, restartedAt: null };
        nodes.set(key, life);
        if (up) life.downSince = null;
        else life.downSince ??= now;
        if (restarts > life.restarts) life.restartedAt = now;
        life.restarts = restarts;
      }
      processes.set(sign.id, { sign, at: now });
      goneAt.delete(sign.id);
    },
    goodbye: forget,
    missed({ id, name, startedAt, seenAt }, now) {
      if (processes.has(id)) return;
      const sign = {
        id,
        name,
        startedAt,
        nodes: [],
        bus: "none" as const,
        database: {
          name: "",
          silent: 0,
        },
      };
      // A process that was last seen long ago has not been reported yet.
      processes.set(id, { sign, at: Math.max(seenAt, now - FORGOTTEN_MS / 2) });
    },
    isKnown: (id) => processes.has(id),
    leads: (id, now) => {
      const own = processes.get(id)?.sign;
      if (own === undefined) return false;
      return living(now, LEADS_MS).every(({ sign }) => sign.id === id || leadsBefore(own, sign));
    },
    findings(rule, now) {
      const all =
        rule.metric === "process"
          ? goneProcesses(rule, now)
          : rule.metric === "media-node"
            ? goneNodes(rule, now)
            : rule.metric === "database"
              ? awayDatabases(rule, now)
              : [];
      // Two processes may report that the same thing is missing.
      const byName = new Map(all.map((one) => [one.subject.name, one]));
      return [...byName.values()];
    },
    known(now) {
      // The latest sign of each name comes last.
      const latest = new Map(
        [...processes.values()].toSorted((a, b) => a.at - b.at).map((one) => [one.sign.name, one]),
      );
      return [...latest.values()]
        .map(({ sign: { id, name, startedAt, nodes: own, database, bus }, at }) => ({
          name,
          startedAt,
          database,
          bus,
          signedAt: at,
          nodes: own.map((node) => {
            const restartedAt = nodes.get(nodeKey(id, node.name))?.restartedAt ?? null;
            const restarted = restartedAt !== null && now - restartedAt < NOTICED_MS;
            return {
              name: node.name,
              up: node.up,
              restarted,
            };
          }),
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    prune(now) {
      for (const [id, { at }] of processes) if (now - at > FORGOTTEN_MS) forget(id);
    },
  };
}
