import { desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { platformForTests } from "../../asking.harness.ts";

const { onlineList, onlineEnd, profile } = restCalls;
const MAY = whoMay({ "online.list": "--+-", "online.end": "--+-" });

const { host, tokens } = platformForTests(["admin", "lina", "wangfang", "ops", "guest"]);

const ask = (method: string, path: string, as = "admin", supplierId = "1") =>
  host.ask(method, path, { token: tokens[as] ?? "", supplierId });
const list = async (query = "", company = "1") => {
  const { body } = await ask("GET", `${onlineList.path}${query}`, "admin", company);
  return onlineList.data.parse(body.data);
};
const end = (id: string, company = "1") =>
  ask("DELETE", onlineEnd.path.replace("{id}", id), "admin", company);
const loginOf = async (username: string, company = "1"): Promise<string> =>
  (await list("", company)).records.find((row) => row.username === username)?.id ?? "";

it(covers(onlineList, "success", "the company's people alone"), async () => {
  const { records, total } = await list();
  expect(total).toBe(4);
  expect(new Set(records.map(({ username }) => username))).toEqual(
    new Set(["admin", "guest", "lina", "ops"]),
  );
  expect(records.find(({ current }) => current)?.username).toBe("admin");
  expect((await list(`?keyword=${encodeURIComponent("李娜")}`)).records).toMatchObject([
    { username: "lina", name: "李娜", active: true, address: "127.0.0.1" },
  ]);
  expect((await list("?keyword=%25")).total).toBe(0);
  expect((await list("?cursor=2&limit=3&searchCount=false")).records).toHaveLength(1);
});

it(covers(onlineEnd, "success", "with an audit record"), async () => {
  const id = await loginOf("ops");
  expect((await end(id)).status).toBe(200);
  expect((await host.ask("GET", profile.path, { token: tokens["ops"] ?? "" })).status).toBe(401);
  expect(await loginOf("ops")).toBe("");
  const [record] = await host.platform.database.db
    .select()
    .from(auditRecords)
    .where(eq(auditRecords.entity, "session"))
    .orderBy(desc(auditRecords.id))
    .limit(1);
  expect(record).toMatchObject({
    companyId: "1",
    actorId: "1",
    action: "sign-out",
    entityId: id,
    before: { username: "ops" },
  });
  expect((await end(id)).status).toBe(404);
});

it(covers([onlineList, onlineEnd], "invalid"), async () => {
  const { body } = await ask("GET", `${onlineList.path}?limit=0`);
  expect(body.details).toMatchObject({ fields: { limit: expect.any(String) as string } });
  expect((await end("1")).status).toBe(400);
  // One's own login ends by a logout.
  expect((await end(await loginOf("admin"))).status).toBe(409);
});

it(covers([onlineList, onlineEnd], "foreign"), async () => {
  const theirs = await loginOf("wangfang", "2");
  expect(theirs).not.toBe("");
  expect((await list()).records.map(({ id }) => id)).not.toContain(theirs);
  const answer = await end(theirs);
  expect([answer.status, answer.body.error]).toEqual([404, "request.not-found"]);
  // Somebody who has left is no longer the company's business.
  const lina = await loginOf("lina");
  await host.platform.database.pool.query(
    "UPDATE employees SET dimission_at = now() WHERE name = '李娜'",
  );
  expect(await loginOf("lina")).toBe("");
  expect((await end(lina)).status).toBe(404);
});

it(covers([onlineList, onlineEnd], "refused"), async () => {
  tokens["ops"] = (await host.login("ops")).access_token;
  for (const call of [onlineList, onlineEnd]) {
    const path = call.path.replace("{id}", "1");
    expect((await host.ask(call.method, path)).status).toBe(401);
    for (const as of refusedBy(MAY[call.id])) {
      expect([as, (await ask(call.method, path, as)).status]).toEqual([as, 403]);
    }
  }
});
