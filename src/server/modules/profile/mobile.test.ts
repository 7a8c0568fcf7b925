/** The own mobile, and a password by a code to it (docs/session.md#profile). */
import { beforeEach, expect, it } from "vitest";
import { accountCall } from "../../../shared/protocol/rest/auth.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { keepsCodes } from "../sms/sms.harness.ts";
import type { Answer } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { SMS_LIMITS } from "../sms/limits.ts";

const { releaseMobile } = restCalls;
const { profile, profileCode, profileMobile, profilePassword, sendSms } = restCalls;
whoMay({
  "profile.sendCode": "++++",
  "profile.mobile": "++++",
  "employees.releaseMobile": "--+-",
});

const PASSWORD = "Demo@2026";
const { sent, sms } = keepsCodes();
/** Numbers that were warned that their account uses them no more. */
const warned: string[] = [];
/** Whether the service refuses to warn. */
let isDeaf = false;
const { host } = platformForTests([], {
  sms: {
    ...sms,
    mobileGone(mobile) {
      warned.push(mobile);
      return isDeaf ? Promise.reject(new Error("the provider is away")) : Promise.resolve();
    },
  },
});
beforeEach(async () => {
  await host.platform.database.pool.query("DELETE FROM account_mobiles");
  warned.length = 0;
});

let serial = 0;
const newMobile = (): string => `136${String((serial += 1)).padStart(8, "0")}`;
const tokenOf = async (name: string) => (await host.login(name)).access_token;
/** A day passes, so that the address may ask for another code. */
async function codeFor(mobile: string): Promise<{ smsCode: string; requestKey: string }> {
  host.clock.advance(24 * 60 * 60_000);
  const { body } = await host.ask("POST", sendSms.path, { json: { mobile } });
  const { requestKey = "" } = sendSms.data.parse(body.data);
  return { smsCode: sent.get(mobile) ?? "", requestKey };
}
const change = (token: string, json: unknown): Promise<Answer> =>
  host.ask("PUT", profileMobile.path, { token, json });
const own = async (token: string) =>
  profile.data.parse((await host.ask("GET", profile.path, { token })).body.data).mobile;
/** The code that the person's mobile gets, as the profile sends it. A day passes. */
async function ownCode(name: string) {
  host.clock.advance(24 * 60 * 60_000);
  const token = await tokenOf(name);
  const { body } = await host.ask("POST", profileCode.path, { token, json: {} });
  const { requestKey = "" } = profileCode.data.parse(body.data);
  return requestKey;
}
/** Gives the person a first mobile, and a fresh login. */
async function proved(name: string): Promise<{ token: string; mobile: string }> {
  const mobile = newMobile();
  const code = await codeFor(mobile);
  const token = await tokenOf(name);
  expect((await change(token, { mobile, ...code, password: PASSWORD })).status).toBe(200);
  return { token, mobile };
}
/** Changes the mobile as its owner does, by codes to both numbers. */
async function moved(name: string, from: string) {
  const oldRequestKey = await ownCode(name);
  const oldCode = sent.get(from);
  const mobile = newMobile();
  const { body } = await host.ask("POST", sendSms.path, { json: { mobile } });
  const { requestKey } = sendSms.data.parse(body.data);
  const token = await tokenOf(name);
  const json = { mobile, smsCode: sent.get(mobile), requestKey, oldCode, oldRequestKey };
  return { token, mobile, json: { ...json, password: PASSWORD } };
}
const otherThan = (code: string): string => (code === "000000" ? "000001" : "000000");

it(
  covers(profileMobile, "success", "the new one counts for a reset, the old one no more"),
  async () => {
    const first = await proved("lina");
    expect(await own(first.token)).toBe(`136****${first.mobile.slice(-4)}`);
    const second = await moved("lina", first.mobile);
    expect((await change(second.token, second.json)).status).toBe(200);
    expect(warned, "the old number is warned, the new one is not").toEqual([first.mobile]);
    expect(await own(second.token)).toBe(`136****${second.mobile.slice(-4)}`);
    const reset = (mobile: string, code: object) =>
      host.ask("POST", "/uaa/api/resetPassword", {
        form: { mobile, newPassword: PASSWORD, ...code } as Record<string, string>,
      });
    expect((await reset(first.mobile, await codeFor(first.mobile))).status).toBe(400);
    expect((await reset(second.mobile, await codeFor(second.mobile))).status).toBe(200);
  },
);

it(
  covers(profileMobile, "invalid", "a wrong code, a wrong password, a number of somebody else"),
  async () => {
    const theirs = await proved("zhangwei");
    const mobile = newMobile();
    const code = await codeFor(mobile);
    const token = await tokenOf("wangfang");
    const good = { mobile, ...code, password: PASSWORD };
    const fields = await change(token, { ...good, mobile: "1", smsCode: "1" });
    expect(Object.keys(fields.body.details?.["fields"] ?? {})).toEqual(["mobile", "smsCode"]);
    const password = await change(token, { ...good, password: "Wrong2026" });
    expect([password.status, password.body.msg, password.body.details?.["fields"]]).toEqual([
      400,
      "密码不正确",
      { password: "密码不正确" },
    ]);
    const wrong = await change(token, { ...good, smsCode: otherThan(code.smsCode) });
    expect([wrong.status, wrong.body.msg]).toEqual([400, "验证码不正确或已过期"]);
    // A code proves its own number alone.
    expect((await change(token, { ...good, mobile: newMobile() })).status).toBe(400);
    expect(await own(token)).toBe("");
    expect((await change(token, good)).status).toBe(200);
    const used = await codeFor(theirs.mobile);
    const taken = await change(await tokenOf("lina"), {
      mobile: theirs.mobile,
      ...used,
      password: PASSWORD,
    });
    expect([taken.status, taken.body.msg]).toEqual([409, "该手机号已注册"]);
  },
);

it("A stolen login with its password takes no account: the mobile so far has to prove the change", async () => {
  const { mobile: theirs } = await proved("ops");
  const { token, json, mobile } = await moved("ops", theirs);
  // Everything but the old phone.
  const { oldCode, oldRequestKey, ...without } = json;
  const none = await change(token, without);
  expect([none.status, none.body.msg, none.body.details?.["fields"]]).toEqual([
    400,
    "请填写发送到原手机号的验证码",
    { oldCode: "请填写发送到原手机号的验证码" },
  ]);
  const guessed = await change(token, { ...json, oldCode: otherThan(oldCode ?? "") });
  expect(guessed.body.details?.["fields"]).toEqual({ oldCode: "验证码不正确或已过期" });
  // The thief's own code, and the key of the thief's own page, stand for none of the old number.
  for (const forged of [
    { oldCode: json.smsCode, oldRequestKey: json.requestKey },
    { oldCode: json.smsCode, oldRequestKey },
  ]) {
    const answer = await change(token, { ...json, ...forged });
    expect(answer.body.details?.["fields"]).toEqual({ oldCode: "验证码不正确或已过期" });
  }
  const same = await change(token, { ...json, mobile: theirs });
  expect([same.status, same.body.details?.["fields"]]).toEqual([
    400,
    { mobile: "这是您现在的手机号" },
  ]);
  expect([await own(token), warned]).toEqual([`136****${theirs.slice(-4)}`, []]);
  // Refused for a wrong code of the new number, that of the old one is as good as before.
  expect((await change(token, { ...json, smsCode: otherThan(json.smsCode ?? "") })).status).toBe(
    400,
  );
  expect((await change(token, json)).status).toBe(200);
  expect([await own(token), warned]).toEqual([`136****${mobile.slice(-4)}`, [theirs]]);
});

it("Of two changes at once one counts", async () => {
  const { mobile: first } = await proved("zhangwei");
  const { token, json } = await moved("zhangwei", first);
  const mobile = newMobile();
  const { body } = await host.ask("POST", sendSms.path, { json: { mobile } });
  const { requestKey } = sendSms.data.parse(body.data);
  const other = { ...json, mobile, smsCode: sent.get(mobile), requestKey };
  const answers = await Promise.all([change(token, json), change(token, other)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

it(
  covers(
    releaseMobile,
    "success",
    "a lost number is told, and a new one needs the password and its code alone",
  ),
  async () => {
    const { token, mobile: lost } = await proved("lina");
    isDeaf = true;
    const { access_token: admin } = await host.login("admin");
    const { pool } = host.platform.database;
    const { rows } = await pool.query<{ id: string; account: string }>(
      `SELECT e.id::text AS id, a.id::text AS account FROM employees e JOIN accounts a ON a.id = e.account_id
       WHERE a.username = 'lina' AND e.company_id = 1`,
    );
    const [{ id, account } = { id: "", account: "" }] = rows;
    const release = (by = admin) =>
      host.ask("PUT", releaseMobile.path.replace("{id}", id), { token: by, supplierId: "1" });
    expect((await release(token)).status, "nobody releases the own mobile").toBe(403);
    expect((await release()).status).toBe(200);
    isDeaf = false;
    expect([await own(token), warned]).toEqual(["", [lost]]);
    const again = await release();
    expect([again.status, again.body.msg]).toEqual([409, "该账号没有验证过手机号"]);
    const { rows: records } = await pool.query(
      "SELECT action, before FROM audit_records WHERE entity = 'account' AND entity_id = $1 AND company_id = 1",
      [account],
    );
    expect(records).toEqual([
      { action: "release-mobile", before: { mobile: `136****${lost.slice(-4)}` } },
    ]);
    // The lost number resets no password any more.
    const reset = await host.ask("POST", "/uaa/api/resetPassword", {
      form: { mobile: lost, newPassword: PASSWORD, ...(await codeFor(lost)) },
    });
    expect(reset.status).toBe(400);
    const mobile = newMobile();
    const code = await codeFor(mobile);
    const fresh = await tokenOf("lina");
    const wrong = await change(fresh, { mobile, ...code, password: "Wrong2026" });
    expect(wrong.body.details?.["fields"]).toEqual({ password: "密码不正确" });
    expect((await change(fresh, { mobile, ...code, password: PASSWORD })).status).toBe(200);
  },
);

it(covers(releaseMobile, ["invalid", "refused", "foreign"]), async () => {
  const { access_token: admin } = await host.login("admin");
  const { rows } = await host.platform.database.pool.query<{ id: string; name: string }>(
    `SELECT e.id::text AS id, a.username || e.company_id AS name FROM employees e JOIN accounts a ON a.id = e.account_id`,
  );
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? "";
  const release = (id: string, token = admin) =>
    host.ask("PUT", releaseMobile.path.replace("{id}", id), { token, supplierId: "1" });
  expect((await release("none")).status).toBe(404);
  expect((await release(idOf("wangfang2"))).status, "of another company").toBe(404);
  const ownMobile = await release(idOf("admin1"));
  expect([ownMobile.status, ownMobile.body.msg]).toEqual([
    409,
    "不能解除自己的手机号，请由其他管理员操作",
  ]);
  expect((await release(idOf("lina1"), await tokenOf("ops"))).status).toBe(403);
});

it("Wrong codes for a new number are limited as those of a reset", async () => {
  const mobile = newMobile();
  const code = await codeFor(mobile);
  const token = await tokenOf("ops");
  const wrong = { mobile, ...code, smsCode: otherThan(code.smsCode), password: PASSWORD };
  for (let n = 0; n < SMS_LIMITS.failures; n += 1) {
    expect((await change(token, wrong)).status).toBe(400);
  }
  expect((await change(token, { ...wrong, smsCode: code.smsCode })).status).toBe(400);
  for (let n = SMS_LIMITS.failures; n < SMS_LIMITS.guessesPerPair; n += 1) {
    await change(token, wrong);
  }
  const late = await change(token, wrong);
  expect([late.status, late.body.msg]).toEqual([429, "验证码错误次数过多，请稍后再试"]);
});

it(
  covers([profileCode, profilePassword], "success", "a password by a code to the own mobile"),
  async () => {
    const { mobile } = await proved("admin");
    host.clock.advance(24 * 60 * 60_000);
    const [here, there] = [await tokenOf("admin"), await tokenOf("admin")];
    const asked = await host.ask("POST", profileCode.path, { token: here, json: {} });
    expect(asked.body.data).toMatchObject({
      expiresIn: SMS_LIMITS.lifetime,
      retryAfter: SMS_LIMITS.between,
    });
    // No answer names the number or the code.
    expect(JSON.stringify(asked.body)).not.toMatch(new RegExp(`${mobile}|${sent.get(mobile)}`));
    const { requestKey } = profileCode.data.parse(asked.body.data);
    const json = { smsCode: sent.get(mobile), requestKey, newPassword: "Changed2026" };
    const wrong = await host.ask("PUT", profilePassword.path, {
      token: here,
      json: { ...json, smsCode: otherThan(json.smsCode ?? "") },
    });
    expect([wrong.status, wrong.body.msg]).toEqual([400, "验证码不正确或已过期"]);
    expect((await host.ask("PUT", profilePassword.path, { token: here, json })).status).toBe(200);
    // The other login ends, this one goes on.
    expect((await host.ask("GET", accountCall.path, { token: there })).status).toBe(401);
    expect((await host.ask("GET", accountCall.path, { token: here })).status).toBe(200);
    expect((await host.tryLogin("admin")).status).toBe(400);
    expect((await host.tryLogin("admin", "Changed2026")).status).toBe(200);
    const again = await host.ask("PUT", profilePassword.path, { token: here, json });
    expect(again.status).toBe(400);
    const soon = await host.ask("POST", profileCode.path, { token: here, json: {} });
    expect([soon.status, soon.body.msg]).toEqual([429, "验证码发送过于频繁，请稍后再试"]);
  },
);

it("Who has proved no mobile reads that the old password is needed", async () => {
  const token = await tokenOf("guest");
  const said = "您还没有验证手机号，请使用原密码";
  const asked = await host.ask("POST", profileCode.path, { token, json: {} });
  expect([asked.status, asked.body.msg]).toEqual([409, said]);
  const json = { smsCode: "123456", newPassword: "Changed2026" };
  const set = await host.ask("PUT", profilePassword.path, { token, json });
  expect([set.status, set.body.msg]).toEqual([409, said]);
  const none = await host.ask("PUT", profilePassword.path, {
    token,
    json: { newPassword: "Changed2026" },
  });
  expect(none.body.details?.["fields"]).toEqual({ oldPassword: "必填" });
});

it(covers([profileCode, profileMobile], "refused"), async () => {
  expect((await host.ask("POST", profileCode.path, { json: {} })).status).toBe(401);
  expect((await host.ask("PUT", profileMobile.path, { json: {} })).status).toBe(401);
});
