import { desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { askingPlatform } from "../../asking.harness.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { covers } from "../../covers.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";

const { account, companies, employees, inviteEmployee, lockCompany, ownLocks } = restCalls;
const MAY = whoMay({
  "companies.list": "--+-",
  "companies.lock": "--+-",
  "companies.ownLocks": "++++",
});
const REASON = "长期未缴费";

const { ask, host, tokens } = askingPlatform(["admin", "lina", "ops", "guest"]);
const lock = (id: string, json: unknown, as = "admin", company = "1") =>
  ask("PUT", lockCompany.path.replace("{id}", id), { json, as, in: company });
const list = async (query = "") =>
  companies.data.parse((await ask("GET", `${companies.path}${query}`, {})).body.data).records;
const CHENGNAN = "2";

it(
  covers([companies, lockCompany, ownLocks], "success", "everybody is out of it at once"),
  async () => {
    const [wang, zhang] = [await host.login("wangfang"), await host.login("zhangwei")];
    const rest = (token: string, path: string, supplierId?: string) =>
      host.ask("GET", path, { token, ...(supplierId === undefined ? {} : { supplierId }) });
    expect((await rest(wang.access_token, account.path, CHENGNAN)).status).toBe(200);
    expect((await lock(CHENGNAN, { locked: true, reason: ` ${REASON} ` })).status).toBe(200);

    // Whose only company it is: the login has ended, and the next one is refused with the reason.
    const ended = await rest(wang.access_token, account.path);
    expect([ended.status, ended.body.error]).toEqual([401, "auth.company-locked"]);
    const again = await host.tryLogin("wangfang");
    const said = `企业“城南消防工程有限公司”已被平台锁定：${REASON}。如有疑问，请联系平台管理员`;
    expect([again.status, again.body.error, again.body.msg]).toEqual([
      401,
      "auth.company-locked",
      said,
    ]);
    expect((await host.tryLogin("wangfang", "Wrong2026")).body.error).toBe(
      "auth.invalid-credentials",
    );
    expect((await host.refresh(wang.refresh_token)).body.error).toBe("auth.company-locked");

    // Who has another company goes on there.
    const { access_token: token } = zhang;
    expect((await rest(token, account.path, CHENGNAN)).status).toBe(403);
    expect((await rest(token, account.path, "1")).status).toBe(200);
    const own = await rest(token, `${employees.path}?limit=100`);
    expect(employees.data.parse(own.body.data).records.map(({ supplierId }) => supplierId)).toEqual(
      ["1"],
    );
    const locks = await rest(token, ownLocks.path);
    expect(locks.body.data).toEqual([
      { supplierId: CHENGNAN, supplierName: "城南消防工程有限公司", reason: REASON },
    ]);
    const { directory } = host.platform;
    expect(await directory.colleagues("wangfang")).toEqual([]);

    expect(await list("?state=locked")).toMatchObject([
      { id: CHENGNAN, lockReason: REASON, lockedBy: "管理员", platform: false },
    ]);
    expect((await list("?state=open")).map(({ id }) => id)).toEqual(["1"]);
    expect((await list("?keyword=城南")).map(({ id }) => id)).toEqual([CHENGNAN]);

    expect((await lock(CHENGNAN, { locked: false })).status).toBe(200);
    expect((await rest(token, account.path, CHENGNAN)).status).toBe(200);
    expect((await host.tryLogin("wangfang")).status).toBe(200);
    expect((await rest(token, ownLocks.path)).body.data).toEqual([]);
    const records = await host.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.entityId, CHENGNAN))
      .orderBy(desc(auditRecords.id))
      .limit(2);
    expect(records.map(({ action, after }) => [action, after])).toEqual([
      ["unlock", { lockReason: "" }],
      ["lock", { lockReason: REASON }],
    ]);
  },
);

it("An invitation of a locked company says so, and opens again afterwards", async () => {
  const invited = await ask("POST", inviteEmployee.path, { json: {}, in: CHENGNAN });
  const { link } = inviteEmployee.data.parse(invited.body.data);
  const open = async () => {
    const answer = await fetch(host.origin + link);
    return { status: answer.status, text: await answer.text() };
  };
  expect((await open()).status).toBe(200);
  await lock(CHENGNAN, { locked: true, reason: REASON });
  const closed = await open();
  expect(closed.status).toBe(410);
  expect(closed.text).toContain("企业已被锁定");
  expect(closed.text).toContain("该企业已被平台锁定，暂时不能加入，请联系企业");
  const sent = await host.ask("POST", link, {
    json: { act: "join" },
    headers: { accept: "application/json" },
  });
  expect([sent.status, sent.body.error]).toEqual([410, "invite.closed"]);
  await lock(CHENGNAN, { locked: false });
  expect((await open()).status).toBe(200);
});

it(covers(lockCompany, "invalid", "each with its text"), async () => {
  const silent = await lock(CHENGNAN, { locked: true, reason: " " });
  expect([silent.status, silent.body.details?.["fields"]]).toEqual([
    400,
    { reason: "锁定时须填写原因" },
  ]);
  const own = await lock("1", { locked: true, reason: REASON });
  expect([own.status, own.body.msg]).toEqual([409, "平台自身的企业不能锁定"]);
  const open = await lock(CHENGNAN, { locked: false });
  expect([open.status, open.body.msg]).toEqual([409, "该企业没有锁定，请刷新后再试"]);
  await lock(CHENGNAN, { locked: true, reason: REASON });
  const twice = await lock(CHENGNAN, { locked: true, reason: REASON });
  expect([twice.status, twice.body.msg]).toEqual([409, "该企业已锁定，请刷新后再试"]);
  await lock(CHENGNAN, { locked: false });
  for (const id of ["x", "999999"]) {
    expect((await lock(id, { locked: true, reason: REASON })).status).toBe(404);
  }
});

it(covers(companies, "invalid"), async () => {
  const { body } = await ask("GET", `${companies.path}?state=x&sort=x`, {});
  expect(Object.keys(body.details?.["fields"] ?? {}).toSorted()).toEqual(["sort", "state"]);
});

it(covers([companies, lockCompany], "foreign", "another company sees and locks none"), async () => {
  const answer = await ask("GET", companies.path, { in: CHENGNAN });
  expect(answer.body.data).toMatchObject({ records: [], total: 0 });
  const refused = await lock("1", { locked: true, reason: REASON }, "admin", CHENGNAN);
  expect(refused.status).toBe(404);
});

it(covers([companies, lockCompany, ownLocks], "refused"), async () => {
  const path = lockCompany.path.replace("{id}", CHENGNAN);
  expect((await host.ask("GET", companies.path)).status).toBe(401);
  expect((await host.ask("GET", ownLocks.path)).status).toBe(401);
  expect((await host.ask("PUT", path, { json: { locked: false } })).status).toBe(401);
  for (const name of refusedBy(MAY["companies.lock"])) {
    const as = { token: tokens[name] ?? "", supplierId: "1" };
    expect((await host.ask("GET", companies.path, as)).status, name).toBe(403);
    const json = { locked: true, reason: REASON };
    expect((await host.ask("PUT", path, { ...as, json })).status, name).toBe(403);
  }
});
