/** What this process says of itself: that it lives, whether its media nodes and its database answer (docs/server.md#alerts). */
import { hostname } from "node:os";
import { sql } from "drizzle-orm";
import type { ServerConfig } from "../../base/config.ts";
import { processUrl } from "../../base/cluster/url.ts";
import type { Clock, ServerDeps } from "../../base/module.ts";
import type { MediaNode } from "../media-node/contracts.ts";
import type { Sign } from "./messages.ts";

/** ms that the database may take to answer. */
const PING_MS = 2_000;
/** Pings in vain after which the database counts as silent: a process that slept does not know of one. */
const MISSES = 2;

/** Host and port, for people. */
export const processName = (
  config: Pick<ServerConfig, "PROCESS_URL" | "HOST" | "PORT" | "REDIS_URL">,
): string =>
  config.REDIS_URL === undefined && config.PROCESS_URL === undefined
    ? `${hostname()}:${config.PORT}`
    : new URL(processUrl(config)).host;

/** Where the database is, without who may use it. */
export function databaseName({ DATABASE_URL }: Pick<ServerConfig, "DATABASE_URL">): string {
  if (DATABASE_URL === undefined || !URL.canParse(DATABASE_URL)) return "embedded";
  const { host, pathname } = new URL(DATABASE_URL);
  return `${host}${pathname}`;
}

export interface OwnLife {
  /** Asks the database, at most 2 s, and says how things are. */
  sign(asks: boolean): Promise<Sign>;
  /** How things were when they were last looked at, with the nodes as they are now. */
  last(): Sign;
  stop(): void;
}

export function createOwnLife(deps: {
  readonly id: string;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly db: Pick<ServerDeps["db"], "execute">;
  readonly nodes: readonly Pick<MediaNode, "name" | "kind" | "up" | "onEvent">[];
  /** A node ended or is back. */
  readonly onNode: () => void;
}): OwnLife {
  const { clock, config } = deps;
  const startedAt = clock.now();
  const name = processName(config);
  const restarts = new Map<string, number>();
  let answeredAt = startedAt;
  let misses = 0;
  /** The ping that is under way: a database that hangs gets no second one. */
  let asked: Promise<boolean> | null = null;

  const stops = deps.nodes.map((node) =>
    node.onEvent(({ t }) => {
      if (t !== "down" && t !== "up") return;
      // Janus says so too when the connection to it breaks for a moment.
      if (t === "down" && node.kind === "embedded") {
        restarts.set(node.name, (restarts.get(node.name) ?? 0) + 1);
      }
      deps.onNode();
    }),
  );

  async function ping(): Promise<void> {
    asked ??= deps.db
      .execute(sql`SELECT 1`)
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asked = null));
    let cancel = (): void => undefined;
    const tooLate = new Promise<false>((resolve) => {
      const timer = clock.setTimeout(() => resolve(false), PING_MS);
      cancel = () => timer.cancel();
    });
    const answered = await Promise.race([asked, tooLate]);
    cancel();
    if (answered) answeredAt = clock.now();
    misses = answered ? 0 : misses + 1;
  }

  const last = (asks = false): Sign => ({
    id: deps.id,
    name,
    startedAt,
    nodes: deps.nodes.map((node) => ({
      // A Janus serves every process; the embedded node is this one's.
      name: node.kind === "embedded" ? `${node.name}@${name}` : node.name,
      up: node.up,
      restarts: restarts.get(node.name) ?? 0,
    })),
    database: {
      name: databaseName(config),
      silent: misses < MISSES ? 0 : clock.now() - answeredAt,
    },
    asks,
  });

  return {
    async sign(asks) {
      await ping();
      return last(asks);
    },
    last,
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
