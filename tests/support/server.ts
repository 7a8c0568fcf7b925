/** A real platform server in a separate process. A test may kill it and start it again on the same data. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { SERVER_ARGS, SERVER_ENVIRONMENT } from "../../scripts/lib/server-command.mjs";
import { copyEmptyDatabase } from "../../src/server/base/database/empty.harness.ts";
import { copyPreparedData, decidesAboutData } from "./prepared-data.ts";
import {
  hasPostgres,
  type PreparedDatabase,
  preparedDatabase,
  usesPostgres,
} from "./prepared-database.ts";

/** Less than the time limit of a test, so that the failure shows the server's log. */
const START_MS = 110_000;

const root = join(import.meta.dirname, "../..");

export interface TestServer {
  readonly url: string;
  readonly dataDir: string;
  /** Empty: the embedded database, in the folder of the data. */
  readonly databaseUrl: string;
  readonly log: () => string;
  /** Id of the running process; 0 when none runs. */
  readonly pid: () => number;
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Sum over all matching labels; 0 when the metric has no sample. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
  dispose(): Promise<void>;
}

export type ServerDatabase = "any" | "embedded" | "postgres";

/** Where the server's data are: a copy of those of a first start, where there is one. */
async function prepareData(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  on: ServerDatabase,
): Promise<PreparedDatabase | null> {
  const isWanted = (on === "any" && usesPostgres()) || (on === "postgres" && hasPostgres());
  if (isWanted && !decidesAboutData({ ...process.env, ...env })) {
    const database = await preparedDatabase(async (given) => {
      const folder = mkdtempSync(join(tmpdir(), "console-first-"));
      const first = await runServer(given, folder);
      // Before the end by force: no task of the platform is half done.
      await first.kill();
      await first.dispose();
    });
    if (database !== null) return database;
  }
  const isPrepared = await copyPreparedData(dataDir, { ...process.env, ...env }, async (folder) => {
    copyEmptyDatabase(join(folder, "db"));
    const first = await runServer({}, folder);
    await first.kill();
  });
  if (!isPrepared && (env["DATABASE_URL"] ?? "") === "") copyEmptyDatabase(join(dataDir, "db"));
  return null;
}

/** @param on "any": PostgreSQL where the runner has one for the servers of browser tests; "postgres": where it has one at all */
export async function startServer(
  env: Readonly<Record<string, string>> = {},
  on: ServerDatabase = "any",
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "console-data-"));
  const database = await prepareData(dataDir, env, on);
  return runServer({ ...database?.env, ...env }, dataDir, database?.drop);
}

/**
 * Starts a server on the data of a folder.
 *
 * @param dropDatabase called after its end
 */
async function runServer(
  env: Readonly<Record<string, string>>,
  dataDir: string,
  dropDatabase?: () => Promise<void>,
): Promise<TestServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess | null = null;
  let log = "";

  const kill = (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      running.once("exit", () => resolve());
      running.kill(signal);
    });
  };

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, SERVER_ARGS, {
      cwd: root,
      env: {
        ...SERVER_ENVIRONMENT,
        ...process.env,
        DATABASE_URL: "",
        REDIS_URL: "",
        LOG_LEVEL: "warn",
        ...env,
        PORT: String(port),
        DATA_DIR: dataDir,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    const keep = (chunk: Buffer): void => {
      log = (log + chunk.toString()).slice(-200_000);
    };
    started.stdout?.on("data", keep);
    started.stderr?.on("data", keep);
    const deadline = Date.now() + START_MS;
    for (;;) {
      if (started.exitCode !== null) throw new Error(`the server ended at its start:\n${log}`);
      // Time out, so that a server that accepts connections without answering is reported with its log.
      const healthy = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
        (r) => r.ok,
        () => false,
      );
      if (healthy) return;
      if (Date.now() > deadline) throw new Error(`the server did not become healthy:\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const metric = async (
    name: string,
    labels: Readonly<Record<string, string>> = {},
  ): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    let sum = 0;
    for (const line of text.split("\n")) {
      const match = /^([a-zA-Z_:]+)(?:\{(.*)\})? (\S+)/.exec(line);
      if (match === null || match[1] !== name) continue;
      const fits = Object.entries(labels).every(([k, v]) =>
        (match[2] ?? "").includes(`${k}="${v}"`),
      );
      if (fits) sum += Number(match[3]);
    }
    return sum;
  };

  await start();
  return {
    url,
    dataDir,
    databaseUrl: env["DATABASE_URL"] ?? "",
    log: () => log,
    pid: () => child?.pid ?? 0,
    kill,
    start,
    metric,
    dispose: async () => {
      await kill("SIGKILL");
      await dropDatabase?.();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
