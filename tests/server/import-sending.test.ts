/**
 * The whole way of staged rows: the core's import module and its HTTP client against a platform, while requests and answers are
 * lost and cores, network and server are killed at random. In the end the database must contain exactly the rows of the file.
 */
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { createPasswords } from "../../src/server/modules/accounts/passwords.ts";
import { openDatabase } from "../../src/server/base/database/index.ts";
import { DEMO_PASSWORD, seed } from "../../src/server/base/database/seed.ts";
import { basic, startTestPlatform } from "../../src/server/platform.harness.ts";
import { AppError } from "../../src/shared/errors.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import type { Transport } from "../../src/workers/core/http/index.ts";
import { repeated } from "../support/seed.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { createStagingMemory, stageRows, startImportCore, type TestCore } from "./import-core.ts";
import { people, type Row } from "../../src/server/modules/imports/chunks.harness.ts";
import { seededRandom } from "../../src/shared/mutate.harness.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Loses some requests before they arrive, and some answers after the request took effect. */
const lossy =
  (random: () => number, share: number) =>
  (transport: Transport): Transport =>
  async (request) => {
    const lot = random();
    if (lot < share / 2) throw new AppError("server.unavailable");
    const answer = await transport(request);
    if (lot < share) throw new AppError("network.timeout");
    return answer;
  };

const COLUMNS = [
  "name",
  "employeeNo",
  "idNumber",
  "phone",
  "department",
  "position",
  "hireDate",
  "email",
  "emergencyContact",
  "emergencyPhone",
  "remark",
];
const line = (row: Readonly<Record<string, unknown>>): string =>
  COLUMNS.map((name) => String(row[name] ?? "")).join("|");
const lines = (rows: readonly Row[]): string[] => rows.map(line).sort();

it("20,000 rows arrive over a network that loses a fifth of the requests or their answers", async () => {
  const host = await startTestPlatform();
  closers.push(() => host.close());
  const token = (await host.login("admin")).access_token;
  const rows = people(20_000);
  const kv = createStagingMemory();
  const job = await stageRows(kv, rows, { chunkRows: 500, accountId: "1", supplierId: "1" });
  const core = startImportCore({
    origin: host.origin,
    token,
    accountId: "1",
    supplierId: "1",
    kv,
    wire: lossy(seededRandom(5), 0.2),
    hurry: 20,
  });
  await core.until(
    (entry) => entry?.state === "done" || entry?.state === "failed",
    job.key,
    110_000,
  );
  expect(core.entries[job.key]).toMatchObject({
    state: "done",
    created: 20_000,
    refused: 0,
    sent: 20_000,
  });
  const found = await host.platform.database.pool.query<Row>(
    `SELECT name, employee_no AS "employeeNo", id_number AS "idNumber", phone, department, position,
       hire_date::text AS "hireDate", email, emergency_contact AS "emergencyContact",
       emergency_phone AS "emergencyPhone", remark FROM employees WHERE company_id = 1 AND employee_no LIKE 'G%'`,
  );
  expect(lines(found.rows)).toEqual(lines(rows));
  expect(await kv.keys()).toEqual([`kept:${job.key}`]);
  core.kill();
}, 120_000);

const POINTS = repeated(6, 20);
describe(`An import that is interrupted at ${POINTS} random points`, () => {
  const databaseUrl = process.env["TEST_DATABASE_URL"] ?? "";
  /** A server in a separate process with the demo data, on the embedded database or the given PostgreSQL. */
  async function serve(): Promise<TestServer> {
    const env: Record<string, string> = { ACCESS_TOKEN_TTL: "86400" };
    if (databaseUrl !== "") {
      const name = `console_sending_${randomUUID().replaceAll("-", "")}`;
      const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
      const admin = new Pool({ connectionString: databaseUrl, max: 1 });
      await admin.query(`CREATE DATABASE ${name}`);
      closers.push(async () => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        await admin.end();
      });
      const database = await openDatabase({ DATABASE_URL: url, DATA_DIR: "unused" });
      await seed(database.db, { demo: true, administrator: null, hash: createPasswords().hash });
      await database.close();
      Object.assign(env, { DATABASE_URL: url, APP_SECRET: "send".repeat(10) });
    }
    const server = await startServer(env);
    closers.push(() => server.dispose());
    return server;
  }

  async function all(server: TestServer, token: string): Promise<Row[]> {
    const found: Row[] = [];
    for (let cursor = 1; ; cursor += 1) {
      const response = await fetch(server.url + restCalls.querySupplierEmployees.path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "supplier-id": "1",
          "content-type": "application/json",
        },
        body: JSON.stringify({ cursor, limit: 1000, searchCount: false }),
      });
      const { data } = (await response.json()) as { data: { records: Row[] } };
      found.push(...data.records.filter((row) => row["employeeNo"]?.startsWith("G") === true));
      if (data.records.length < 1000) return found;
    }
  }

  it("resumes each time when core, network or server fails, and stores exactly the rows of the file", async () => {
    const server = await serve();
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
    const rows = people(20_000);
    const kv = createStagingMemory();
    const job = await stageRows(kv, rows, { chunkRows: 90, accountId: "1", supplierId: "1" });
    const random = seededRandom(Number(process.env["SENDING_SEED"] ?? 11));
    const start = () =>
      startImportCore({
        origin: server.url,
        token,
        accountId: "1",
        supplierId: "1",
        kv,
        wire: (transport) => {
          const weak = lossy(random, 0.02)(transport);
          return async (request) => {
            if (!core.online.online) throw new AppError("network.offline");
            const answer = await weak(request);
            if (!core.online.online) throw new AppError("network.offline");
            return answer;
          };
        },
        hurry: 10,
      });
    let core: TestCore = start();
    const killed = { core: 0, network: 0, server: 0 };
    for (let point = 0; point < POINTS; point += 1) {
      const done = core.entries[job.key]?.chunksDone ?? 0;
      const wanted = Math.max(done, 1) + Math.floor(random() * 6);
      await core.until((entry) => (entry?.chunksDone ?? 0) >= wanted, job.key);
      // Then at any moment of the next chunk.
      await new Promise((resolve) => setTimeout(resolve, random() * 40));
      expect(core.entries[job.key]?.state).not.toBe("done");
      if (point % 3 === 0) {
        core.kill();
        core = start();
        await core.until((entry) => entry !== undefined, job.key);
        killed.core += 1;
      } else if (point % 3 === 1) {
        core.online.set(false);
        await new Promise((resolve) => setTimeout(resolve, random() * 100));
        core.online.set(true);
        killed.network += 1;
      } else {
        await server.kill("SIGKILL");
        await core.until((entry) => entry?.state === "waiting", job.key);
        await server.start();
        killed.server += 1;
      }
    }
    const third = Math.floor(POINTS / 3);
    for (const times of Object.values(killed)) expect(times).toBeGreaterThanOrEqual(third);
    await core.until(
      (entry) => entry?.state === "done" || entry?.state === "failed",
      job.key,
      120_000,
    );
    expect(core.entries[job.key]).toMatchObject({ state: "done", created: 20_000, refused: 0 });
    expect(lines(await all(server, token))).toEqual(lines(rows));
    expect(await kv.keys()).toEqual([`kept:${job.key}`]);
    core.kill();
  }, 280_000);
});
