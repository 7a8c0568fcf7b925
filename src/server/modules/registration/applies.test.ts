import { desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { DATA_CHANGES, dataChangesSchema } from "../../base/cluster/data-changes.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { decide as decideAbout } from "./applies.ts";
import { platformForTests } from "../../asking.harness.ts";
import { keepsCodes } from "../sms/sms.harness.ts";

const { companyApplies, companyProfile, companyProfileUpdate, decideApply } = restCalls;
const { register, sendSms, versionApplies } = restCalls;
const MAY = whoMay({ "registration.companyApplies": "--++", "registration.decide": "--++" });

const { sent, sms } = keepsCodes();
const { host, tokens } = platformForTests(["admin", "lina", "ops", "guest"], {
  sms,
});

interface Applicant {
  readonly token: string;
  readonly supplierId: string;
  readonly applyId: string;
}
let serial = 0;
async function applicant(username: string, more: object = {}): Promise<Applicant> {
  const mobile = `139${String((serial += 1)).padStart(8, "0")}`;
  await host.ask("POST", sendSms.path, { json: { mobile } });
  const json = {
    supplierName: `${username} 有限公司`,
    contact: "赵六",
    mobile,
    smsCode: sent.get(mobile),
    username,
    password: "Secret2026",
    ...more,
  };
  const { body } = await host.ask("POST", register.path, { json });
  const { supplierId, applyId } = register.data.parse(body.data);
  const login = await host.tryLogin(username, "Secret2026");
  return { token: (login.body.data as { access_token: string }).access_token, supplierId, applyId };
}
const as = (name: string, supplierId = "1") => ({ token: tokens[name] ?? "", supplierId });
const list = async (who: { token: string; supplierId: string }, query = "") => {
  const { body } = await host.ask("GET", `${companyApplies.path}${query}`, who);
  return companyApplies.data.parse(body.data);
};
const decide = (who: { token: string; supplierId: string }, id: string, json: unknown) =>
  host.ask("PUT", decideApply.path.replace("{id}", id), { ...who, json });
const own = async ({ token }: Applicant) => {
  const { body } = await host.ask("GET", versionApplies.path, { token });
  return versionApplies.data.parse(body.data).records;
};

it(
  covers([companyApplies, decideApply], "success", "refused with a reason, then approved"),
  async () => {
    const one = await applicant("firstboss");
    expect(await own(one)).toMatchObject([{ status: "pending", reason: "" }]);
    const pending = await list(as("ops"), "?status=pending&keyword=firstboss");
    expect(pending.records).toMatchObject([
      { id: one.applyId, supplierName: "firstboss 有限公司", contact: "赵六", decidedBy: null },
    ]);
    const refused = await decide(as("ops"), one.applyId, { status: "refused", reason: "资料不全" });
    expect(refused.body.data).toMatchObject({
      status: "refused",
      reason: "资料不全",
      decidedBy: "运维值班",
    });
    expect(await own(one)).toMatchObject([{ status: "refused", reason: "资料不全" }]);
    const approved = await decide(as("admin"), one.applyId, { status: "approved" });
    expect(approved.body.data).toMatchObject({ status: "approved", reason: "" });
    expect((await list(as("ops"), "?status=pending&keyword=firstboss")).total).toBe(0);
    const records = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.entity, "supplier-apply"))
      .orderBy(desc(auditRecords.id));
    expect(records.map(({ action, entityId }) => [action, entityId])).toEqual([
      ["approve", one.applyId],
      ["refuse", one.applyId],
    ]);
  },
);

it("A refused application keeps nobody else from its credit code, and is not approved over the other", async () => {
  const creditCode = "91350100M000100Y43";
  const one = await applicant("firstcode", { creditCode });
  const profile = async () => {
    const { body } = await host.ask("GET", companyProfile.path, one);
    return companyProfile.data.parse(body.data);
  };
  expect((await profile()).creditCode).toBe(creditCode);
  // While the application waits, its code is changed in it alone.
  const json = { version: (await profile()).version, creditCode: "" };
  const changed = await host.ask("PUT", companyProfileUpdate.path, { ...one, json });
  const alone = "入驻申请通过前，统一社会信用代码只能在申请中修改";
  expect([changed.status, changed.body.msg]).toEqual([409, alone]);
  await decide(as("ops"), one.applyId, { status: "refused", reason: "代码不是贵企业的" });
  expect((await profile()).creditCode).toBe("");
  const two = await applicant("secondcode", { creditCode });
  const late = await decide(as("ops"), one.applyId, { status: "approved" });
  expect([late.status, late.body.msg]).toEqual([409, "该统一社会信用代码已被其他企业使用"]);
  expect(await own(one)).toMatchObject([{ status: "refused" }]);
  await decide(as("ops"), two.applyId, { status: "refused", reason: "重复" });
  expect((await decide(as("ops"), one.applyId, { status: "approved" })).status).toBe(200);
  expect((await profile()).creditCode).toBe(creditCode);
});

it("The applicant's company learns of the decision", async () => {
  const one = await applicant("toldboss");
  const seen: unknown[] = [];
  const { directory, database } = host.platform;
  const principal = await directory.authenticate(tokens["admin"] ?? "");
  await decideAbout(
    {
      db: database.db,
      clock: host.clock,
      licences: { handOver: () => Promise.resolve(), read: () => Promise.reject(new Error()) },
      bus: {
        publish: (topic, message) => Promise.resolve(void seen.push([topic, message])),
        subscribe: () => () => undefined,
        close: () => Promise.resolve(),
      },
    },
    { ...principal, supplierId: "1" },
    one.applyId,
    { status: "approved", reason: "" },
  );
  const message = { supplierId: one.supplierId, tags: ["applies"], except: null };
  expect(seen).toEqual([[DATA_CHANGES, dataChangesSchema.parse(message)]]);
});

it(covers([companyApplies, decideApply], "invalid"), async () => {
  const one = await applicant("strictboss");
  const limit = await host.ask("GET", `${companyApplies.path}?limit=0&status=x`, as("ops"));
  expect(Object.keys(limit.body.details?.["fields"] ?? {})).toEqual(["limit", "status"]);
  const silent = await decide(as("ops"), one.applyId, { status: "refused", reason: " " });
  expect(Object.keys(silent.body.details?.["fields"] ?? {})).toEqual(["reason"]);
  expect((await decide(as("ops"), one.applyId, { status: "pending" })).status).toBe(400);
  for (const id of ["999999", "x"]) {
    expect((await decide(as("ops"), id, { status: "approved" })).status).toBe(404);
  }
  await decide(as("ops"), one.applyId, { status: "approved" });
  // An approval is final.
  const late = await decide(as("ops"), one.applyId, { status: "refused", reason: "晚了" });
  expect([late.status, late.body.error]).toEqual([409, "request.conflict"]);
});

it(
  covers([companyApplies, decideApply], "foreign", "another company sees its own alone"),
  async () => {
    const [one, two] = [await applicant("leftboss"), await applicant("rightboss")];
    expect((await list(one)).records.map(({ id }) => id)).toEqual([one.applyId]);
    for (const id of [one.applyId, two.applyId]) {
      const answer = await decide(one, id, { status: "approved" });
      expect([answer.status, answer.body.error]).toEqual([404, "request.not-found"]);
    }
    expect(await own(two)).toMatchObject([{ status: "pending" }]);
  },
);

it(covers([companyApplies, decideApply], "refused"), async () => {
  for (const call of [companyApplies, decideApply]) {
    const path = call.path.replace("{id}", "1");
    const json = call.method === "PUT" ? { json: {} } : {};
    expect((await host.ask(call.method, path, json)).status).toBe(401);
    for (const name of refusedBy(MAY[call.id])) {
      const { status } = await host.ask(call.method, path, { ...as(name), ...json });
      expect([name, status]).toEqual([name, 403]);
    }
  }
});
