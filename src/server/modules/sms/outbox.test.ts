/** The messages of a demo that has no SMS service. */
import { expect, it } from "vitest";
import { DEFAULT_INVITE_TEMPLATE } from "../../../shared/domain/sms-text.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { askingPlatform } from "../../asking.harness.ts";
import { covers } from "../../covers.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { OUTBOX_SIZE, createSmsOutbox } from "./outbox.ts";

const { smsOutbox, sendSms } = restCalls;
whoMay({ "sms.outbox": "--+-" });

const { ask, host } = askingPlatform(["admin", "lina", "guest"]);
const sent = (mobile: string) => ask("POST", sendSms.path, { json: { mobile } });
const list = async (query = "") =>
  smsOutbox.data.parse((await ask("GET", `${smsOutbox.path}${query}`, {})).body.data);

it(covers(smsOutbox, "success", "newest first"), async () => {
  expect((await sent("13900007001")).status).toBe(200);
  host.clock.advance(1000);
  expect((await sent("13900007002")).status).toBe(200);
  const { records, total } = await list();
  expect([total, records.map(({ mobile }) => mobile)]).toEqual([2, ["13900007002", "13900007001"]]);
  const [newest] = records;
  expect(newest?.text).toMatch(/^您的验证码是 \d{6}，5 分钟内有效/);
  expect(Date.parse(newest?.expireTime ?? "") - Date.parse(newest?.sentTime ?? "")).toBe(300_000);
  expect((await list("?keyword=7001")).records).toHaveLength(1);
  expect((await list("?cursor=2&limit=1")).records).toEqual([records[1]]);
});

it(covers(smsOutbox, "invalid"), async () => {
  expect((await ask("GET", `${smsOutbox.path}?limit=0`, {})).status).toBe(400);
});

it(covers(smsOutbox, ["refused", "foreign"], "another company sees none"), async () => {
  expect((await ask("GET", smsOutbox.path, { as: "lina" })).status).toBe(403);
  // Its administrator has every permission there, but the company does not run the platform.
  expect((await ask("GET", smsOutbox.path, { in: "2" })).status).toBe(404);
});

it("The menu of the platform's administrators leads to them, and that of nobody else", async () => {
  const { rows } = await host.platform.database.pool.query(
    `SELECT r.company_id::text AS company, r.code FROM role_menus
     JOIN menus m ON m.id = menu_id JOIN roles r ON r.id = role_id WHERE m.code = 'monitor-sms-codes'`,
  );
  expect(rows).toEqual([{ company: "1", code: "admin" }]);
});

it("A number that an account uses no more is warned there too", async () => {
  const outbox = createSmsOutbox({
    inviteTemplate: DEFAULT_INVITE_TEMPLATE,
    clock: { now: () => 0 },
    bus: { publish: () => Promise.resolve() },
    log: { info: () => undefined },
    template: "{code}",
  });
  await outbox.mobileGone?.("13900000001");
  expect(outbox.messages()).toMatchObject([
    {
      mobile: "13900000001",
      text: "您的账号已不再使用此手机号。如非本人操作，请立即联系企业管理员。",
    },
  ]);
});

it("The oldest messages go first, and the log has no code", async () => {
  const lines: unknown[] = [];
  const changed: unknown[] = [];
  const outbox = createSmsOutbox({
    inviteTemplate: DEFAULT_INVITE_TEMPLATE,
    clock: { now: () => 0 },
    bus: { publish: async (...change) => void changed.push(change) },
    log: { info: (...line: unknown[]) => void lines.push(line) },
    template: "{code}",
  });
  for (let n = 0; n <= OUTBOX_SIZE; n += 1) {
    await outbox.send("13900000001", String(100_000 + n));
  }
  const kept = outbox.messages();
  expect([kept.length, kept[0]?.text, kept.at(-1)?.text]).toEqual([
    OUTBOX_SIZE,
    String(100_000 + OUTBOX_SIZE),
    "100001",
  ]);
  expect(changed).toHaveLength(OUTBOX_SIZE + 1);
  expect(JSON.stringify(lines)).not.toMatch(/100\d{3}|13900000001/);
});
