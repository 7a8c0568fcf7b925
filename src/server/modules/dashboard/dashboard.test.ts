import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";

const { dashboardFigures, employeeCreate } = restCalls;
const MAY = whoMay({ "dashboard.figures": "-+++" });
const HOUR = 3_600_000;

const { host, tokens } = platformForTests([
  "admin",
  "lina",
  "zhangwei",
  "wangfang",
  "ops",
  "guest",
]);

const figures = async (as: string, supplierId = "1") => {
  const { body } = await host.ask("GET", dashboardFigures.path, {
    token: tokens[as] ?? "",
    supplierId,
  });
  return dashboardFigures.data.parse(body.data);
};

/** Writes both records of a call that began some hours ago. */
async function call(
  id: string,
  from: string,
  to: string,
  hoursAgo: number,
  minutes: number | null,
) {
  const start = host.clock.now() - hoursAgo * HOUR;
  const end = start + (minutes ?? 1) * 60_000;
  for (const [owner, peer, direction] of [
    [from, to, "out"],
    [to, from, "in"],
  ]) {
    await host.platform.database.pool.query(
      `INSERT INTO call_records (account_id, call_id, channel, type, media, direction, peer, peer_name, result,
         started_at, answered_at, ended_at, own)
       SELECT id, $1, $1, 1, 'voice', $2, $3, $3, $4, to_timestamp($5), to_timestamp($6), to_timestamp($7), true
       FROM accounts WHERE username = $8`,
      [
        id,
        direction,
        peer,
        minutes === null ? "missed" : "answered",
        start / 1000,
        minutes === null ? null : start / 1000,
        end / 1000,
        owner,
      ],
    );
  }
}

it(covers(dashboardFigures, "success", "counted by day, by what the caller may see"), async () => {
  const empty = await figures("admin");
  expect(empty.days).toHaveLength(14);
  expect(
    empty.days.every(({ calls, minutes, loss }) => calls + minutes === 0 && loss === null),
  ).toBe(true);
  expect(empty).toMatchObject({ employees: 5, applies: 1, scope: "company", online: 5 });

  await call("one", "lina", "zhangwei", 0, 7);
  await call("two", "admin", "lina", 24, null);
  // A call with a person of another company alone is not this company's.
  await call("other", "zhangwei", "wangfang", 0, 3);
  await call("old", "lina", "zhangwei", 24 * 15, 60);
  await host.platform.database.pool.query(
    `INSERT INTO quality_samples (account_id, batch, seq, confr_id, mem_name, kind, time, received_at, record)
     VALUES ('1', 'b', 0, 'one', 'x', 1, 0, now(), '{"packetLossRate": 2}'),
            ('1', 'b', 1, 'one', 'x', 1, 0, now(), '{"packetLossRate": 3}')`,
  );
  const { days } = await figures("admin");
  expect(days.slice(-2).map(({ calls, minutes, loss }) => [calls, minutes, loss])).toEqual([
    [1, 0, null],
    [1, 7, 2.5],
  ]);
  expect(days.reduce((sum, day) => sum + day.calls, 0)).toBe(2);
  const staff = await figures("zhangwei");
  expect(staff).toMatchObject({ employees: 5, applies: null, online: null, scope: "own" });
  expect(staff.days.at(-1)).toMatchObject({ calls: 2, minutes: 10 });
  const there = await figures("wangfang", "2");
  expect([there.employees, there.days.at(-1)?.calls]).toEqual([3, 1]);

  await host.ask("POST", employeeCreate.path, {
    token: tokens["admin"] ?? "",
    supplierId: "1",
    json: { name: "新人" },
  });
  expect(await figures("admin")).toMatchObject({ employees: 6 });
});

it("Operations see what went wrong within the last 24 hours, as far as they may see the lists", async () => {
  const { pool } = host.platform.database;
  const at = (hours: number) => new Date(host.clock.now() - hours * HOUR).toISOString();
  const none = { errors: 0, failedSignIns: 0, failedTasks: 0 };
  expect((await figures("admin")).lastDay).toEqual(none);
  for (const [company, hours, count] of [
    [1, 1, 3],
    [1, 25, 50],
    [2, 1, 7],
  ]) {
    await pool.query(
      `INSERT INTO client_errors (company_id, key, source, message, stack, path, build, count, user_agent, occurred_at, received_at)
       VALUES ($1, gen_random_uuid(), 'page', 'x', '', '/', 'b', $2, '', $3, $3)`,
      [company, count, at(hours ?? 0)],
    );
  }
  // 张伟 works in both companies, 王芳 in the other one.
  for (const [name, hours] of [
    ["zhangwei", 1],
    ["lina", 2],
    ["lina", 25],
    ["wangfang", 1],
  ] as const) {
    await pool.query(
      `INSERT INTO sign_ins (account_id, success, system_name, address, user_agent, created_at)
       SELECT id, false, 'x', '1.1.1.1', '', $2 FROM accounts WHERE username = $1`,
      [name, at(hours)],
    );
  }
  await pool.query(
    `INSERT INTO task_runs (task_id, started_at, took_ms, error) SELECT id, $1, 1, 'x' FROM tasks LIMIT 1`,
    [at(3)],
  );
  expect((await figures("admin")).lastDay).toEqual({ errors: 3, failedSignIns: 2, failedTasks: 1 });
  const unseen = { errors: null, failedSignIns: null, failedTasks: null };
  expect((await figures("lina")).lastDay).toEqual(unseen);
  expect((await figures("zhangwei")).lastDay).toEqual(unseen);
  // The tasks are the platform's, which its own company runs.
  expect((await figures("admin", "2")).lastDay).toEqual({
    errors: 7,
    failedSignIns: 2,
    failedTasks: null,
  });
});

it(covers(dashboardFigures, ["refused", "foreign", "invalid"]), async () => {
  expect((await host.ask("GET", dashboardFigures.path)).status).toBe(401);
  for (const [as, supplierId, status] of [
    ...refusedBy(MAY["dashboard.figures"]).map((name) => [name, "1", 403] as const),
    ["wangfang", "1", 403],
    ["lina", "", 400],
  ] as const) {
    const answer = await host.ask("GET", dashboardFigures.path, {
      token: tokens[as] ?? "",
      ...(supplierId === "" ? {} : { supplierId }),
    });
    expect([as, answer.status]).toEqual([as, status]);
  }
});
