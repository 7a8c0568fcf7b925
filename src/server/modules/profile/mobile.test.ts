/** The own mobile, and a password by a code to it (docs/session.md#profile). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountCall } from "../../../shared/protocol/rest/auth.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { SMS_LIMITS } from "../sms/limits.ts";

const { profile, profileCode, profileMobile, profilePassword, sendSms } = restCalls;
whoMay({ "profile.sendCode": "++++", "profile.mobile": "++++" });

const PASSWORD = "Demo@2026";
let host: TestPlatform;
const sent = new Map<string, string>();
beforeAll(async () => {
  host = await startTestPlatform({
    sms: {
      send(mobile, code) {
        sent.set(mobile, code);
        return Promise.resolve();
      },
    },
  });
}, 60_000);
afterAll(() => host.close());

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
/** Gives the person a mobile, and a fresh login. */
async function proved(name: string): Promise<{ token: string; mobile: string }> {
  const mobile = newMobile();
  const code = await codeFor(mobile);
  const token = await tokenOf(name);
  expect((await change(token, { mobile, ...code, password: PASSWORD })).status).toBe(200);
  return { token, mobile };
}
const otherThan = (code: string): string => (code === "000000" ? "000001" : "000000");

it(
  covers(profileMobile, "success", "the new one counts for a reset, the old one no more"),
  async () => {
    const first = await proved("lina");
    expect(await own(first.token)).toBe(`136****${first.mobile.slice(-4)}`);
    const second = await proved("lina");
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
    const taken = await change(await tokenOf("wangfang"), {
      mobile: theirs.mobile,
      ...used,
      password: PASSWORD,
    });
    expect([taken.status, taken.body.msg]).toEqual([409, "该手机号已注册"]);
  },
);

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
