/**
 * Measures employee requests at the HTTP boundary, one request at a time: on PGlite, and on PostgreSQL too when TEST_DATABASE_URL
 * names one. BENCH_EMPLOYEES (100000): number of employees of the tenant.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { SERVER_ARGS, SERVER_ENVIRONMENT } from "../../scripts/lib/server-command.mjs";
import { CLIENTS } from "../../src/server/modules/accounts/clients.ts";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { type Figure, percentile, round } from "./report.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const EMPLOYEES = Number(process.env["BENCH_EMPLOYEES"] ?? 100_000);
const RUNS = 200;
const WARM = 10;
/** Enough exports that a memory leak would show. */
const EXPORTS = 6;
const API = "/scm-supplier/api/sec";

export async function benchServer(): Promise<Figure[]> {
  const figures = await measure("PGlite", {});
  const url = process.env["TEST_DATABASE_URL"] ?? "";
  if (url === "") return figures;
  const name = `console_bench_${randomUUID().slice(0, 8)}`;
  const admin = new Pool({ connectionString: url, max: 1 });
  try {
    await admin.query(`CREATE DATABASE ${name}`);
    const DATABASE_URL = Object.assign(new URL(url), { pathname: `/${name}` }).href;
    return [...figures, ...(await measure("PostgreSQL", { DATABASE_URL }))];
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}

async function measure(label: string, more: Record<string, string>): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-server-"));
  const port = String(await freePort());
  const env = {
    ...process.env,
    ADMIN_USERNAME: "admin",
    ADMIN_PASSWORD: DEMO_PASSWORD,
    DATA_DIR: dataDir,
    PORT: port,
    HOST: "127.0.0.1",
    LOG_LEVEL: "error",
    ...more,
  };
  let server: ChildProcess | null = null;
  try {
    const seeded = spawnSync(
      process.execPath,
      ["--import", "tsx", "src/server/seed.ts", "--employees", String(EMPLOYEES)],
      { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] },
    );
    if (seeded.status !== 0) throw new Error("the seed failed");
    server = spawn(process.execPath, SERVER_ARGS, {
      cwd: ROOT,
      env: { ...SERVER_ENVIRONMENT, ...env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    return await cases(label, `http://127.0.0.1:${port}`, server.pid ?? 0);
  } finally {
    if (server !== null) await end(server);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function cases(label: string, origin: string, pid: number): Promise<Figure[]> {
  const ask = await login(origin);
  const get = (path: string) => ask("GET", `${API}${path}`);
  const post = (path: string, body: unknown) => ask("POST", `${API}${path}`, body);
  const filter = (i: number, rules: unknown[]) =>
    post("/employees/advancedfilteringNew", {
      cursor: (i % 20) + 1,
      filter: { logic: "and", rules },
    });
  const departments = ["安全管理部", "工程部", "消防维保部", "客户服务部", "财务部"];
  const words = ["张", "伟", "王芳", "电工", "13", "S00123", "欧阳", "张伟", "客服", "00123"];
  /** A different day for each i. */
  const day = (i: number): string =>
    new Date(Date.UTC(2010, 0, 1 + i * 17)).toISOString().slice(0, 10);
  const figures: Figure[] = [];
  const addFigure = (
    name: string,
    metric: string,
    unit: string,
    value: number,
    runs: number,
  ): void =>
    void figures.push({
      bench: "server",
      case: `${name}, ${label}`,
      metric,
      unit,
      value: round(value, 2),
      runs,
    });

  const timed: readonly (readonly [string, (i: number) => Promise<Response>])[] = [
    ["list", (i) => get(`/employees/list?cursor=${(i % 50) + 1}&limit=20`)],
    [
      "keyword",
      (i) => get(`/employees/list?keyword=${encodeURIComponent(words[i % words.length] ?? "")}`),
    ],
    [
      "advanced filter",
      (i) =>
        filter(i, [
          { field: "department", op: "eq", value: departments[i % departments.length] },
          { field: "hireDate", op: "ge", value: "2018-01-01" },
        ]),
    ],
    [
      "filter, contains",
      (i) => filter(0, [{ field: "name", op: "contains", value: ["子轩", "建国", "雨"][i % 3] }]),
    ],
    [
      "filter, each for the first time",
      (i) =>
        filter(i, [
          { field: "department", op: "eq", value: departments[i % departments.length] },
          { field: "hireDate", op: "ge", value: day(i) },
        ]),
    ],
    ["page 1000", () => get("/employees/list?cursor=1000&limit=20")],
    [
      "page in the middle",
      () => get(`/employees/list?cursor=${Math.floor(EMPLOYEES / 40)}&limit=20`),
    ],
    ["count", () => post("/querySupplierEmployees", { limit: 1 })],
    // Each of these changes the tenant's data, so cached counts become invalid.
    ["create", (i) => post("/employee", { name: `新员工${i}`, employeeNo: `B${label}${i}` })],
    [
      "keyword after a change",
      async (i) => {
        await (
          await post("/employee", { name: "变更", employeeNo: `C${label}${i}` })
        ).arrayBuffer();
        return get(`/employees/list?keyword=${encodeURIComponent(words[i % words.length] ?? "")}`);
      },
    ],
    [
      // Every pair of its digits occurs in every employee's number, so all of them must be compared.
      "worst keyword after a change",
      async (i) => {
        await (
          await post("/employee", { name: "变更", employeeNo: `D${label}${i}` })
        ).arrayBuffer();
        return get("/employees/list?keyword=1990100");
      },
    ],
  ];
  for (const [name, run] of timed) {
    const times: number[] = [];
    for (let i = 0; i < WARM + RUNS; i += 1) {
      const started = performance.now();
      const response = await run(i);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${name}: ${response.status}`);
      if (i >= WARM) times.push(performance.now() - started);
    }
    addFigure(name, "p50", "ms", percentile(times, 50), RUNS);
    addFigure(name, "p99", "ms", percentile(times, 99), RUNS);
    addFigure(name, "memory", "MB", memory(pid), 1);
  }
  const columns = [
    "name",
    "employeeNo",
    "idNumber",
    "department",
    "position",
    "hireDate",
    "status",
  ].map((field) => ({ field }));
  for (let i = 0; i < EXPORTS; i += 1) {
    const before = memory(pid);
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, memory(pid))), 100);
    const started = performance.now();
    const response = await post("/getExcelByJson2/employed/x", { columns });
    let bytes = 0;
    for await (const part of response.body ?? []) bytes += part.length;
    clearInterval(watch);
    if (response.status !== 200 || bytes < EMPLOYEES) throw new Error("the export failed");
    const name = `export ${i + 1}`;
    addFigure(name, "whole", "s", (performance.now() - started) / 1000, 1);
    addFigure(name, "memory", "MB", highest, 1);
    addFigure(name, "memory more than before", "MB", highest - before, 1);
  }
  return figures;
}

async function login(origin: string) {
  const until = Date.now() + 60_000;
  for (;;) {
    const up = await fetch(`${origin}/openapi.json`).catch(() => null);
    if (up !== null) {
      await up.arrayBuffer();
      break;
    }
    if (Date.now() > until) throw new Error("the server did not come up");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const client = CLIENTS["sec-web-company-admin"];
  const answer = await fetch(`${origin}/uaa/login/username`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${client?.id}:${client?.secret}`).toString("base64")}`,
    },
    body: new URLSearchParams({
      username: "admin",
      password: DEMO_PASSWORD,
      grant_type: "password",
    }),
  });
  const { data } = (await answer.json()) as { data: { access_token: string } };
  return (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${data.access_token}`,
        "supplier-id": "1",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** Resident memory, MB; 0 where the system does not report it. */
function memory(pid: number): number {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
