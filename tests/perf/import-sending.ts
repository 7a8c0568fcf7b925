/**
 * Measures how staged rows are sent by the core's import module and stored by a server in its own process, embedded or on a given
 * PostgreSQL: the second half of the way from a chosen file to rows in the database. Benchmarks call it.
 */
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { Pool } from "pg";
import { hashPassword } from "../../src/server/modules/accounts/passwords.ts";
import { openDatabase } from "../../src/server/base/database/index.ts";
import { DEMO_PASSWORD, seed } from "../../src/server/base/database/seed.ts";
import { basic } from "../../src/server/platform.harness.ts";
import { IMPORT_CHUNK_ROWS, importChunkCall } from "../../src/shared/protocol/rest/index.ts";
import { createStagingMemory, stageRows, startImportCore } from "../server/import-core.ts";
import { people } from "../../src/server/modules/imports/chunks.harness.ts";
import { startServer } from "../support/server.ts";

export interface SendingFigures {
  readonly database: "embedded" | "PostgreSQL";
  readonly rows: number;
  readonly chunks: number;
  /** Bytes sent. */
  readonly bytes: number;
  /** ms from the start of the core until the server has answered every chunk. */
  readonly total: number;
  /** Sum of the ms that the server worked on each chunk; more than `total` when it works on two at a time. */
  readonly store: number;
  readonly rowsPerSecond: number;
  /** ms of the slowest (and median) small request that another person made meanwhile. */
  readonly othersWorst: number;
  readonly othersMedian: number;
}

/** @param options.databaseUrl a PostgreSQL on which a database is created and dropped; omitted: the embedded one */
export async function measureSending(options: {
  readonly rows: number;
  readonly databaseUrl?: string;
  readonly chunkRows?: number;
}): Promise<SendingFigures> {
  const { rows, databaseUrl, chunkRows = IMPORT_CHUNK_ROWS } = options;
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const env: Record<string, string> = { ACCESS_TOKEN_TTL: "86400" };
    if (databaseUrl !== undefined) {
      const name = `console_bench_${randomUUID().replaceAll("-", "")}`;
      const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
      const admin = new Pool({ connectionString: databaseUrl, max: 1 });
      closers.push(() => admin.end());
      await admin.query(`CREATE DATABASE ${name}`);
      closers.push(() => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "unused" });
      await seed(database.db, { demo: true, administrator: null, hash: hashPassword });
      await database.close();
      Object.assign(env, { DATABASE_URL: url, APP_SECRET: "bench".repeat(8) });
    }
    const server = await startServer(env);
    closers.push(() => server.dispose());
    const login = await fetch(`${server.url}/uaa/login/username`, {
      method: "POST",
      headers: { authorization: basic("sec-web-company-admin") },
      body: new URLSearchParams({
        username: "admin",
        password: DEMO_PASSWORD,
        grant_type: "password",
      }),
    });
    const { data } = (await login.json()) as { data: { access_token: string } };
    const token = data.access_token;
    const owner = { accountId: "1", supplierId: "1" };
    const kv = createStagingMemory();
    const job = await stageRows(kv, people(rows), { chunkRows, ...owner });

    const others: number[] = [];
    const watching = { on: true };
    const watch = (async () => {
      while (watching.on) {
        const asked = performance.now();
        await fetch(`${server.url}/scm-supplier/api/sec/employees/list?limit=20`, {
          headers: { authorization: `Bearer ${token}`, "supplier-id": "1" },
        }).then((response) => response.arrayBuffer());
        others.push(performance.now() - asked);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    const began = performance.now();
    const core = startImportCore({ origin: server.url, token, ...owner, kv });
    closers.push(() => Promise.resolve(core.kill()));
    await core.until((entry) => entry?.state === "done", job.key, 600_000);
    const total = performance.now() - began;
    watching.on = false;
    await watch;
    const entry = core.entries[job.key];
    if (entry?.created !== rows)
      throw new Error(`${entry?.created ?? 0} of ${rows} rows were created`);
    const route = importChunkCall.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const store = (await server.metric("http_request_duration_seconds_sum", { route })) * 1000;
    const sorted = others.toSorted((a, b) => a - b);
    return {
      database: databaseUrl === undefined ? "embedded" : "PostgreSQL",
      rows,
      chunks: job.chunks,
      bytes: job.sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      total,
      store,
      rowsPerSecond: rows / (total / 1000),
      othersWorst: sorted.at(-1) ?? Number.NaN,
      othersMedian: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
