/** Every refusal on the way of an invited person, with its words in both languages; none of them writes anything (docs/server.md#invitations). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { DEMO_PASSWORD } from "../../base/database/seed.ts";
import { SMS_LIMITS } from "../sms/limits.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
}, 60_000);
afterAll(() => world.host.close());

type Fields = Record<string, string>;
/** What the person sends at last, and the link that it goes to. */
interface LastStep {
  readonly link: string;
  readonly fields: Fields;
}

let serial = 0;
async function ready(link: string, mobile?: string): Promise<Fields> {
  const person = world.newPerson(`refused${(serial += 1)}`);
  return world.withCode(link, mobile === undefined ? person : { ...person, mobile });
}
async function inviting(json: object = {}): Promise<LastStep> {
  const { link } = await world.invite(json);
  return { link, fields: await ready(link) };
}
async function invitationOf(link: string): Promise<string> {
  const { body } = await world.host.ask("GET", `${restCalls.invitationList.path}?limit=1000`, {
    token: world.tokens["admin"] ?? "",
    supplierId: "1",
  });
  const { records } = restCalls.invitationList.data.parse(body.data);
  return records.find((one) => one.link.endsWith(link))?.id ?? "";
}
const lock = (locked: boolean) =>
  world.host.ask("PUT", restCalls.lockCompany.path.replace("{id}", "2"), {
    token: world.tokens["admin"] ?? "",
    supplierId: "1",
    json: locked ? { locked, reason: "长期未缴费" } : { locked },
  });

const REFUSALS: Readonly<
  Record<
    string,
    {
      readonly status: number;
      readonly chinese: string;
      readonly english: string;
      prepare(): Promise<LastStep>;
      after?(): Promise<unknown>;
    }
  >
> = {
  "a wrong code": {
    status: 400,
    chinese: "验证码不正确或已过期",
    english: "The code is wrong or has expired",
    async prepare() {
      const { link, fields } = await inviting();
      return {
        link,
        fields: { ...fields, smsCode: fields["smsCode"] === "000000" ? "000001" : "000000" },
      };
    },
  },
  "a code that was used": {
    status: 400,
    chinese: "验证码不正确或已过期",
    english: "The code is wrong or has expired",
    async prepare() {
      const { link, fields } = await inviting({ uses: 2 });
      expect((await world.post(link, fields)).status).toBe(200);
      return { link, fields: { ...fields, username: `${fields["username"]}b` } };
    },
  },
  "a code that has expired": {
    status: 400,
    chinese: "验证码不正确或已过期",
    english: "The code is wrong or has expired",
    async prepare() {
      const last = await inviting();
      world.host.clock.advance(SMS_LIMITS.lifetime * 1000 + 1000);
      return last;
    },
  },
  "another number than the employee's": {
    status: 409,
    chinese: "请使用企业登记的手机号 139****7001",
    english: "Use the mobile number that the company wrote down: 139****7001",
    async prepare() {
      const { link } = await world.importPerson("13900007001");
      return { link, fields: await ready(link) };
    },
  },
  "another number than the SMS went to": {
    status: 409,
    chinese: "请使用收到邀请短信的手机号 139****7002",
    english: "Use the mobile number that got the invitation: 139****7002",
    async prepare() {
      const { fields } = await inviting();
      await world.ask(restCalls.invitationByMobile, { json: { mobiles: ["13900007002"] } });
      return { link: world.links.get("13900007002") ?? "", fields };
    },
  },
  "the number of another account": {
    status: 409,
    chinese: "该手机号属于另一个账号，请用那个账号登录",
    english: "This mobile number belongs to another account. Log in with that one",
    async prepare() {
      const owner = await inviting();
      expect((await world.post(owner.link, owner.fields)).status).toBe(200);
      world.host.clock.advance(60_000);
      const { link } = await world.invite();
      const fields = await ready(link, owner.fields["mobile"]);
      return {
        link,
        fields: { ...fields, as: "login", username: "wangfang", password: DEMO_PASSWORD },
      };
    },
  },
  "a link that was revoked meanwhile": {
    status: 410,
    chinese: "企业已撤回该邀请，请联系企业重新邀请",
    english: "The company revoked the invitation. Ask it for a new one",
    async prepare() {
      const last = await inviting();
      await world.ask(restCalls.invitationRevoke, {}, await invitationOf(last.link));
      return last;
    },
  },
  "a link that was used": {
    status: 410,
    chinese: "该邀请已被使用，请联系企业重新邀请",
    english: "The invitation was used. Ask the company for a new one",
    async prepare() {
      const last = await inviting();
      expect((await world.post(last.link, await ready(last.link))).status).toBe(200);
      return last;
    },
  },
  "a link of which as many have joined as may": {
    status: 410,
    chinese: "该邀请的名额已用完，请联系企业重新邀请",
    english: "As many people joined by the invitation as may. Ask the company for a new one",
    async prepare() {
      const last = await inviting({ uses: 2 });
      for (const _ of [1, 2]) {
        expect((await world.post(last.link, await ready(last.link))).status).toBe(200);
      }
      return last;
    },
  },
  "a link that has expired": {
    status: 410,
    chinese: "该邀请已过期，请联系企业重新邀请",
    english: "The invitation has expired. Ask the company for a new one",
    async prepare() {
      const last = await inviting({ expiresInHours: 1 });
      world.host.clock.advance(3_600_000);
      for (const name of Object.keys(world.tokens)) {
        world.tokens[name] = (await world.host.login(name)).access_token;
      }
      return last;
    },
  },
  "a company that was locked meanwhile": {
    status: 410,
    chinese: "该企业已被平台锁定，暂时不能加入，请联系企业",
    english: "The platform has locked the company, so nobody can join now. Ask the company",
    async prepare() {
      const { link } = await world.invite({}, { in: "2" });
      const fields = await ready(link);
      expect((await lock(true)).status).toBe(200);
      return { link, fields };
    },
    after: () => lock(false),
  },
  "a user name that is taken": {
    status: 409,
    chinese: "用户名已被使用",
    english: "The user name is taken",
    async prepare() {
      const { link, fields } = await inviting();
      return { link, fields: { ...fields, username: "lina" } };
    },
  },
  "a second binding of an account": {
    status: 409,
    chinese: "该账号已是本企业员工",
    english: "This account belongs to the company already",
    async prepare() {
      const { link, fields } = await inviting();
      return {
        link,
        fields: { ...fields, as: "login", username: "lina", password: DEMO_PASSWORD },
      };
    },
  },
  "an employee who is somebody else by now": {
    status: 410,
    chinese: "该员工已绑定账号，请联系企业核对",
    english: "This employee has an account already. Ask the company",
    async prepare() {
      const { link } = await world.importPerson("13900007003");
      const fields = await ready(link, "13900007003");
      world.host.clock.advance(60_000);
      const other = await world.invite();
      const joined = await world.post(other.link, await ready(other.link, "13900007003"));
      expect(joined.status).toBe(200);
      return { link, fields };
    },
  },
};

/** What the way may write. */
async function written(): Promise<unknown> {
  const { rows } = await world.host.platform.database.pool.query(
    `SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM employees) AS employees,
       (SELECT count(account_id)::int FROM employees) AS bound, (SELECT sum(uses)::int FROM invitations) AS uses,
       (SELECT count(*)::int FROM membership_applies) AS applies`,
  );
  return rows[0];
}

it.each(Object.entries(REFUSALS))(
  "Refused in words of both languages, and nothing is written: %s",
  async (_, { status, chinese, english, prepare, after }) => {
    const { link, fields } = await prepare();
    const before = await written();
    for (const [language, words] of [
      ["zh", chinese],
      ["en", english],
    ] as const) {
      const refused = await world.post(`${link}?lang=${language}`, fields);
      const html = await refused.text();
      expect([refused.status, html.includes(words) ? words : html]).toEqual([status, words]);
    }
    expect(await written()).toEqual(before);
    await after?.();
  },
);
