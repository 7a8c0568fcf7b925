/** From the chosen file to rows in the database, in a real browser before a real server: embedded, and PostgreSQL where one is named. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { Pool } from "pg";
import { hashPassword } from "../../../src/server/accounts/passwords.ts";
import { openDatabase } from "../../../src/server/db/index.ts";
import { seed } from "../../../src/server/db/seed.ts";
import { launchOptions } from "../../support/chromium.ts";
import { employeesCsv } from "../../support/employees-file.ts";
import { importFile } from "../../support/import-path.ts";
import { loggedIn } from "../../support/people.ts";
import { startServer } from "../../support/server.ts";
import { type Figure, round } from "../report.ts";

const ROWS = 100_000;
const PARTS = ["read", "check", "stage", "send", "total"] as const;

/** Figures of the parts, in ms. `TEST_DATABASE_URL` names a PostgreSQL on which a database is made and dropped. */
export async function benchWhole(): Promise<Figure[]> {
  const figures = await measureWhole("embedded database", null);
  const url = process.env["TEST_DATABASE_URL"];
  if (url === undefined || url === "") {
    console.log("  end to end on PostgreSQL: left out, TEST_DATABASE_URL names none");
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
    const server = await startServer(databaseUrl === null ? {} : await made(databaseUrl, closers));
    closers.push(() => server.dispose());
    const browser = await chromium.launch(launchOptions());
    closers.push(() => browser.close());
    const admin = await loggedIn(browser, server.url, "admin", { path: "/DataBatchImport2/index" });
    const parts = await importFile(admin.pages[0]!, file, ROWS, 300_000);
    console.log(
      `  end to end, ${ROWS.toLocaleString("en")} rows, ${name}: ${round(parts.total, 0)} ms`,
    );
    return PARTS.map((metric) => ({
      bench: "import",
      case: `end to end, ${ROWS.toLocaleString("en")} x 8 csv, ${name}`,
      metric,
      unit: "ms",
      value: round(parts[metric], 0),
      runs: 1,
    }));
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** A seeded database of its own. */
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
  await seed(database.db, { demo: true, administrator: null, hash: hashPassword });
  await database.close();
  return { DATABASE_URL: url, APP_SECRET: "bench".repeat(8) };
}
