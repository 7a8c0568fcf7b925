/** Invitations that go to mobile numbers by SMS (docs/server.md#invitations). */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform } from "../../platform.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { createJob, FIELDS, keyOf, people, sendChunk, toChunk } from "../imports/chunks.harness.ts";
import { type InvitationsWorld, startInvitations } from "./invitations.harness.ts";
import { INVITE_SMS } from "../sms/limits.ts";

const { invitationByMobile, invitationSend, invitationList, invitationRevoke } = restCalls;
const MAY = whoMay({ "invitations.byMobile": "--+-", "invitations.send": "--+-" });

let world: InvitationsWorld;
beforeAll(async () => {
  world = await startInvitations();
  world.tokens["ops"] = (await world.host.login("ops")).access_token;
}, 60_000);
afterAll(() => world.host.close());
beforeEach(() => {
  world.service.fails = false;
});

let serial = 0;
const newNumber = (): string => `1370000${String((serial += 1)).padStart(4, "0")}`;
const send = (json: object, company = "1", as = "admin") =>
  world.ask(invitationByMobile, { json, in: company, as });
const again = (id: string, company = "1", as = "admin") =>
  world.ask(invitationSend, { in: company, as }, id);
const outcome = async (json: object) => invitationByMobile.data.parse((await send(json)).body.data);
const listed = async (query: string, company = "1") => {
  const { body } = await world.host.ask("GET", `${invitationList.path}?${query}`, {
    token: world.tokens["admin"] ?? "",
    supplierId: company,
  });
  return invitationList.data.parse(body.data).records;
};
const stateOf = async (mobile: string) => (await listed(`keyword=${mobile}`))[0]?.status;
const said = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body.msg];

it(
  covers(
    [invitationByMobile, invitationSend],
    "success",
    "sent, opened and used by the number alone, once",
  ),
  async () => {
    const [mobile, other] = [newNumber(), newNumber()];
    expect(await outcome({ mobiles: [mobile, other, mobile], position: "电工" })).toEqual([
      { mobile, sent: true, reason: "" },
      { mobile: other, sent: true, reason: "" },
    ]);
    const link = world.links.get(mobile) ?? "";
    expect(link).not.toBe(world.links.get(other));
    expect(await stateOf(mobile)).toBe("sent");
    const page = await (await fetch(world.host.origin + link)).text();
    expect(page).toContain(`仅供手机号 ${mobile.slice(0, 3)}****${mobile.slice(-4)} 使用`);
    expect(page, "the middle stays hidden").not.toContain(mobile);
    expect(await stateOf(mobile)).toBe("opened");
    expect(await stateOf(other)).toBe("sent");

    // Another number is refused, before an SMS goes to it and after.
    const refusal = `请使用收到邀请短信的手机号 ${mobile.slice(0, 3)}****${mobile.slice(-4)}`;
    const stranger = { ...world.newPerson("stranger1"), mobile: other };
    const early = await world.post(link, { ...stranger, act: "code" });
    expect([early.status, (await early.text()).includes(refusal)]).toEqual([409, true]);
    expect(world.sent.has(other)).toBe(false);
    const plain = (await world.invite()).link;
    const late = await world.post(link, await world.withCode(plain, stranger));
    expect([late.status, (await late.text()).includes(refusal)]).toEqual([409, true]);
    const english = await (
      await world.post(`${link}?lang=en`, { ...stranger, act: "code" })
    ).text();
    expect(english).toContain("Use the mobile number that got the invitation: ");

    const self = await world.withCode(link, { ...world.newPerson("invited1"), mobile });
    expect((await world.post(link, self)).status).toBe(200);
    expect(await stateOf(mobile)).toBe("used");
    expect((await fetch(world.host.origin + link)).status).toBe(410);
  },
);

it("What was not sent says why, is sent again, and not before a minute has passed", async () => {
  const mobile = newNumber();
  world.service.fails = true;
  const reason = "短信发送失败，请重新发送";
  expect(await outcome({ mobiles: [mobile] })).toEqual([{ mobile, sent: false, reason }]);
  const [row] = await listed(`status=failed&keyword=${mobile}`);
  expect(row).toMatchObject({ mobile, status: "failed", reason, sendable: true });
  const id = row?.id ?? "";
  expect(said(await again(id))).toEqual([429, "该邀请的短信刚刚发送过，请一分钟后再试"]);
  world.host.clock.advance(INVITE_SMS.between * 1000);
  expect(said(await again(id))).toEqual([409, reason]);
  world.service.fails = false;
  world.host.clock.advance(INVITE_SMS.between * 1000);
  expect((await again(id)).status).toBe(200);
  expect(await stateOf(mobile)).toBe("sent");
  expect((await fetch(world.host.origin + (world.links.get(mobile) ?? ""))).status).toBe(200);
  // A revoked one is sent no more.
  await world.ask(invitationRevoke, {}, id);
  expect(await stateOf(mobile)).toBe("revoked");
  expect(said(await again(id))).toEqual([410, "企业已撤回该邀请，请联系企业重新邀请"]);
});

it("A number of an employee with an account, and one with an open invitation, get none", async () => {
  const { link } = await world.invite();
  const person = world.newPerson("member1");
  await world.post(link, await world.withCode(link, person));
  const open = newNumber();
  await outcome({ mobiles: [open] });
  expect(await outcome({ mobiles: [person.mobile, open] })).toEqual([
    { mobile: person.mobile, sent: false, reason: "该号码的员工已有账号" },
    { mobile: open, sent: false, reason: "已有未使用的邀请，可在邀请记录中重新发送" },
  ]);
  expect(await listed(`keyword=${open}`)).toHaveLength(1);
});

it("A number gets five of all companies together in a day, and a company sends two hundred", async () => {
  const mobile = newNumber();
  for (let n = 0; n < INVITE_SMS.perNumber; n += 1) {
    const company = n % 2 === 0 ? "1" : "2";
    expect((await send({ mobiles: [mobile] }, company)).body.data).toMatchObject([{ sent: true }]);
    const [row] = await listed(`status=sent&keyword=${mobile}`, company);
    await world.ask(invitationRevoke, { in: company }, row?.id);
  }
  const reason = "该号码今天收到的邀请短信过多";
  expect(await outcome({ mobiles: [mobile] })).toEqual([{ mobile, sent: false, reason }]);

  const kept = newNumber();
  await outcome({ mobiles: [kept] });
  const [row] = await listed(`keyword=${kept}`);
  const { pool } = world.host.platform.database;
  await pool.query("UPDATE invitations SET sms_count = $1 WHERE mobile = $2", [
    INVITE_SMS.perNumber,
    kept,
  ]);
  world.host.clock.advance(INVITE_SMS.between * 1000);
  expect(said(await again(row?.id ?? ""))).toEqual([429, reason]);
  await pool.query("UPDATE invitations SET sms_count = $1 WHERE mobile = $2", [
    INVITE_SMS.perCompany,
    mobile,
  ]);
  const fresh = newNumber();
  const full = "企业每天最多发送 200 条邀请短信，请明天再试";
  expect(said(await send({ mobiles: [fresh] }))).toEqual([429, full]);
  expect(world.links.has(fresh)).toBe(false);
  await pool.query("UPDATE invitations SET sms_count = 0");
});

it("The invitation of an import goes to the number of its employee; without a number it says so", async () => {
  const sender = { platform: world.host, token: world.tokens["admin"] ?? "", supplierId: "1" };
  const phone = newNumber();
  const [one = {}, two = {}] = people(2, 700_000);
  const job = (await createJob(sender, keyOf(71), 2, { isInvite: true })).data;
  const rows = [
    { ...one, phone },
    { ...two, phone: "" },
  ];
  await sendChunk(sender, job.id, 0, toChunk(rows, FIELDS));
  const made = await listed(`importId=${job.id}`);
  expect(made.map(({ sendable }) => sendable).toSorted()).toEqual([false, true]);
  const withNumber = made.find(({ sendable }) => sendable)?.id ?? "";
  const without = made.find(({ sendable }) => !sendable)?.id ?? "";
  expect((await again(withNumber)).status).toBe(200);
  expect(await stateOf(phone)).toBe("sent");
  const link = world.links.get(phone) ?? "";
  expect(
    (
      await world.post(
        link,
        await world.withCode(link, { ...world.newPerson("imported1"), mobile: phone }),
      )
    ).status,
  ).toBe(200);
  expect(said(await again(without))).toEqual([409, "该邀请没有手机号，请复制链接或二维码"]);
  expect(await listed("importId=x")).toEqual([]);
});

it("Without a service that sends invitations nothing is made", async () => {
  const bare = await startTestPlatform({ sms: { send: () => Promise.resolve() } });
  const { access_token: token } = await bare.login("admin");
  const asked = { token, supplierId: "1", json: { mobiles: ["13700009999"] } };
  const answer = await bare.ask("POST", invitationByMobile.path, asked);
  expect(said(answer)).toEqual([503, "短信邀请未配置，请联系管理员"]);
  await bare.close();
});

it(covers([invitationByMobile, invitationSend], "invalid"), async () => {
  for (const mobiles of [[], ["1"], Array.from({ length: 21 }, newNumber)]) {
    expect((await send({ mobiles })).status).toBe(400);
  }
  const answer = await send({ mobiles: [newNumber()], departmentId: "999999" });
  expect([answer.status, answer.body.details?.["fields"]]).toMatchObject([
    400,
    { departmentId: expect.any(String) },
  ]);
  expect((await again("x")).status).toBe(404);
});

it(covers([invitationByMobile, invitationSend], "foreign"), async () => {
  const mobile = newNumber();
  await outcome({ mobiles: [mobile] });
  const [row] = await listed(`keyword=${mobile}`);
  expect((await again(row?.id ?? "", "2")).status).toBe(404);
  expect(await listed(`keyword=${mobile}`, "2")).toEqual([]);
});

it(covers([invitationByMobile, invitationSend], "refused"), async () => {
  for (const as of refusedBy(MAY["invitations.byMobile"])) {
    expect((await send({ mobiles: [newNumber()] }, "1", as)).status).toBe(403);
    expect((await again("x", "1", as)).status).toBe(403);
  }
});
