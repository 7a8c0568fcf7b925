import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { keepsCodes } from "../sms/sms.harness.ts";
import type { Answer } from "../../platform.harness.ts";

const { applyStates, decideApply, register, sendSms } = restCalls;

const { sent, sms } = keepsCodes();
const { host } = platformForTests([], {
  sms,
});

/** A day passes, so that the address may ask for another code. */
async function codeFor(mobile: string) {
  host.clock.advance(24 * 60 * 60_000);
  const { body } = await host.ask("POST", sendSms.path, { json: { mobile } });
  const { requestKey = "" } = sendSms.data.parse(body.data);
  return { mobile, smsCode: sent.get(mobile) ?? "", requestKey };
}
const look = (json: unknown): Promise<Answer> => host.ask("POST", applyStates.path, { json });
const stateOf = async (mobile: string) =>
  applyStates.data.parse((await look(await codeFor(mobile))).body.data);
const wrongOf = ({ smsCode }: { smsCode: string }) => (smsCode === "000000" ? "000001" : "000000");
const stateRow = (kind: string, status: string, reason = "", supplierName = "远航有限公司") => ({
  kind,
  supplierName,
  status,
  reason,
  createTime: expect.any(String),
});

it(
  covers(applyStates, "success", "by the code alone, from pending to the reason of a refusal"),
  async () => {
    const mobile = "13900000001";
    const made = await host.ask("POST", register.path, {
      json: {
        supplierName: "远航有限公司",
        contact: "钱",
        username: "sailboss",
        password: "Secret2026",
        ...(await codeFor(mobile)),
      },
    });
    const { applyId } = register.data.parse(made.body.data);
    expect(await stateOf(mobile)).toEqual([stateRow("company", "pending")]);
    const { access_token: token } = await host.login("admin");
    const refused = await host.ask("PUT", decideApply.path.replace("{id}", applyId), {
      token,
      supplierId: "1",
      json: { status: "refused", reason: "名称与执照不一致" },
    });
    expect(refused.status).toBe(200);
    expect(await stateOf(mobile)).toEqual([stateRow("company", "refused", "名称与执照不一致")]);

    // A person who applied to a company, with another number than that of the account.
    const { pool } = host.platform.database;
    await pool.query(
      `INSERT INTO membership_applies (company_id, account_id, name, phone, status, reason, created_at)
       SELECT 1, account_id, '钱', '13900000002', 'refused', '本月不再招人', now() FROM account_mobiles WHERE mobile = $1`,
      [mobile],
    );
    const member = stateRow("member", "refused", "本月不再招人", "华安物业服务有限公司");
    const both = await stateOf(mobile);
    expect(both).toHaveLength(2);
    expect(both).toEqual(
      expect.arrayContaining([member, stateRow("company", "refused", "名称与执照不一致")]),
    );
    expect(await stateOf("13900000002")).toEqual([member]);

    // Once the account has another number, the old one leads no more to it when it is somebody else's.
    await pool.query("UPDATE account_mobiles SET mobile = '13900000003' WHERE mobile = $1", [
      mobile,
    ]);
    expect(await stateOf("13900000003")).toHaveLength(2);
    await pool.query(
      "INSERT INTO account_mobiles (account_id, mobile) SELECT id, $1 FROM accounts WHERE username = 'guest'",
      [mobile],
    );
    expect(await stateOf(mobile)).toEqual([]);
  },
);

it(
  covers(
    applyStates,
    ["invalid", "refused", "foreign"],
    "equal for a number that applied and one that did not",
  ),
  async () => {
    const [known, unknown] = [await codeFor("13900000003"), await codeFor("13900000099")];
    const answers: unknown[] = [];
    for (const code of [known, unknown]) {
      const { status, body } = await look({ ...code, smsCode: wrongOf(code) });
      answers.push([status, body]);
      expect([status, body.msg]).toEqual([400, "验证码不正确或已过期"]);
    }
    expect(answers[0]).toEqual(answers[1]);
    // The code of one number opens no other.
    expect((await look({ ...unknown, mobile: known.mobile })).status).toBe(400);
    const fields = await look({ mobile: "1", smsCode: "1" });
    expect(Object.keys(fields.body.details?.["fields"] ?? {})).toEqual(["mobile", "smsCode"]);
    // Who has no application learns only that.
    const fresh = await codeFor("13900000099");
    expect((await look(fresh)).body.data).toEqual([]);
    expect((await look(fresh)).body.msg, "a code counts once").toBe("验证码不正确或已过期");
  },
);
