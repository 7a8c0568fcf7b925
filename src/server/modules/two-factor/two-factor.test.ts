import { desc, eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { DEMO_PASSWORD } from "../../base/database/seed.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { basic } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { PERIOD, RECOVERY_CODES } from "./codes.ts";

const {
  twoFactor,
  twoFactorBegin,
  twoFactorConfirm,
  twoFactorRecovery,
  twoFactorEnd,
  twoFactorReset,
} = restCalls;
whoMay({
  "twoFactor.get": "++++",
  "twoFactor.begin": "++++",
  "twoFactor.confirm": "++++",
  "twoFactor.recovery": "++++",
  "twoFactor.end": "++++",
  "twoFactor.reset": "--+-",
});

const { host } = platformForTests();

const PERIOD_MS = PERIOD * 1000;
const signIn = (username: string, code?: string, password = DEMO_PASSWORD) =>
  host.ask("POST", "/uaa/login/username", {
    form: {
      username,
      password,
      ...(code === undefined ? {} : { code }),
      grant_type: "password",
    },
    headers: { authorization: basic("sec-web-company-admin") },
  });
/** An authenticator app, written by its standard. */
const appOf = (secret: string) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD });
  return (periods = 0): string =>
    totp.generate({ timestamp: host.clock.now() + periods * PERIOD_MS });
};
const post = (token: string, path: string, json: unknown) =>
  host.ask("POST", path, { token, json });
/** Turns the second factor on, and leaves the period of the confirming code. */
async function turnOn(username: string) {
  const { access_token: token } = await host.login(username);
  const begun = await post(token, twoFactorBegin.path, { password: DEMO_PASSWORD });
  const { secret, uri } = twoFactorBegin.data.parse(begun.body.data);
  const code = appOf(secret);
  const confirmed = await post(token, twoFactorConfirm.path, { code: code() });
  const { recoveryCodes } = twoFactorConfirm.data.parse(confirmed.body.data);
  host.clock.advance(PERIOD_MS);
  return { token, code, uri, secret, recoveryCodes };
}
const stateOf = async (token: string) =>
  twoFactor.data.parse((await host.ask("GET", twoFactor.path, { token })).body.data);
const outcome = ({ status, body }: Awaited<ReturnType<typeof signIn>>) => [status, body.error];

it(
  covers(
    [twoFactor, twoFactorBegin, twoFactorConfirm],
    "success",
    "a login needs a code, each code is good once, for one period more or less",
  ),
  async () => {
    const { token, code, uri, secret, recoveryCodes } = await turnOn("zhangwei");
    expect(uri).toContain(`secret=${secret}`);
    expect(new URL(uri).pathname).toContain("zhangwei");
    expect(recoveryCodes).toHaveLength(RECOVERY_CODES);
    expect(await stateOf(token)).toMatchObject({ on: true, recoveryCodes: RECOVERY_CODES });
    expect(outcome(await signIn("zhangwei"))).toEqual([400, "auth.code-required"]);
    expect(outcome(await signIn("zhangwei", "", DEMO_PASSWORD))).toEqual([
      400,
      "auth.code-required",
    ]);
    expect((await signIn("zhangwei", code())).status).toBe(200);
    expect(outcome(await signIn("zhangwei", code()))).toEqual([400, "auth.code-wrong"]);
    expect((await signIn("zhangwei", code(1))).status).toBe(200);
    expect(outcome(await signIn("zhangwei", code(2)))).toEqual([400, "auth.code-wrong"]);
    host.clock.advance(3 * PERIOD_MS);
    expect(outcome(await signIn("zhangwei", code(-2)))).toEqual([400, "auth.code-wrong"]);
    expect((await signIn("zhangwei", ` ${code(-1)} `)).status).toBe(200);
    // A wrong password does not say whether there is a second factor.
    expect(outcome(await signIn("zhangwei", undefined, "Wrong2026"))).toEqual([
      400,
      "auth.invalid-credentials",
    ]);
    const { rows } = await host.platform.database.pool.query<{ secret: string }>(
      "SELECT secret FROM account_totp",
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
  },
);

it("Of ten logins with one code at once one succeeds", async () => {
  const { code } = await turnOn("wangfang");
  const same = code();
  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn("wangfang", same)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

it("Wrong codes slow down the account from whatever address, and a right password does not forgive them", async () => {
  const { code, recoveryCodes } = await turnOn("ops");
  for (let n = 0; n < 5; n += 1) {
    expect(outcome(await signIn("ops", "000000"))).toEqual([400, "auth.code-wrong"]);
    await signIn("ops");
  }
  const locked = await signIn("ops", code());
  expect(outcome(locked)).toEqual([429, "auth.locked"]);
  expect(locked.body.details?.["retryAfter"]).toBe(1);
  host.clock.advance(1001);
  expect((await signIn("ops", recoveryCodes[0])).status).toBe(200);
});

it(
  covers([twoFactorRecovery, twoFactorEnd], "success", "recovery codes are good once"),
  async () => {
    const { token, code, recoveryCodes } = await turnOn("guest");
    const [first = "", second = ""] = recoveryCodes;
    expect((await signIn("guest", first.toUpperCase().replace("-", " "))).status).toBe(200);
    expect(outcome(await signIn("guest", first))).toEqual([400, "auth.code-wrong"]);
    expect((await stateOf(token)).recoveryCodes).toBe(RECOVERY_CODES - 1);
    const renewed = await post(token, twoFactorRecovery.path, { code: code() });
    const fresh = twoFactorRecovery.data.parse(renewed.body.data).recoveryCodes;
    expect(fresh).toHaveLength(RECOVERY_CODES);
    expect(outcome(await signIn("guest", second))).toEqual([400, "auth.code-wrong"]);
    expect((await post(token, twoFactorEnd.path, { code: fresh[3] })).status).toBe(200);
    expect(await stateOf(token)).toEqual({ on: false, since: null, recoveryCodes: 0 });
    expect((await signIn("guest")).status).toBe(200);
  },
);

it(
  covers(
    twoFactorReset,
    ["success", "refused", "foreign"],
    "an administrator of all companies of the person, with an audit record",
  ),
  async () => {
    await turnOn("lina");
    const { access_token: admin } = await host.login("admin");
    const { pool, db } = host.platform.database;
    const { rows } = await pool.query<{ id: string; company: string; username: string }>(
      `SELECT e.id::text, e.company_id::text AS company, a.username FROM employees e
       JOIN accounts a ON a.id = e.account_id WHERE e.dimission_at IS NULL ORDER BY e.id`,
    );
    const employeeOf = (username: string) => {
      const found = rows.find((row) => row.username === username);
      if (found === undefined) throw new Error(`no employee ${username}`);
      return found;
    };
    const reset = (token: string, id: string, supplierId: string) =>
      host.ask("PUT", twoFactorReset.path.replace("{id}", id), { token, supplierId });
    const lina = employeeOf("lina");
    // another company's employee
    const wangfang = employeeOf("wangfang");
    expect((await reset(admin, wangfang.id, lina.company)).status).toBe(404);
    const own = employeeOf("admin");
    expect((await reset(admin, own.id, own.company)).status).toBe(409);
    const staff = (await host.login("lina").catch(() => null)) === null;
    expect(staff).toBe(true);
    expect((await reset(admin, lina.id, lina.company)).status).toBe(200);
    expect((await signIn("lina")).status).toBe(200);
    expect((await reset(admin, lina.id, lina.company)).status).toBe(409);
    const [record] = await db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.entity, "two-factor"))
      .orderBy(desc(auditRecords.id))
      .limit(1);
    expect(record).toMatchObject({ action: "reset", companyId: lina.company });
    const { access_token: token } = await host.login("lina");
    expect((await reset(token, lina.id, lina.company)).status).toBe(403);

    // zhangwei works in both companies; an administrator of one of them alone must not
    const zhangwei = employeeOf("zhangwei");
    await pool.query(
      `DELETE FROM account_roles WHERE account_id = (SELECT id FROM accounts WHERE username = 'admin')
       AND role_id IN (SELECT id FROM roles WHERE company_id <> $1)`,
      [zhangwei.company],
    );
    expect((await reset(admin, zhangwei.id, zhangwei.company)).status).toBe(403);
    expect(outcome(await signIn("zhangwei"))).toEqual([400, "auth.code-required"]);
  },
);

it(
  covers(
    [twoFactorBegin, twoFactorConfirm, twoFactorRecovery, twoFactorEnd, twoFactorReset],
    "invalid",
  ),
  async () => {
    const { access_token: token } = await host.login("admin");
    const wrong = await post(token, twoFactorBegin.path, { password: "Wrong2026" });
    expect([wrong.status, wrong.body.details?.["fields"]]).toEqual([
      400,
      { password: "密码不正确" },
    ]);
    // nothing was begun
    expect((await post(token, twoFactorConfirm.path, { code: "123456" })).status).toBe(409);
    await post(token, twoFactorBegin.path, { password: DEMO_PASSWORD });
    const refused = await post(token, twoFactorConfirm.path, { code: "000000" });
    expect([refused.status, refused.body.error]).toEqual([400, "auth.code-wrong"]);
    expect((await host.tryLogin("admin")).status).toBe(200);
    for (const call of [twoFactorRecovery, twoFactorEnd]) {
      expect((await post(token, call.path, { code: "123456" })).status).toBe(409);
      const short = await post(token, call.path, { code: "1" });
      expect(Object.keys((short.body.details?.["fields"] ?? {}) as object)).toEqual(["code"]);
    }
    const path = twoFactorReset.path.replace("{id}", "x");
    expect((await host.ask("PUT", path, { token })).body.details?.["fields"]).toEqual({
      "supplier-id": "必填",
    });
    expect((await host.ask("PUT", path, { token, supplierId: "1" })).status).toBe(404);
    // One that counts is not replaced.
    const begun = await post(token, twoFactorBegin.path, { password: DEMO_PASSWORD });
    const { secret } = twoFactorBegin.data.parse(begun.body.data);
    const code = appOf(secret);
    expect((await post(token, twoFactorConfirm.path, { code: code() })).status).toBe(200);
    expect((await post(token, twoFactorBegin.path, { password: DEMO_PASSWORD })).status).toBe(409);
  },
);

it(
  covers([twoFactor, twoFactorBegin, twoFactorConfirm, twoFactorRecovery, twoFactorEnd], "refused"),
  async () => {
    for (const call of [
      twoFactor,
      twoFactorBegin,
      twoFactorConfirm,
      twoFactorRecovery,
      twoFactorEnd,
    ]) {
      const json = call.method === "POST" ? { json: {} } : {};
      const { status } = await host.ask(call.method, call.path, json);
      expect([call.id, status]).toEqual([call.id, 401]);
    }
  },
);
