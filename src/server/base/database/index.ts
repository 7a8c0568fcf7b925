/**
 * The database: one schema and one driver, on PostgreSQL (DATABASE_URL) or on the embedded PGlite in a thread. Migrations are
 * in migrations/. Tables are in schema/; one that no other module uses is declared in its module.
 */
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import type { ServerConfig } from "../config.ts";
import { startEmbedded } from "./embedded.ts";
import { lockFolder } from "./lock.ts";
import { migrate } from "./migrate.ts";

export interface Database {
  readonly db: NodePgDatabase;
  readonly pool: Pool;
  readonly embedded: boolean;
  /** Idempotent. Closes the connections and the embedded database, and releases the lock of its folder. */
  close(): Promise<void>;
}

/**
 * Milliseconds that a query may wait for a connection before it fails. A query outside the transaction that holds the only
 * connection must not hang forever.
 */
const CONNECTION_WAIT = 30_000;
const POOL_SIZE = 10;
/** Statement timeout on PostgreSQL in seconds. A request times out after 120. */
const STATEMENT_TIMEOUT = 60;
/** Milliseconds that a transaction may be idle on PostgreSQL, because its locks block others. */
const IDLE_TRANSACTION = 120_000;

/**
 * Opens the database and applies the migrations.
 *
 * The embedded database has ONE connection. Inside `db.transaction` use the transaction's handle for every query: a query on
 * `db` would wait for the transaction, which waits for the query.
 *
 * @param onLost called when the database is permanently lost (embedded) or an idle connection broke (PostgreSQL; the pool
 *   recovers automatically)
 * @throws Error when the folder is in use, the database cannot be reached, or a migration is refused
 */
export async function openDatabase(
  config: Pick<ServerConfig, "DATABASE_URL" | "DATA_DIR"> &
    Partial<Pick<ServerConfig, "STATEMENT_TIMEOUT">>,
  onLost: (error: Error) => void = () => undefined,
): Promise<Database> {
  const closers: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      for (const closer of closers.toReversed()) await closer();
    })();
    return closing;
  };
  try {
    let pool: Pool;
    if (config.DATABASE_URL === undefined) {
      const lock = lockFolder(config.DATA_DIR);
      closers.push(() => lock.release());
      // Load large modules while the database opens in its thread.
      const [embedded] = await Promise.all([
        startEmbedded(join(config.DATA_DIR, "db"), onLost),
        import("drizzle-orm/node-postgres"),
      ]);
      closers.push(() => embedded.close());
      pool = createEmbeddedPool(() => embedded.connect());
    } else {
      pool = new Pool({
        connectionString: config.DATABASE_URL,
        max: POOL_SIZE,
        connectionTimeoutMillis: CONNECTION_WAIT,
        statement_timeout: (config.STATEMENT_TIMEOUT ?? STATEMENT_TIMEOUT) * 1000,
        idle_in_transaction_session_timeout: IDLE_TRANSACTION,
      });
      pool.on("error", onLost);
    }
    closers.push(() => pool.end());
    await migrate(pool);
    const { drizzle } = await import("drizzle-orm/node-postgres");
    return { db: drizzle(pool), pool, embedded: config.DATABASE_URL === undefined, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param connect creates the stream of a new connection */
export function createEmbeddedPool(connect: () => Duplex): Pool {
  const pool = new Pool({
    max: 1,
    // Set explicitly, so that PG* environment variables have no effect.
    host: "embedded",
    user: "postgres",
    database: "postgres",
    password: "",
    ssl: false,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECTION_WAIT,
    stream: connect,
  });
  // onLost reports the end of the thread, and the pool replaces a broken idle client.
  pool.on("error", () => undefined);
  return pool;
}
