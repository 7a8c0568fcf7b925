import { afterEach, expect, it, vi } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { TASK_IDS } from "../../../shared/protocol/rest/tasks.ts";
import { LOST_MS, RUNS_KEPT_MS } from "../../base/tasks/index.ts";
import { covers } from "../../covers.harness.ts";
import { everyRightElsewhere, platformForTests } from "../../asking.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";

const { taskList, taskRuns, taskRun, taskPause } = restCalls;
const MAY = whoMay({
  "tasks.list": "--++",
  "tasks.runs": "--++",
  "tasks.run": "--++",
  "tasks.pause": "--++",
});
const HOUR_MS = 3_600_000;

afterEach(() => vi.restoreAllMocks());

const { host, tokens } = platformForTests(["admin", "ops", "lina", "wangfang", "guest"], {
  prepare: everyRightElsewhere,
});

const ask = (method: string, path: string, as = "ops", supplierId = "1", json?: unknown) =>
  host.ask(method, path, {
    token: tokens[as] ?? "",
    supplierId,
    ...(json === undefined ? {} : { json }),
  });
const list = async (as = "ops", supplierId = "1") =>
  taskList.data.parse((await ask("GET", taskList.path, as, supplierId)).body.data);
const taskOf = async (id: string) => (await list()).records.find((task) => task.id === id)!;
const runs = async (query = "", as = "ops", supplierId = "1") =>
  taskRuns.data.parse((await ask("GET", taskRuns.path + query, as, supplierId)).body.data);
const run = (id: string, as = "ops", supplierId = "1") =>
  ask("POST", taskRun.path.replace("{id}", id), as, supplierId);
const pause = (id: string, paused: boolean, as = "ops", supplierId = "1") =>
  ask("PUT", taskPause.path.replace("{id}", id), as, supplierId, { paused });
const renew = async (): Promise<void> => {
  for (const name of Object.keys(tokens)) tokens[name] = (await host.login(name)).access_token;
};

it(covers([taskList, taskRuns], "success", "every task has run after the start"), async () => {
  await expect.poll(async () => (await runs("?limit=100")).total).toBe(TASK_IDS.length);
  const { records, total } = await list();
  expect(records.map(({ id }) => id).toSorted()).toEqual(TASK_IDS.toSorted());
  expect(total).toBe(TASK_IDS.length);
  for (const task of records) {
    expect(task).toMatchObject({ paused: false, running: false });
    expect(task.last).toMatchObject({ task: task.id, success: true, actorName: "", error: "" });
    expect(Date.parse(task.nextTime ?? "")).toBe(
      Date.parse(task.last?.startTime ?? "") + task.every,
    );
  }
  const second = await runs("?cursor=2&limit=3&searchCount=false");
  expect([second.records.length, second.total]).toEqual([3, 0]);
  expect((await runs("?task=chat")).records.map(({ task }) => task)).toEqual(["chat"]);
  expect((await runs("?success=false")).total).toBe(0);
});

it(covers(taskRun, "success", "removes what is old and is logged with its person"), async () => {
  const { pool } = host.platform.database;
  await pool.query(
    "UPDATE sign_ins SET created_at = '2001-01-01' WHERE id = (SELECT min(id) FROM sign_ins)",
  );
  const answer = await run("sign-ins");
  expect(answer.status).toBe(200);
  expect(taskRun.data.parse(answer.body.data)).toMatchObject({
    task: "sign-ins",
    success: true,
    removed: 1,
  });
  expect((await runs("?task=sign-ins")).records[0]?.actorName).not.toBe("");
  const audited = await pool.query(
    "SELECT action, entity_id FROM audit_records WHERE entity = 'task' AND company_id = 1",
  );
  expect(audited.rows).toEqual([{ action: "run", entity_id: "sign-ins" }]);
});

it(covers(taskPause, "success", "a paused task waits, runs on request, and resumes"), async () => {
  expect((await pause("chat", true)).status).toBe(200);
  expect((await pause("chat", true)).status).toBe(200);
  expect(await taskOf("chat")).toMatchObject({ paused: true, nextTime: null });
  const before = (await runs("?task=chat")).total;
  const others = (await runs("?task=chat-files")).total;
  host.clock.advance(HOUR_MS);
  await renew();
  await expect.poll(async () => (await runs("?task=chat-files")).total).toBe(others + 1);
  expect((await runs("?task=chat")).total).toBe(before);
  expect((await run("chat")).status).toBe(200);
  await pause("chat", false);
  host.clock.advance(HOUR_MS);
  await renew();
  await expect.poll(async () => (await runs("?task=chat")).total).toBe(before + 2);
  const { rows } = await host.platform.database.pool.query(
    "SELECT action FROM audit_records WHERE entity = 'task' AND entity_id = 'chat' ORDER BY id",
  );
  expect(rows.map(({ action }: { action: string }) => action)).toEqual(["pause", "run", "resume"]);
});

it("A failure is logged with its message, and the task runs again at its next time", async () => {
  const { pool } = host.platform.database;
  await pool.query("ALTER TABLE client_errors RENAME TO hidden");
  const failed = taskRun.data.parse((await run("client-errors")).body.data);
  expect(failed).toMatchObject({ success: false, removed: null });
  expect(failed.error).not.toBe("");
  await pool.query("ALTER TABLE hidden RENAME TO client_errors");
  expect((await runs("?success=false")).records.map(({ task }) => task)).toEqual(["client-errors"]);
  expect(await taskOf("client-errors")).toMatchObject({ running: false });
  expect(taskRun.data.parse((await run("client-errors")).body.data).success).toBe(true);
});

it("A task that another process runs is not run twice, unless that process is dead", async () => {
  const { pool } = host.platform.database;
  const until = (ms: number) => new Date(host.clock.now() + ms);
  await pool.query("UPDATE tasks SET running_until = $1 WHERE id = 'files'", [until(1_000)]);
  expect((await taskOf("files")).running).toBe(true);
  expect((await run("files")).status).toBe(409);
  host.clock.advance(2_000);
  expect((await taskOf("files")).running).toBe(false);
  expect((await run("files")).status).toBe(200);
});

it("A run that goes on for longer stays running, and its task is not run twice", async () => {
  const { pool } = host.platform.database;
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => void (release = resolve));
  vi.spyOn(pool, "query").mockImplementation(async (...args: unknown[]) => {
    const { text = "" } = args[0] as { readonly text?: string };
    if (text.startsWith('delete from "client_errors"')) await held;
    return query(...args);
  });
  const until = async (): Promise<Date | null> =>
    (await pool.query("SELECT running_until FROM tasks WHERE id = 'client-errors'")).rows[0]
      .running_until;
  const going = run("client-errors");
  await expect.poll(until).not.toBeNull();
  for (let look = 0; look < 5; look += 1) {
    const before = await until();
    host.clock.advance(LOST_MS / 3);
    await expect.poll(until).not.toEqual(before);
  }
  expect(await taskOf("client-errors")).toMatchObject({ running: true });
  expect((await run("client-errors")).status).toBe(409);
  release();
  expect((await going).status).toBe(200);
  expect(await taskOf("client-errors")).toMatchObject({ running: false });
});

it("Runs are kept for thirty days", async () => {
  const { pool } = host.platform.database;
  await pool.query("UPDATE task_runs SET started_at = $1 WHERE task_id = 'files'", [
    new Date(host.clock.now() - RUNS_KEPT_MS - 1_000),
  ]);
  expect((await run("task-runs")).status).toBe(200);
  expect((await runs("?task=files")).total).toBe(0);
});

it(covers([taskList, taskRuns, taskRun, taskPause], "refused"), async () => {
  const calls = {
    "tasks.list": (as: string) => ask("GET", taskList.path, as),
    "tasks.runs": (as: string) => ask("GET", taskRuns.path, as),
    "tasks.run": (as: string) => run("chat", as),
    "tasks.pause": (as: string) => pause("chat", true, as),
  };
  for (const [id, call] of Object.entries(calls)) {
    for (const name of refusedBy(MAY[id as keyof typeof MAY])) {
      expect((await call(name)).status, `${id} by ${name}`).toBe(403);
    }
  }
});

it(covers([taskList, taskRuns, taskRun, taskPause], "foreign"), async () => {
  expect((await list("wangfang", "2")).total).toBe(0);
  expect(await runs("", "wangfang", "2")).toMatchObject({ records: [], total: 0 });
  expect((await run("chat", "wangfang", "2")).status).toBe(404);
  expect((await pause("chat", true, "wangfang", "2")).status).toBe(404);
  expect((await taskOf("chat")).paused).toBe(false);
});

it(covers([taskList, taskRuns, taskRun, taskPause], "invalid"), async () => {
  for (const answer of [
    await ask("GET", `${taskList.path}?limit=0`),
    await ask("GET", `${taskRuns.path}?task=unknown`),
    await run("unknown"),
    await ask("PUT", taskPause.path.replace("{id}", "chat"), "ops", "1", { paused: "yes" }),
  ]) {
    expect(answer.status).toBe(400);
    expect(Object.keys((answer.body.details?.["fields"] ?? {}) as object)).toHaveLength(1);
  }
});
