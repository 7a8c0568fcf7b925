/** The page of an invitation: both languages, the rules at its fields, and joining with an existing account. */
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { DEMO_PASSWORD } from "../../base/database/seed.ts";
import { PAIR_FREE } from "../../base/http/login-guard.ts";
import { PERIOD } from "../two-factor/codes.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
}, 60_000);
afterAll(() => world.host.close());

const CHINESE = /\p{Script=Han}/u;
/** What a person reads of a page, without the name of the company and the way back to Chinese. */
const readOf = (html: string): string =>
  html
    .replace(/^[\s\S]*?<title>/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("华安物业服务有限公司", "")
    .replaceAll("中文", "");
const open = (link: string) => fetch(world.host.origin + link);
/** A person with a proven mobile number who logs in. */
async function ready(link: string, username: string, more: Record<string, string> = {}) {
  const { name, mobile } = world.newPerson(username);
  const proven = await world.withCode(link, { name, mobile });
  return { ...proven, as: "login", username, password: DEMO_PASSWORD, ...more };
}
const said = async (answer: Promise<Response>) => {
  const response = await answer;
  const html = await response.text();
  const words = /class="(?:wrong|said bad)"[^>]*>([^<]*)</.exec(html)?.[1];
  return [response.status, words] as const;
};

it("The page is in English for who switches to it, with every refusal, and what was typed stays", async () => {
  const { link } = await world.invite();
  const chinese = await (await open(link)).text();
  expect(chinese).toContain('<html lang="zh-CN">');
  expect(chinese).toMatch(/<button name="act" value="en"[^>]*>English</);
  const english = await (await open(`${link}?lang=en`)).text();
  expect(english).toContain('<html lang="en">');
  expect(english).toContain("Join 华安物业服务有限公司");
  expect(readOf(english)).not.toMatch(CHINESE);

  const person = world.newPerson("english1");
  const typed = { ...person, name: "Ann", act: "en" };
  const switched = await (await world.post(link, typed)).text();
  expect(switched).toContain('action="?lang=en"');
  for (const kept of ['value="Ann"', `value="${person.mobile}"`]) expect(switched).toContain(kept);
  expect(switched, "a password is typed again").not.toContain(person.password);

  const proven = await world.withCode(link, person);
  const wrongCode = proven.smsCode === "000000" ? "000001" : "000000";
  for (const [fields, message] of [
    [{ mobile: "1", act: "code" }, "This is not a mobile number"],
    [{ smsCode: "1" }, "The code has 6 digits"],
    [{ smsCode: wrongCode }, "The code is wrong or has expired"],
    [{ again: "x" }, "The two passwords differ"],
    [{ password: "short1", again: "short1" }, "The password needs at least 8 characters"],
    [{ password: "12345678", again: "12345678" }, "The password needs a letter"],
    [{ password: "abcdefgh", again: "abcdefgh" }, "The password needs a digit"],
    [{ username: "lina" }, "The user name is taken"],
    [{ username: "" }, "Enter a user name"],
    [{ password: "", again: "" }, "Choose a password"],
    [{ act: "code" }, "Codes are sent too often, try again later"],
  ] as const) {
    const refused = await world.post(`${link}?lang=en`, { ...proven, name: "Ann", ...fields });
    const html = await refused.text();
    expect([message, refused.ok, html.includes(message)]).toEqual([message, false, true]);
    expect(readOf(html)).not.toMatch(CHINESE);
  }
  const done = await world.post(`${link}?lang=en`, { ...proven, name: "Ann" });
  const joined = await done.text();
  expect([done.status, joined.includes("Your user name is")]).toEqual([200, true]);
  expect(readOf(joined)).not.toMatch(CHINESE);
  const used = await (await open(`${link}?lang=en`)).text();
  expect(used).toContain("<h1>The invitation was used</h1>");
  expect(readOf(used)).not.toMatch(CHINESE);
  expect(used, "the state has its way back to Chinese").toContain('href="?lang=zh"');
  const broken = await (await open("/invite/x?lang=en")).text();
  expect(broken).toContain("<h1>The link is not right</h1>");
  expect(readOf(broken)).not.toMatch(CHINESE);
});

it("The rules of user name and password stand at their fields before the first try, and a login asks for neither rule nor second password", async () => {
  const { link } = await world.invite();
  const html = await (await open(link)).text();
  expect(html).toContain('id="password-rules">8 至 72 位，须含字母和数字<');
  expect(html).toMatch(/<input id="password"[^>]*aria-describedby="password-rules"/);
  expect(html).toContain('id="username-rules">3 至 32 位字母');
  const login = await (await world.post(link, { act: "login", name: "某人" })).text();
  expect(login).toContain('value="某人"');
  expect(login).toContain('autocomplete="current-password"');
  for (const none of ["password-rules", 'id="again"', 'id="code"'])
    expect(login).not.toContain(none);
});

it("A person with an account of another company logs in with it and is bound to this company, by password and mobile number", async () => {
  const { link } = await world.invite({ position: "电工" });
  const fields = await ready(link, "wangfang");
  expect(await said(world.post(link, { ...fields, password: "" }))).toEqual([400, "请填写密码"]);
  const done = await world.post(link, fields);
  expect([done.status, (await done.text()).includes("wangfang")]).toEqual([200, true]);
  const { rows } = await world.host.platform.database.pool.query(
    `SELECT e.phone, e."position" FROM employees e JOIN accounts a ON a.id = e.account_id
      WHERE a.username = 'wangfang' AND e.company_id = 1`,
  );
  expect(rows).toEqual([{ phone: fields.mobile, position: "电工" }]);
  // The number is proven now, so it belongs to this account.
  const owners = await world.host.platform.database.pool.query(
    "SELECT a.username FROM account_mobiles m JOIN accounts a ON a.id = m.account_id WHERE m.mobile = $1",
    [fields.mobile],
  );
  expect(owners.rows).toEqual([{ username: "wangfang" }]);
  const again = await world.invite();
  expect(await said(world.post(again.link, await ready(again.link, "wangfang")))).toEqual([
    409,
    "该账号已是本企业员工",
  ]);
});

it("A name that nobody has, a wrong password and a disabled account are refused alike, only after the mobile number is proven, and ever slower", async () => {
  const { link } = await world.invite();
  await world.host.platform.database.pool.query(
    "UPDATE accounts SET disabled_at = now() WHERE username = 'zhangwei'",
  );
  const fields = await ready(link, "nobody");
  const alike = [400, "用户名或密码错误"];
  expect(await said(world.post(link, fields))).toEqual(alike);
  expect(await said(world.post(link, { ...fields, username: "zhangwei" }))).toEqual(alike);
  expect(await said(world.post(link, { ...fields, username: "ops", password: "x" }))).toEqual(
    alike,
  );
  const unproven = {
    ...fields,
    username: "ops",
    smsCode: fields.smsCode === "000000" ? "000001" : "000000",
  };
  expect((await said(world.post(link, unproven)))[1]).toBe("验证码不正确或已过期");
  let last: readonly [number, string | undefined] = [0, undefined];
  for (let i = 0; i <= PAIR_FREE; i += 1) last = await said(world.post(link, fields));
  expect(last).toEqual([429, "登录失败次数过多，请稍后再试"]);
  await world.host.platform.database.pool.query("UPDATE accounts SET disabled_at = NULL");
});

it("The mobile number of another account is refused", async () => {
  const { link } = await world.invite();
  const owner = world.newPerson("owner1");
  expect((await world.post(link, await world.withCode(link, owner))).status).toBe(200);
  const other = await world.invite();
  world.host.clock.advance(60_000);
  const proven = await world.withCode(other.link, { name: "别人", mobile: owner.mobile });
  const fields = { ...proven, as: "login", username: "wangfang", password: DEMO_PASSWORD };
  expect(await said(world.post(other.link, fields))).toEqual([
    409,
    "该手机号属于另一个账号，请用那个账号登录",
  ]);
});

it("An account with a second factor is asked for its code", async () => {
  const { access_token: token } = await world.host.login("guest");
  const begun = await world.host.ask("POST", restCalls.twoFactorBegin.path, {
    token,
    json: { password: DEMO_PASSWORD },
  });
  const { secret } = restCalls.twoFactorBegin.data.parse(begun.body.data);
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD });
  const code = (later = 0) =>
    totp.generate({ timestamp: world.host.clock.now() + later * PERIOD * 1000 });
  await world.host.ask("POST", restCalls.twoFactorConfirm.path, { token, json: { code: code() } });
  const { link } = await world.invite({}, { in: "2" });
  const fields = await ready(link, "guest");
  const asked = await (await world.post(link, fields)).text();
  expect(asked).toContain('<label for="code">两步验证码</label>');
  expect(asked).toContain("请输入两步验证码");
  expect(await said(world.post(link, { ...fields, code: "000000" }))).toEqual([
    400,
    "验证码不正确或已使用",
  ]);
  expect((await world.post(link, { ...fields, code: code(1) })).status).toBe(200);
});
