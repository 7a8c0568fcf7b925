import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { covers } from "../../covers.harness.ts";
import { accountCall } from "../../../shared/protocol/rest/auth.ts";
import { accountInfoSchema } from "../../../shared/protocol/rest/entities.ts";
import {
  registerCall,
  restCalls,
  versionAppliesCall,
} from "../../../shared/protocol/rest/index.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { smsCodes } from "../../base/database/schema/registration.ts";
import { SMS_LIMITS } from "../sms/limits.ts";
import { startTestPlatform, type Answer, type TestPlatform } from "../../platform.harness.ts";

describe("Registration, codes and passwords", () => {
  let platform: TestPlatform;
  const sent = new Map<string, string>();
  let serial = 0;

  beforeAll(async () => {
    platform = await startTestPlatform({
      sms: {
        send(mobile, code) {
          if (mobile === "13999999999") return Promise.reject(new Error("the provider is away"));
          sent.set(mobile, code);
          return Promise.resolve();
        },
      },
    });
  }, 120_000);
  afterAll(() => platform.close());

  const newMobile = (): string => `138${String((serial += 1)).padStart(8, "0")}`;
  const send = (mobile: string): Promise<Answer> =>
    platform.ask("POST", "/dc-message/api/register/mobile/sendSms", { json: { mobile } });
  /** A day passes, so that the address may request another code. */
  async function codeFor(mobile: string): Promise<string> {
    platform.clock.advance(24 * 60 * 60_000);
    expect((await send(mobile)).status).toBe(200);
    return sent.get(mobile) ?? "";
  }
  const otherThan = (code: string): string => (code === "000000" ? "000001" : "000000");
  const fieldsOf = (answer: Answer): string[] => Object.keys(answer.body.details?.["fields"] ?? {});
  const form = (mobile: string, smsCode: string, username: string) => ({
    supplierName: `${username} 有限公司`,
    contact: "赵六",
    mobile,
    smsCode,
    username,
    password: "Secret2026",
  });
  const register = (json: Record<string, unknown>): Promise<Answer> =>
    platform.ask("POST", registerCall.path, { json });
  const reset = (fields: Record<string, string>, token?: string): Promise<Answer> =>
    platform.ask("POST", "/uaa/api/resetPassword", {
      form: fields,
      ...(token === undefined ? {} : { token }),
    });
  async function registered(username: string): Promise<{ mobile: string; supplierId: string }> {
    const mobile = newMobile();
    const answer = await register(form(mobile, await codeFor(mobile), username));
    expect(answer.body.msg).toBe("操作成功");
    return { mobile, supplierId: registerCall.data.parse(answer.body.data).supplierId };
  }
  const tokenOf = async (username: string, password: string): Promise<string> => {
    const { body } = await platform.tryLogin(username, password);
    return (body.data as { access_token: string }).access_token;
  };

  it(covers(restCalls.sendSms, "success", "kept as a hash"), async () => {
    const mobile = newMobile();
    const answer = await send(mobile);
    expect(answer.body).toEqual({
      code: 0,
      msg: "操作成功",
      data: { expiresIn: 300, retryAfter: 60, requestKey: expect.stringMatching(/^[\w-]{32}$/) },
    });
    expect(sent.get(mobile)).toMatch(/^\d{6}$/);
    const [row] = await platform.platform.database.db
      .select()
      .from(smsCodes)
      .where(eq(smsCodes.mobile, mobile));
    expect(row?.codeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(answer.body)).not.toContain(sent.get(mobile) ?? "-");
  });

  it(covers(restCalls.sendSms, "invalid"), async () => {
    for (const mobile of ["", "12345678901", "1380000000", "13800000000\u0000"]) {
      expect(fieldsOf(await send(mobile))).toEqual(["mobile"]);
    }
  });

  it(covers(restCalls.sendSms, "refused", "limits of mobile and address"), async () => {
    platform.clock.advance(24 * 60 * 60_000);
    const mobile = newMobile();
    expect((await send(mobile)).status).toBe(200);
    const early = await send(mobile);
    expect(early.status).toBe(429);
    expect(early.body).toMatchObject({
      error: "request.rate-limited",
      details: { retryAfter: SMS_LIMITS.between },
    });
    for (let i = 1; i < SMS_LIMITS.perPair; i += 1) {
      platform.clock.advance(60_000);
      expect((await send(mobile)).status).toBe(200);
    }
    platform.clock.advance(60_000);
    expect((await send(mobile)).status).toBe(429);
    for (let i = SMS_LIMITS.perPair; i < SMS_LIMITS.perAddress; i += 1) {
      expect((await send(newMobile())).status).toBe(200);
    }
    expect((await send(newMobile())).status).toBe(429);
    platform.clock.advance(24 * 60 * 60_000);
    expect((await send(mobile)).status).toBe(200);
    // A code that could not be sent does not count towards the limits.
    expect((await send("13999999999")).status).toBe(503);
    expect((await send("13999999999")).status).toBe(503);
  });

  it(covers([restCalls.register, restCalls.versionApplies], "success"), async () => {
    const { supplierId } = await registered("newboss");
    const token = await tokenOf("newboss", "Secret2026");
    const info = accountInfoSchema.parse(
      (await platform.ask("GET", accountCall.path, { token, supplierId })).body.data,
    );
    expect(info).toMatchObject({
      nickname: "赵六",
      permissions: ["*:*:*"],
      roles: [{ supplierId, roleCode: "admin" }],
    });
    const menus = await platform.ask("POST", restCalls.getRouters.path, {
      token,
      supplierId,
      json: { roleIds: info.roles.map((role) => role.roleId), systemName: "sec-web-company-admin" },
    });
    expect((menus.body.data as { code: string }[]).map((menu) => menu.code)).toContain("supplier");
    const query = new URLSearchParams({ applyAccountId: info.id, supplierId });
    const applies = await platform.ask("GET", `${versionAppliesCall.path}?${query.toString()}`, {
      token,
    });
    expect(versionAppliesCall.data.parse(applies.body.data)).toMatchObject({
      records: [
        {
          applyAccountId: info.id,
          supplierId,
          supplierName: "newboss 有限公司",
          systemName: "sec-web-company-admin",
          status: "pending",
        },
      ],
      total: 1,
    });
  });

  it(covers(restCalls.register, "invalid"), async () => {
    const good = form("13800000000", "123456", "someone");
    for (const [field, value] of [
      ["supplierName", " "],
      ["creditCode", "123"],
      ["contact", ""],
      ["mobile", "1"],
      ["smsCode", "12345"],
      ["username", "1x"],
      ["password", "short1"],
      ["password", "onlyletters"],
    ]) {
      expect(fieldsOf(await register({ ...good, [field ?? ""]: value }))).toEqual([field]);
    }
  });

  it(
    covers(restCalls.register, "refused", "no code, a wrong one, an old one, a used one"),
    async () => {
      const mobile = newMobile();
      const noCode = await register(form(mobile, "123456", "nobody1"));
      expect(noCode.body).toMatchObject({ error: "request.invalid", msg: "验证码不正确或已过期" });
      const code = await codeFor(mobile);
      expect((await register(form(mobile, otherThan(code), "nobody1"))).status).toBe(400);
      // A valid code with another person's mobile number.
      expect((await register(form(newMobile(), code, "nobody1"))).status).toBe(400);
      platform.clock.advance(SMS_LIMITS.lifetime * 1000);
      expect((await register(form(mobile, code, "nobody1"))).status).toBe(400);
      const next = await codeFor(mobile);
      for (let i = 0; i < SMS_LIMITS.failures; i += 1) {
        await register(form(mobile, otherThan(next), "nobody1"));
      }
      expect((await register(form(mobile, next, "nobody1"))).status).toBe(400);
      const last = await codeFor(mobile);
      expect((await register(form(mobile, last, "nobody1"))).status).toBe(200);
      expect(fieldsOf(await register(form(mobile, last, "nobody2")))).toEqual(["smsCode"]);
    },
  );

  it(covers(restCalls.register, "foreign", "taken names stay with their owner"), async () => {
    const { mobile } = await registered("takenboss");
    const fresh = newMobile();
    const code = await codeFor(fresh);
    const good = form(fresh, code, "freshboss");
    const username = await register({ ...good, username: "TakenBoss" });
    expect(username.body).toMatchObject({ error: "request.conflict", msg: "用户名已被使用" });
    const company = await register({ ...good, supplierName: "华安物业服务有限公司" });
    expect(company.body.msg).toBe("该企业已注册");
    // A refused registration does not use up the code.
    expect((await register(good)).status).toBe(200);
    const again = await register(form(mobile, await codeFor(mobile), "otherboss"));
    expect(again.body.msg).toBe("该手机号已注册");
  });

  it("A credit code that another company has is refused at its field, also for two at once", async () => {
    const creditCode = "91350100M000100Y43";
    const forms: Record<string, unknown>[] = [];
    for (const name of ["codeboss", "racerone", "racertwo"]) {
      const mobile = newMobile();
      const smsCode = await codeFor(mobile);
      forms.push({ ...form(mobile, smsCode, name), creditCode });
      // The code of each is good when it is sent.
      if (name === "codeboss") expect((await register(forms[0] ?? {})).status).toBe(200);
    }
    // the first of these two codes is a day old
    const mobile = String(forms[1]?.["mobile"]);
    const smsCode = await codeFor(mobile);
    const late = await register({ ...forms[1], smsCode, creditCode: creditCode.toLowerCase() });
    const said = "该统一社会信用代码已被其他企业使用";
    expect([late.status, late.body.msg]).toEqual([409, said]);
    expect(late.body.details).toMatchObject({ fields: { creditCode: said } });
    // Nothing of it was made, and the SMS code is still good.
    const free = "914403001922038216";
    const other = { ...form(newMobile(), "000000", "racertwo"), creditCode: free };
    const otherSent = await send(other.mobile);
    expect(otherSent.status).toBe(200);
    const both = await Promise.all([
      register({ ...forms[1], smsCode, creditCode: free }),
      register({ ...other, smsCode: sent.get(other.mobile) ?? "" }),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.msg).toBe(said);
  });

  it(covers(restCalls.versionApplies, ["invalid", "refused", "foreign"]), async () => {
    const { supplierId } = await registered("appliesboss");
    const lina = await platform.login("lina");
    const token = lina.access_token;
    const path = versionAppliesCall.path;
    expect(fieldsOf(await platform.ask("GET", `${path}?limit=0`, { token }))).toEqual(["limit"]);
    expect((await platform.ask("GET", path)).status).toBe(401);
    const foreign = await platform.ask("GET", `${path}?supplierId=${supplierId}`, { token });
    expect(foreign.body.data).toMatchObject({ records: [], total: 0 });
    expect((await platform.ask("GET", `${path}?applyAccountId=1`, { token })).status).toBe(404);
    expect((await platform.ask("GET", `${path}?supplierId=x`, { token })).status).toBe(404);
  });

  it(
    covers(restCalls.resetPassword, "success", "by the old password; other logins end"),
    async () => {
      await registered("resetter");
      const here = await tokenOf("resetter", "Secret2026");
      const there = await tokenOf("resetter", "Secret2026");
      const answer = await reset({ oldPassword: "Secret2026", newPassword: "Changed2026" }, here);
      expect(answer.status).toBe(200);
      expect((await platform.ask("GET", accountCall.path, { token: here })).status).toBe(200);
      expect((await platform.ask("GET", accountCall.path, { token: there })).status).toBe(401);
      expect((await platform.tryLogin("resetter", "Secret2026")).status).toBe(400);
      expect((await platform.tryLogin("resetter", "Changed2026")).status).toBe(200);
    },
  );

  it(covers(restCalls.resetPassword, "success", "by SMS; every login ends"), async () => {
    const { mobile } = await registered("forgetful");
    const there = await tokenOf("forgetful", "Secret2026");
    const smsCode = await codeFor(mobile);
    const live = await tokenOf("forgetful", "Secret2026");
    expect((await reset({ mobile, smsCode, newPassword: "Changed2026" })).status).toBe(200);
    for (const token of [there, live]) {
      expect((await platform.ask("GET", accountCall.path, { token })).status).toBe(401);
    }
    expect((await platform.tryLogin("forgetful", "Changed2026")).status).toBe(200);
    expect((await reset({ mobile, smsCode, newPassword: "Again2026" })).status).toBe(400);
  });

  it(covers(restCalls.resetPassword, ["invalid", "refused", "foreign"]), async () => {
    const { mobile } = await registered("careful");
    const token = await tokenOf("careful", "Secret2026");
    const newPassword = "Changed2026";
    expect(fieldsOf(await reset({ newPassword: "short" }, token))).toEqual(["newPassword"]);
    expect(fieldsOf(await reset({ newPassword }, token))).toEqual(["oldPassword"]);
    expect(fieldsOf(await reset({ newPassword }))).toEqual(["mobile", "smsCode"]);
    expect((await reset({ oldPassword: "Secret2026", newPassword })).status).toBe(401);
    expect((await reset({ oldPassword: "Secret2026", newPassword }, "no.token")).status).toBe(401);
    const wrong = await reset({ oldPassword: "Wrong2026", newPassword }, token);
    expect(wrong.body).toMatchObject({ error: "auth.invalid-credentials", msg: "原密码不正确" });
    // An unknown mobile number gets the same answer as a wrong code, and a code works only for its own number.
    const nobody = newMobile();
    const smsCode = await codeFor(nobody);
    const unknown = await reset({ mobile: nobody, smsCode, newPassword });
    const mistaken = await reset({ mobile, smsCode, newPassword });
    expect(unknown.body).toEqual(mistaken.body);
    expect((await platform.tryLogin("careful", "Secret2026")).status).toBe(200);
    const rows = await platform.platform.database.db
      .select({ name: accounts.username })
      .from(accounts)
      .where(eq(accounts.username, "careful"));
    expect(rows).toHaveLength(1);
  });
});
