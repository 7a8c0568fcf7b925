// Starts a PostgreSQL and a Redis for the tests. PostgreSQL has its data in a temporary folder and does not wait for the disk; Redis
// writes nothing to disk. So they are faster than those of the machine, and no test meets the data of another run.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath } from "./debian.mjs";
import { freePort } from "./free-port.mjs";

const DATABASE_OPTIONS = {
  listen_addresses: "127.0.0.1",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
};

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

async function untilItAnswers(name, child, port) {
  const deadline = Date.now() + 60_000;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${name} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** PostgreSQL refuses to run as root. As root, it is started as the user that its Debian package creates. */
function databaseUser() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

/**
 * Starts a PostgreSQL with data of its own.
 * @param {string} postgres its program
 * @param {(() => unknown)[]} stops gets what removes it; the last one stops it
 * @returns {Promise<string>} its address
 */
export async function startPostgres(postgres, stops) {
  const user = databaseUser();
  const folder = mkdtempSync(join(tmpdir(), "console-postgres-"));
  stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const made = spawnSync(
    join(postgres, "../initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"],
    { ...user, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const options = Object.entries(DATABASE_OPTIONS).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const args = ["-D", data, "-k", folder, "-p", String(port), ...options];
  const child = spawn(postgres, args, { ...user, cwd: folder, stdio: "ignore" });
  const stop = ["stop", "-D", data, "-m", "immediate", "-s"];
  stops.push(() => spawnSync(join(postgres, "../pg_ctl"), stop, { ...user, cwd: folder }));
  await untilItAnswers("PostgreSQL", child, port);
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

async function startRedis(redis, stops) {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(redis, args, { cwd: tmpdir(), stdio: "ignore" });
  stops.push(() => child.kill("SIGKILL"));
  await untilItAnswers("Redis", child, port);
  return `redis://127.0.0.1:${port}`;
}

/**
 * Starts what is installed, unless TEST_DATABASE_URL or TEST_REDIS_URL name running ones. They end with this process.
 * @returns {Promise<{ TEST_DATABASE_URL: string, TEST_REDIS_URL: string }>} their addresses; "" where none is installed
 */
export async function startServices() {
  const stops = [];
  // First, as it runs on folders that go at the exit too.
  process.prependOnceListener("exit", () => {
    for (const stop of stops.toReversed()) stop();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
  const postgres = programPath("postgresql");
  const redis = programPath("redis-server");
  const { TEST_DATABASE_URL = "", TEST_REDIS_URL = "" } = process.env;
  return {
    TEST_DATABASE_URL:
      TEST_DATABASE_URL !== "" || postgres === undefined
        ? TEST_DATABASE_URL
        : await startPostgres(postgres, stops),
    TEST_REDIS_URL:
      TEST_REDIS_URL !== "" || redis === undefined
        ? TEST_REDIS_URL
        : await startRedis(redis, stops),
  };
}
