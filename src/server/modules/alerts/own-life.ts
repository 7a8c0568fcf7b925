/** What this process says of itself: that it lives, whether its media nodes and its database answer (docs/server.md#alerts). */
import { sql } from "drizzle-orm";
import type { ServerConfig } from "../../base/config.ts";
import { processName } from "../../base/cluster/url.ts";
import type { Bus, Clock, ServerDeps } from "../../base/module.ts";
import type { MediaNode } from "../media-node/contracts.ts";
import type { Sign } from "./messages.ts";

/** Signs without an answer until the database counts as silent. One is too few: the process itself may have slept. */
const MISSES = 2;

/** The address of the database, without user and password. */
export function databaseName({ DATABASE_URL }: Pick<ServerConfig, "DATABASE_URL">): string {
  if (DATABASE_URL === undefined || !URL.canParse(DATABASE_URL)) return "embedded";
  const { host, pathname } = new URL(DATABASE_URL);
  return `${host}${pathname}`;
}

export interface OwnLife {
  /** Sends a sign, and asks the database whether it is there. */
  sign(): Sign;
  /** The present sign, without a question to the database. @param asks whether the other processes must answer with their signs */
  last(asks?: boolean): Sign;
  stop(): void;
}

export function createOwnLife(deps: {
  readonly id: string;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly db: Pick<ServerDeps["db"], "execute">;
  readonly bus: Pick<Bus, "reach">;
  readonly nodes: readonly Pick<MediaNode, "name" | "kind" | "up" | "onEvent">[];
  /** A media node ended or came back. */
  readonly onNode: () => void;
}): OwnLife {
  const { clock, config } = deps;
  const startedAt = clock.now();
  const name = processName(config);
  const restarts = new Map<string, number>();
  let answeredAt = startedAt;
  let misses = 0;
  /** A database that hangs is not asked a second time. */
  let isAsked = false;

  const stops = deps.nodes.map((node) =>
    node.onEvent(({ t }) => {
      if (t !== "down" && t !== "up") return;
      // Janus also reports an end when the connection to it breaks for a moment.
      if (t === "down" && node.kind === "embedded") {
        restarts.set(node.name, (restarts.get(node.name) ?? 0) + 1);
      }
      deps.onNode();
    }),
  );

  /** Asks the database again, unless it still owes an answer. Nothing waits for the answer; it counts at the next sign. */
  function ping(): void {
    if (isAsked) {
      misses += 1;
      return;
    }
    isAsked = true;
    deps.db
      .execute(sql`SELECT 1`)
      .then(
        () => {
          answeredAt = clock.now();
          misses = 0;
        },
        () => {
          misses += 1;
        },
      )
      .finally(() => (isAsked = false));
  }

  const last = (asks = false): Sign => ({
    id: deps.id,
    name,
    startedAt,
    nodes: deps.nodes.map((node) => ({
      // A Janus serves every process; an embedded node belongs to its own process.
      name: node.kind === "embedded" ? `${node.name}@${name}` : node.name,
      up: node.up,
      restarts: restarts.get(node.name) ?? 0,
    })),
    database: {
      name: databaseName(config),
      silent: misses < MISSES ? 0 : clock.now() - answeredAt,
    },
    bus: deps.bus.reach?.() ?? "none",
    asks,
  });

  return {
    sign() {
      ping();
      return last();
    },
    last,
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
