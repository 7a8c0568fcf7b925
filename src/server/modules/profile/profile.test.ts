import { desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { whoMay } from "../../who-may.harness.ts";
import { platformForTests } from "../../asking.harness.ts";

const { profile, profileUpdate, profilePassword, profileUnlock, ownSessions, endOwnSession } =
  restCalls;
whoMay({
  "profile.get": "++++",
  "profile.update": "++++",
  "profile.password": "++++",
  "profile.unlock": "++++",
  "profile.sessions": "++++",
  "profile.endSession": "++++",
});

const { host } = platformForTests();

const tokenOf = async (name: string): Promise<string> => (await host.login(name)).access_token;
const sessionsOf = async (token: string, query = "") => {
  const { body } = await host.ask("GET", `${ownSessions.path}${query}`, { token });
  return ownSessions.data.parse(body.data);
};
const end = (token: string, id: string) =>
  host.ask("DELETE", endOwnSession.path.replace("{id}", id), { token });
const isLive = async (token: string): Promise<boolean> =>
  (await host.ask("GET", profile.path, { token })).status === 200;
const fieldsOf = (answer: { body: { details?: Record<string, unknown> } }) =>
  Object.keys((answer.body.details?.["fields"] ?? {}) as object);

it(covers([profile, profileUpdate], "success"), async () => {
  const token = await tokenOf("guest");
  const { body } = await host.ask("GET", profile.path, { token });
  expect(profile.data.parse(body.data)).toMatchObject({ username: "guest", mobile: "" });
  const { pool, db } = host.platform.database;
  const { id } = body.data as { id: string };
  await pool.query("INSERT INTO account_mobiles VALUES ($1, '13812345678')", [id]);
  const json = { nickname: "新名", introduction: "一句话" };
  const changed = await host.ask("PUT", profileUpdate.path, { token, json });
  expect(changed.body.data).toMatchObject({ ...json, mobile: "138****5678" });
  const [record] = await db
    .select()
    .from(auditRecords)
    .where(eq(auditRecords.entity, "account"))
    .orderBy(desc(auditRecords.id))
    .limit(1);
  expect(record).toMatchObject({ actorId: id, entityId: id, action: "update", after: json });
});

it(covers(profilePassword, "success", "other logins end, this one goes on"), async () => {
  const here = await tokenOf("ops");
  const there = await tokenOf("ops");
  const json = { oldPassword: "Demo@2026", newPassword: "Changed2026" };
  expect((await host.ask("PUT", profilePassword.path, { token: here, json })).status).toBe(200);
  expect([await isLive(here), await isLive(there)]).toEqual([true, false]);
  expect((await host.tryLogin("ops")).status).toBe(400);
  expect((await host.tryLogin("ops", "Changed2026")).status).toBe(200);
});

it(
  covers(
    profileUnlock,
    "success",
    "and a wrong password is refused, after many of them any password",
  ),
  async () => {
    const token = await tokenOf("guest");
    const unlock = (password: string) =>
      host.ask("POST", profileUnlock.path, { token, json: { password } });
    expect((await unlock("Demo@2026")).status).toBe(200);
    const wrong = await unlock("wrong-one");
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ["password"]]);
    for (let tries = 0; tries < 9; tries++) await unlock("wrong-one");
    expect((await unlock("Demo@2026")).status).toBe(429);
    host.clock.advance(15 * 60_000);
    expect((await unlock("Demo@2026")).status).toBe(200);
  },
);

it(covers([ownSessions, endOwnSession], "success"), async () => {
  const first = await tokenOf("lina");
  host.clock.advance(60_000);
  const second = await tokenOf("lina");
  const { records, total } = await sessionsOf(second);
  expect(total).toBe(2);
  expect(records.map(({ current, active }) => [current, active])).toEqual([
    [true, true],
    [false, true],
  ]);
  expect(records[0]).toMatchObject({ systemName: "sec-web-company-admin", address: "127.0.0.1" });
  expect(records[0]?.userAgent).not.toBe("");
  const other = records[1]?.id ?? "";
  expect((await end(second, other)).status).toBe(200);
  expect([await isLive(first), await isLive(second)]).toEqual([false, true]);
  expect((await sessionsOf(second)).total).toBe(1);
  expect((await end(second, other)).status).toBe(404);
  // A login whose token was not renewed is hardly used, though it goes on.
  host.clock.advance(1801 * 1000);
  const later = await sessionsOf(await tokenOf("lina"));
  expect(later.records.map(({ active }) => active)).toEqual([true, false]);
});

it(
  covers([profileUpdate, profilePassword, profileUnlock, ownSessions, endOwnSession], "invalid"),
  async () => {
    const token = await tokenOf("zhangwei");
    const put = (path: string, json: unknown) => host.ask("PUT", path, { token, json });
    expect(fieldsOf(await put(profileUpdate.path, { nickname: " ", introduction: "a\0" }))).toEqual(
      ["nickname", "introduction"],
    );
    const weak = { oldPassword: "Demo@2026", newPassword: "short" };
    expect(fieldsOf(await put(profilePassword.path, weak))).toEqual(["newPassword"]);
    const wrong = { oldPassword: "Wrong2026", newPassword: "Changed2026" };
    expect((await put(profilePassword.path, wrong)).body.msg).toBe("原密码不正确");
    const none = await host.ask("POST", profileUnlock.path, { token, json: { password: "" } });
    expect(fieldsOf(none)).toEqual(["password"]);
    const limit = await host.ask("GET", `${ownSessions.path}?limit=0`, { token });
    expect(fieldsOf(limit)).toEqual(["limit"]);
    expect(fieldsOf(await end(token, "1"))).toEqual(["id"]);
    const [own] = (await sessionsOf(token)).records;
    expect((await end(token, own?.id ?? "")).status).toBe(409);
    expect(await isLive(token)).toBe(true);
  },
);

it(
  covers(
    [profile, profileUpdate, profilePassword, profileUnlock, ownSessions, endOwnSession],
    "refused",
  ),
  async () => {
    for (const call of [
      profile,
      profileUpdate,
      profilePassword,
      profileUnlock,
      ownSessions,
      endOwnSession,
    ]) {
      const json = call.method === "PUT" || call.method === "POST" ? { json: {} } : {};
      const { status } = await host.ask(call.method, call.path.replace("{id}", "1"), json);
      expect([call.id, status]).toEqual([call.id, 401]);
    }
  },
);

it(covers(endOwnSession, "foreign"), async () => {
  const theirs = await tokenOf("wangfang");
  const [login] = (await sessionsOf(theirs)).records;
  const answer = await end(await tokenOf("admin"), login?.id ?? "");
  expect([answer.status, answer.body.error]).toEqual([404, "request.not-found"]);
  expect(await isLive(theirs)).toBe(true);
});
