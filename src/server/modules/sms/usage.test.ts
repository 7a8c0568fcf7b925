import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { askingPlatform } from "../../asking.harness.ts";
import { covers } from "../../covers.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { DAY_MS, INVITE_SMS, SMS_LIMITS } from "./limits.ts";

const { inviteEmployee, sendSms, smsUsage } = restCalls;
const MAY = whoMay({ "sms.usage": "--+-" });

const { ask, host } = askingPlatform(["admin", "lina", "ops", "guest"]);
const usage = async (company: string) =>
  smsUsage.data.parse((await ask("GET", smsUsage.path, { in: company })).body.data);
const query = (text: string, values: unknown[] = []) =>
  host.platform.database.pool.query(text, values);

it(
  covers(smsUsage, "success", "none, some, and the words when the limit of a company is reached"),
  async () => {
    const none = { codes: [0, 500], invitations: [0, 200] };
    const shown = async (company: string) => {
      const { codes, invitations } = await usage(company);
      return {
        codes: [codes.used, codes.limit],
        invitations: [invitations.used, invitations.limit],
      };
    };
    expect(await shown("1")).toEqual(none);
    expect((await usage("1")).nearest).toEqual([]);
    const now = host.clock.now();
    const first = new Date(now - 3_600_000).toISOString();
    const insert = (company: string | null, count: number, mobile: string, address: string) =>
      query(
        `INSERT INTO sms_codes (mobile, address, code_hash, sent_at, expires_at, company_id)
         SELECT $1, $2, '', $3::timestamptz, $3::timestamptz, $4::bigint FROM generate_series(1, $5)`,
        [mobile, address, first, company, count],
      );
    await insert("1", SMS_LIMITS.perCompany, "13400000000", "198.51.100.1");
    await insert("2", 3, "13400000002", "198.51.100.2");
    // what the address got a day ago counts no more
    await query(
      `INSERT INTO sms_codes (mobile, address, code_hash, sent_at, expires_at)
       SELECT '13400000003', '198.51.100.3', '', $1::timestamptz, $1::timestamptz FROM generate_series(1, 5)`,
      [new Date(now - DAY_MS - 1000).toISOString()],
    );
    const until = new Date(Date.parse(first) + DAY_MS).toISOString();
    const full = await usage("1");
    expect(full.codes).toEqual({ used: 500, limit: 500, until });
    expect(full.nearest).toEqual([
      {
        kind: "pair",
        who: "134****0000 · 198.51.100.1",
        used: 500,
        limit: SMS_LIMITS.perPair,
        until,
      },
      { kind: "address", who: "198.51.100.1", used: 500, limit: SMS_LIMITS.perAddress, until },
      { kind: "company", who: "华安物业服务有限公司", used: 500, limit: 500, until },
      { kind: "pair", who: "134****0002 · 198.51.100.2", used: 3, limit: 10, until: null },
      { kind: "address", who: "198.51.100.2", used: 3, limit: 50, until: null },
      { kind: "company", who: "城南消防工程有限公司", used: 3, limit: 500, until: null },
    ]);
    // The page says what the link says then.
    const { body } = await ask("POST", inviteEmployee.path, { json: {} });
    const { link } = inviteEmployee.data.parse(body.data);
    const refused = await fetch(host.origin + link, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ act: "code", mobile: "13400000009" }),
    });
    expect([refused.status, ((await refused.json()) as { msg: string }).msg]).toEqual([
      429,
      "企业今日发送的验证码已达上限，请联系企业",
    ]);
    expect((await ask("POST", sendSms.path, { json: { mobile: "13400000009" } })).status).toBe(200);

    await query("UPDATE invitations SET sms_at = $1, sms_count = $2 WHERE company_id = 1", [
      first,
      INVITE_SMS.perCompany,
    ]);
    expect((await usage("1")).invitations).toEqual({ used: 200, limit: 200, until });
  },
);

it(covers(smsUsage, "foreign", "another company sees its own figures alone"), async () => {
  const { codes, invitations, nearest } = await usage("2");
  expect([codes.used, codes.until, invitations.used, nearest]).toEqual([3, null, 0, null]);
});

it(covers(smsUsage, "refused"), async () => {
  for (const as of refusedBy(MAY["sms.usage"])) {
    expect((await ask("GET", smsUsage.path, { as })).status, as).toBe(403);
  }
});
