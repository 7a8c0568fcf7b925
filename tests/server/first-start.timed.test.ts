/** A first start: the memory of a server that creates its embedded database, and the time of `npm start` in a fresh clone. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { treeMemory } from "../support/memory.ts";
import { restLogin } from "../support/rest-login.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** MiB, of the server and all its processes. Measured: 313 to 340 at the first start with full demo data, 301 at the second. */
const MEMORY_LIMIT = 380;
/** ms of `npm start` in a clone with its packages, from the command until the console is served: it builds, and creates the database. Measured: 15 s. */
const START_LIMIT = 25_000;
/** ms between two looks. A look reads the page tables of all processes, so more of them would slow the start down. */
const EVERY = 25;
const SERVES_MS = 3000;
/** ms between two questions whether the console is served */
const LOOK = 50;

const root = join(import.meta.dirname, "../..");

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ DEMO_DATA: "full" });
}, 150_000);
afterAll(() => server.dispose());

/** MiB that the server and its processes take at most, from the start of the process until it has served for a while. */
async function highestAtStart(): Promise<{ highest: number; after: number }> {
  const starting = server.start();
  let highest = 0;
  const watch = setInterval(() => {
    highest = Math.max(highest, treeMemory(server.pid()));
  }, EVERY);
  try {
    await starting;
    // The demo data are there, and what the server does afterwards counts as well.
    await restLogin(server.url, "admin", DEMO_PASSWORD);
    await new Promise((resolve) => setTimeout(resolve, SERVES_MS));
  } finally {
    clearInterval(watch);
  }
  const after = treeMemory(server.pid());
  return { highest: Math.max(highest, after), after };
}

it.runIf(process.platform === "linux")(
  `A first start in a new folder, which creates the embedded database with full demo data, takes less than ${MEMORY_LIMIT} MiB in all its processes, and so does a second one`,
  async () => {
    await server.kill();
    // `startServer` copies a database that exists. Without it the server makes its own.
    rmSync(server.dataDir, { recursive: true });
    mkdirSync(server.dataDir);
    const first = await highestAtStart();
    await server.kill();
    const second = await highestAtStart();
    const said = ({ highest, after }: typeof first): string =>
      `${Math.round(highest)} MiB at most, ${Math.round(after)} afterwards`;
    console.log(`first start: ${said(first)}; second start: ${said(second)}`);
    expect(first.highest).toBeLessThan(MEMORY_LIMIT);
    expect(second.highest).toBeLessThan(MEMORY_LIMIT);
  },
  240_000,
);

it.runIf(process.platform === "linux")(
  `npm start in a fresh clone with its packages serves the console within ${START_LIMIT / 1000} s`,
  async () => {
    await server.kill();
    // In the project's folder, because links to files cannot lead to another disk.
    mkdirSync(join(root, ".artifacts"), { recursive: true });
    const clone = mkdtempSync(join(root, ".artifacts/fresh-clone-"));
    const tracked = execFileSync(
      "git",
      ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      { cwd: root, encoding: "utf8" },
    );
    for (const name of tracked
      .split("\0")
      .filter((path) => path !== "" && existsSync(join(root, path)))) {
      // The time of the lock file tells that the packages are those of the lock file.
      cpSync(join(root, name), join(clone, name), { preserveTimestamps: true });
    }
    execFileSync("cp", ["-al", join(root, "node_modules"), clone]);
    const url = `http://localhost:${await freePort()}`;
    const began = performance.now();
    const started = spawn("npm", ["start"], {
      cwd: clone,
      env: { ...process.env, DATABASE_URL: "", REDIS_URL: "", PORT: new URL(url).port },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    }
    const ended = new Promise<void>((resolve) => started.once("exit", () => resolve()));
    try {
      while ((await fetch(url).catch(() => null))?.ok !== true) {
        if (started.exitCode !== null) throw new Error(`npm start ended:\n${said}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK));
      }
      const took = performance.now() - began;
      await restLogin(url, "admin", DEMO_PASSWORD);
      console.log(`npm start of a fresh clone: served after ${(took / 1000).toFixed(1)} s`);
      expect(took).toBeLessThan(START_LIMIT);
    } finally {
      if (started.exitCode === null && started.pid !== undefined) process.kill(-started.pid);
      await ended;
      rmSync(clone, { recursive: true, force: true, maxRetries: 5 });
    }
  },
  240_000,
);
