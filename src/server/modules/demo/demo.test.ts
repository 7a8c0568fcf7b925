import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { isIdNumber } from "../../../shared/domain/validate.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";

const {
  bulletinTop,
  demoState,
  demoRemove,
  dashboardFigures,
  departmentTree,
  employeeBindAccount,
  auditList,
} = restCalls;
const MAY = whoMay({ "demo.state": "--+-", "demo.remove": "--+-" });
const NAME = "华安物业服务有限公司";

const { host, tokens } = platformForTests(["admin", "lina", "ops", "guest", "wangfang"], {
  env: { DEMO_DATA: "full" },
});

const ask = (
  { method, path }: { readonly method: string; readonly path: string },
  json?: unknown,
  as = "admin",
  supplierId = "1",
) =>
  host.ask(method, path, {
    token: tokens[as] ?? "",
    supplierId,
    ...(json === undefined ? {} : { json }),
  });
const rowsOf = async (query: string): Promise<Record<string, unknown>[]> =>
  (await host.platform.database.pool.query<Record<string, unknown>>(query)).rows;
const figures = async () => dashboardFigures.data.parse((await ask(dashboardFigures)).body.data);

it(
  covers([demoState, dashboardFigures], "success", "the demo's company is in full work"),
  async () => {
    const state = demoState.data.parse((await ask(demoState)).body.data);
    expect(state.employees).toBe(295);
    expect(state.rows).toBeGreaterThan(600);
    const shown = await figures();
    expect(shown.employees).toBeGreaterThan(280);
    expect(shown.joined).toBeGreaterThan(10);
    for (const { calls, minutes } of shown.days) {
      expect(calls).toBeGreaterThan(2);
      expect(minutes).toBeGreaterThan(0);
    }
    expect(shown.days.some(({ loss }) => loss !== null)).toBe(true);
    const tree = departmentTree.data.parse((await ask(departmentTree)).body.data);
    const parents = new Map(tree.map(({ id, parentId }) => [id, parentId]));
    const depth = (id: string | null | undefined): number =>
      id === null || id === undefined ? 0 : 1 + depth(parents.get(id));
    expect(Math.max(...tree.map(({ id }) => depth(id)))).toBe(3);
    const numbers = await rowsOf("SELECT id_number FROM employees WHERE id_number IS NOT NULL");
    expect(numbers.every((row) => isIdNumber(String(row["id_number"])))).toBe(true);
    // Each group call names those who were inside.
    const together = await rowsOf(
      `SELECT r.channel, count(DISTINCT v.user_name)::int AS inside FROM call_records r
        LEFT JOIN group_call_visits v ON v.conference_id = r.channel WHERE r.type = 2 GROUP BY r.channel`,
    );
    expect(together.length).toBe(5);
    for (const { inside } of together) expect(inside).toBe(3);
    // The history of a conversation is read as the chat reads it.
    const [talk] = await rowsOf(
      "SELECT count(*)::int AS n, max(sent_at) <= $now$ AS past FROM chat_message".replace(
        "$now$",
        String(host.clock.now()),
      ),
    );
    expect(talk).toMatchObject({ past: true });
    expect(talk?.["n"]).toBeGreaterThan(50);
    // Of each conversation only the newest message is unread.
    const unread = await rowsOf(
      `SELECT m.conversation, count(*)::int AS n FROM chat_message m
        LEFT JOIN chat_read r ON r.reader = m.recipient AND r.sender = m.sender
        WHERE m.id > coalesce(r.up_to, 0) GROUP BY m.conversation`,
    );
    expect(unread.length).toBeGreaterThan(0);
    expect(unread.map(({ n }) => n)).toEqual(unread.map(() => 1));
    const news = await ask(bulletinTop);
    expect(news.body.data).toMatchObject({ total: 3, records: [{ noticeType: "1" }, {}, {}] });
    // The operation log holds the changes that made the demo data, newest first.
    const log = auditList.data.parse((await ask(auditList)).body.data);
    expect(log.total).toBeGreaterThan(60);
    const times = log.records.map(({ createTime }) => createTime);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(log.records.map(({ actorName }) => actorName))).toEqual(new Set(["管理员"]));
    // The other company has none of it.
    expect((await ask(demoState, undefined, "admin", "2")).body.data).toEqual({
      rows: 0,
      employees: 0,
    });
  },
);

it(covers([demoState, demoRemove], ["refused", "invalid", "foreign"]), async () => {
  for (const call of [demoState, demoRemove]) {
    const json = call.method === "POST" ? { name: NAME } : undefined;
    expect((await host.ask(call.method, call.path, { json })).status).toBe(401);
    for (const as of [...refusedBy(MAY["demo.remove"]), "wangfang"]) {
      expect([as, (await ask(call, json, as)).status]).toEqual([as, 403]);
    }
  }
  for (const name of ["", "华安", "城南消防工程有限公司"]) {
    const { status, body } = await ask(demoRemove, { name });
    expect([status, body.details]).toEqual([400, { fields: { name: "与企业名称不一致" } }]);
  }
  const other = await ask(demoRemove, { name: "城南消防工程有限公司" }, "admin", "2");
  expect(other.body.data).toEqual({ removed: 0 });
  expect(demoState.data.parse((await ask(demoState)).body.data).employees).toBe(295);
});

it(covers(demoRemove, "success", "what people made themselves stays"), async () => {
  const [worker] = await rowsOf(
    `SELECT e.id::text AS id, e.department_id::text AS department, e.version FROM employees e
     JOIN demo_rows d ON d.kind = 'employee' AND d.id = e.id::text WHERE e.dimission_at IS NULL ORDER BY e.id LIMIT 1`,
  );
  const [guest] = await rowsOf("SELECT id::text AS id FROM accounts WHERE username = 'guest'");
  const [bound] = await rowsOf(
    `SELECT id::text AS id, version FROM employees WHERE account_id = ${String(guest?.["id"])}`,
  );
  await ask(employeeBindAccount, {
    employeeId: bound?.["id"],
    accountId: null,
    version: bound?.["version"],
  });
  const moved = await ask(employeeBindAccount, {
    employeeId: worker?.["id"],
    accountId: guest?.["id"],
    version: worker?.["version"],
  });
  expect(moved.status).toBe(200);
  const [before] = await rowsOf("SELECT count(*)::int AS n FROM demo_rows");
  const { status, body } = await ask(demoRemove, { name: NAME });
  expect(status).toBe(200);
  // The employee with an account stays, and so does the department with those above it.
  expect(body.data).toEqual({ removed: Number(before?.["n"]) - 4 });
  expect(await rowsOf("SELECT 1 FROM demo_rows")).toEqual([]);
  expect(
    await rowsOf(
      `SELECT department_id::text AS department FROM employees WHERE id = ${String(worker?.["id"])}`,
    ),
  ).toEqual([{ department: worker?.["department"] }]);
  const shown = await figures();
  expect(shown.employees).toBe(6);
  expect(shown.days.every(({ calls }) => calls === 0)).toBe(true);
  expect(
    await rowsOf(
      "SELECT 1 FROM chat_message UNION ALL SELECT 1 FROM quality_samples UNION ALL SELECT 1 FROM conferences UNION ALL SELECT 1 FROM group_call_visits",
    ),
  ).toEqual([]);
  // What people did is still in the log; what the demo's people did is not.
  expect(
    await rowsOf(
      "SELECT DISTINCT action FROM audit_records WHERE entity = 'employee' ORDER BY action",
    ),
  ).toEqual([{ action: "bind" }, { action: "unbind" }]);
  const [record] = await rowsOf(
    "SELECT company_id, action FROM audit_records WHERE entity = 'demo-data' ORDER BY id DESC",
  );
  expect(record).toMatchObject({ action: "delete" });
  expect((await ask(demoRemove, { name: NAME })).body.data).toEqual({ removed: 0 });
});
