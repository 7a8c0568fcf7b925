/**
 * From the chosen file to rows in the database, in a real browser with a real server: on the embedded database, and on PostgreSQL
 * if one is given.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { Pool } from "pg";
import { createPasswords } from "../../../src/server/modules/accounts/passwords.ts";
import { openDatabase } from "../../../src/server/base/database/index.ts";
import { DEMO_PASSWORD, seed } from "../../../src/server/base/database/seed.ts";
import { launchOptions } from "../../support/chromium.ts";
import { employeesCsv } from "../../support/employees-file.ts";
import { importFile } from "../../support/import-path.ts";
import { loggedIn } from "../../support/people.ts";
import { startServer } from "../../support/server.ts";
import { basic } from "../../../src/server/platform.harness.ts";
import { type Figure, percentile, round } from "../report.ts";
import { copyEmbedded, copyPostgres } from "./copy.ts";

const ROWS = 100_000;
/** Most ms from the chosen file to the last row in the database. */
const LIMITS = { embedded: 8000, postgres: 5000 } as const;
/** Most ms (p95) of list requests that another person makes meanwhile. */
const OTHERS = 150;
const PARTS = ["read", "check", "stage", "send", "total"] as const;

/** Figures of the parts, in ms. `TEST_DATABASE_URL` names a PostgreSQL on which a database is created and dropped. */
export async function benchWhole(): Promise<Figure[]> {
  const figures = await measureWhole("embedded database", null);
  const url = process.env["TEST_DATABASE_URL"];
  if (url === undefined || url === "") {
    console.log("  end to end on PostgreSQL: skipped, because TEST_DATABASE_URL is not set");
    return figures;
  }
  return [...figures, ...(await measureWhole("PostgreSQL", url))];
}

async function measureWhole(name: string, databaseUrl: string | null): Promise<Figure[]> {
  const closers: (() => unknown)[] = [];
  try {
    const dir = mkdtempSync(join(tmpdir(), "import-whole-"));
    closers.push(() => rmSync(dir, { recursive: true, force: true }));
    const file = join(dir, "employees.csv");
    writeFileSync(file, employeesCsv({ rows: ROWS, seed: 3 }));
    const env = databaseUrl === null ? {} : await made(databaseUrl, closers);
    const server = await startServer(env);
    closers.push(() => server.dispose());
    const browser = await chromium.launch(launchOptions());
    closers.push(() => browser.close());
    const admin = await loggedIn(browser, server.url, "admin", { path: "/DataBatchImport2/index" });
    const others = await watchList(server.url);
    const parts = await importFile(admin.pages[0]!, file, ROWS, 300_000);
    const waits = await others.stop();
    await browser.close();
    await server.kill();
    const url = env["DATABASE_URL"];
    const copy = url === undefined ? await copyEmbedded(ROWS) : await copyPostgres(url, ROWS);
    console.log(
      `  end to end, ${ROWS.toLocaleString("en")} rows, ${name}: ${round(parts.total, 0)} ms, COPY ${round(copy, 0)} ms`,
    );
    const label = `${ROWS.toLocaleString("en")} x 8 csv, ${name}`;
    const figure = (metric: string, value: number, limit?: number, runs = 1): Figure => ({
      bench: "import",
      case: `end to end, ${label}`,
      metric,
      unit: "ms",
      value: round(value, 0),
      runs,
      ...(limit === undefined ? {} : { limit }),
    });
    const limit = databaseUrl === null ? LIMITS.embedded : LIMITS.postgres;
    return [
      ...PARTS.map((metric) =>
        figure(metric, parts[metric], metric === "total" ? limit : undefined),
      ),
      figure("others' list p50", percentile(waits, 50), undefined, waits.length),
      figure("others' list p95", percentile(waits, 95), OTHERS, waits.length),
      figure("COPY alone", copy),
    ];
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** Another person of the tenant requests the list again and again. */
async function watchList(url: string): Promise<{ stop(): Promise<readonly number[]> }> {
  const login = await fetch(`${url}/uaa/login/username`, {
    method: "POST",
    headers: { authorization: basic("sec-web-company-admin") },
    body: new URLSearchParams({
      username: "lina",
      password: DEMO_PASSWORD,
      grant_type: "password",
    }),
  });
  const { data } = (await login.json()) as { data: { access_token: string } };
  const headers = { authorization: `Bearer ${data.access_token}`, "supplier-id": "1" };
  const waits: number[] = [];
  const watching = { on: true };
  const asking = (async () => {
    while (watching.on) {
      const asked = performance.now();
      const answer = await fetch(`${url}/scm-supplier/api/sec/employees/list?limit=20`, {
        headers,
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the list was answered with ${answer.status}`);
      waits.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    async stop() {
      watching.on = false;
      await asking;
      return waits;
    },
  };
}

/** Creates a separate, seeded database. @returns the environment that makes the server use it */
async function made(
  databaseUrl: string,
  closers: (() => unknown)[],
): Promise<Record<string, string>> {
  const name = `console_bench_${randomUUID().replaceAll("-", "")}`;
  const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  const admin = new Pool({ connectionString: databaseUrl, max: 1 });
  closers.push(() => admin.end());
  await admin.query(`CREATE DATABASE ${name}`);
  closers.push(() => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "unused" });
  await seed(database.db, { demo: true, administrator: null, hash: createPasswords().hash });
  await database.close();
  return { DATABASE_URL: url, APP_SECRET: "bench".repeat(8) };
}
