/** Licence pictures of guests, and applications that are corrected (docs/session.md#licence-picture). */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LICENCE_LIMITS } from "../../../shared/protocol/rest/licences.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { ORPHAN_MS } from "../../base/storage/blobs.ts";
import { licencePictures } from "../../base/database/schema/registration.ts";
import { covers } from "../../covers.harness.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { keepsCodes } from "../sms/sms.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { REFUSED_KEPT_MS } from "./licences.ts";

const { companyApplies, companyProfile, decideApply, download } = restCalls;
const { licenceRead, licenceSend, register, resubmit, sendSms, versionApplies } = restCalls;
const MAY = whoMay({ "licences.read": "--++", "registration.resubmit": "++++" });

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const JPEG = Buffer.from("ffd8ffe000104a46494600", "hex");

const dataDir = mkdtempSync(join(tmpdir(), "licences-"));
let host: TestPlatform;
const { sent, sms } = keepsCodes();
beforeAll(async () => {
  host = await startTestPlatform({
    env: { DATA_DIR: dataDir, TRUSTED_PROXIES: "127.0.0.1" },
    sms,
  });
}, 60_000);
afterAll(async () => {
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const tokenOf = async (username: string, password?: string) =>
  ((await host.tryLogin(username, password)).body.data as { access_token: string }).access_token;
/** A client of an address of its own, so that tests do not use up each other's limits. */
let serial = 0;
const nextAddress = (): string => `203.0.113.${(serial += 1)}`;

async function send(
  content: Uint8Array,
  name = "执照.png",
  address = nextAddress(),
): Promise<{ status: number; body: Answer["body"] }> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content)]), name);
  const answer = await fetch(host.origin + licenceSend.path, {
    method: "POST",
    headers: { "x-forwarded-for": address },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as Answer["body"] };
}
const sentToken = async (content: Uint8Array = PNG): Promise<string> =>
  licenceSend.data.parse((await send(content)).body.data).licence;

async function apply(username: string, more: object = {}) {
  const mobile = `137${String((serial += 1)).padStart(8, "0")}`;
  const headers = { "x-forwarded-for": nextAddress() };
  await host.ask("POST", sendSms.path, { json: { mobile }, headers });
  const json = {
    supplierName: `${username} 有限公司`,
    contact: "赵六",
    mobile,
    smsCode: sent.get(mobile),
    username,
    password: "Secret2026",
    ...more,
  };
  return host.ask("POST", register.path, { json, headers });
}
async function applied(username: string, more: object = {}) {
  const ids = register.data.parse((await apply(username, more)).body.data);
  return { ...ids, token: await tokenOf(username, "Secret2026") };
}
const decide = async (id: string, json: unknown) =>
  host.ask("PUT", decideApply.path.replace("{id}", id), {
    token: await tokenOf("ops"),
    supplierId: "1",
    json,
  });
const read = async (applyId: string, who: { token: string; supplierId: string }) =>
  fetch(`${host.origin}${licenceRead.path}?applyId=${applyId}`, {
    headers: { authorization: `Bearer ${who.token}`, "supplier-id": who.supplierId },
  });
const platform = async () => ({ token: await tokenOf("ops"), supplierId: "1" });
const pictures = async () => (await host.db.select().from(licencePictures)).length;
/** Whether the content lies in the folder of the files. */
const isKept = (content: Uint8Array): boolean =>
  readdirSync(join(dataDir, "files"), { recursive: true, encoding: "utf8" }).some((path) =>
    path.endsWith(createHash("sha256").update(content).digest("hex")),
  );

it(
  covers(
    [licenceSend, licenceRead],
    "success",
    "the platform reads it, and an approval makes it a file of the company",
  ),
  async () => {
    // The name says nothing: what is inside decides.
    const answer = await send(JPEG, "执照.png");
    expect(answer.body.data).toEqual({
      licence: expect.stringMatching(/^[\w-]{32}$/),
      expiresIn: LICENCE_LIMITS.lifetime,
    });
    const { licence } = licenceSend.data.parse(answer.body.data);
    const one = await applied("pictureboss", { licence });
    const list = await host.ask(
      "GET",
      `${companyApplies.path}?keyword=pictureboss`,
      await platform(),
    );
    expect(companyApplies.data.parse(list.body.data).records).toMatchObject([{ hasLicence: true }]);
    const picture = await read(one.applyId, await platform());
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(JPEG);
    // No company's space counts it while it waits.
    const counted = await host.platform.database.pool.query("SELECT FROM files");
    expect(counted.rows).toHaveLength(0);

    await decide(one.applyId, { status: "approved" });
    expect((await read(one.applyId, await platform())).status).toBe(404);
    const { body } = await host.ask("GET", companyProfile.path, one);
    const { licence: fileName } = companyProfile.data.parse(body.data);
    expect(fileName).toMatch(/\.jpg$/);
    const file = await fetch(`${host.origin}${download.path}?fileName=${fileName}`, {
      headers: { authorization: `Bearer ${one.token}`, "supplier-id": one.supplierId },
    });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(JPEG);
    const { rows } = await host.platform.database.pool.query(
      "SELECT company_id::text AS company FROM files WHERE name = $1",
      [fileName],
    );
    expect(rows).toEqual([{ company: one.supplierId }]);
  },
);

it(covers(licenceSend, "invalid", "type, size, number, and none"), async () => {
  const before = await pictures();
  const wrong = { error: "file.wrong-type", msg: "文件格式不正确，请上传 png/jpg/jpeg 格式文件！" };
  expect((await send(Buffer.from("%PDF-1.7"), "执照.png")).body).toMatchObject(wrong);
  const large = Buffer.concat([JPEG, Buffer.alloc(5 * 1024 * 1024)]);
  expect((await send(large)).body).toMatchObject({
    error: "file.too-large",
    msg: "上传文件大小不能超过 5 MB！",
  });
  const answer = await host.ask("POST", licenceSend.path, { json: {} });
  expect(answer.body).toMatchObject({ error: "request.invalid" });
  expect(await pictures()).toBe(before);
});

it("One address sends ten pictures an hour, and another is not limited by it", async () => {
  const address = nextAddress();
  for (let n = 0; n < LICENCE_LIMITS.hourly; n += 1) {
    expect((await send(PNG, "a.png", address)).status).toBe(200);
  }
  const late = await send(PNG, "a.png", address);
  expect([late.status, late.body.msg]).toEqual([429, "图片上传过于频繁，请稍后再试"]);
  expect(late.body.details).toMatchObject({ retryAfter: 3600 });
  expect((await send(PNG)).status).toBe(200);
  host.clock.advance(60 * 60_000);
  expect((await send(PNG, "a.png", address)).status).toBe(200);
});

it("A token is good once and for an hour, and a registration without a good one is refused at its field", async () => {
  const licence = await sentToken();
  expect((await apply("onceboss", { licence })).status).toBe(200);
  const said = "营业执照图片已过期，请重新上传";
  const old = await sentToken();
  host.clock.advance(LICENCE_LIMITS.lifetime * 1000);
  for (const [name, token] of [
    ["twiceboss", licence],
    ["lateboss", old],
    ["guessboss", "x".repeat(32)],
  ] as const) {
    const { status, body } = await apply(name, { licence: token });
    expect([status, body.msg, body.details?.["fields"]]).toEqual([400, said, { licence: said }]);
  }
  expect((await apply("shapeboss", { licence: "x" })).body.details).toMatchObject({
    fields: { licence: "营业执照图片不正确" },
  });
});

it("The sweep removes pictures that no application has named within an hour, with their contents", async () => {
  const [named, lost] = ["named", "lost"].map((text) => Buffer.concat([JPEG, Buffer.from(text)]));
  if (named === undefined || lost === undefined) throw new Error("two contents are made");
  const one = await applied("keptboss", { licence: await sentToken(named) });
  await sentToken(lost);
  expect([isKept(named), isKept(lost)]).toEqual([true, true]);
  await expect
    .poll(() => {
      host.clock.advance(ORPHAN_MS);
      return isKept(lost);
    })
    .toBe(false);
  expect(isKept(named)).toBe(true);
  expect((await read(one.applyId, await platform())).status).toBe(200);
});

it("A refused application keeps its picture for a month", async () => {
  const one = await applied("monthboss", { licence: await sentToken() });
  await decide(one.applyId, { status: "refused", reason: "看不清" });
  expect((await read(one.applyId, await platform())).status).toBe(200);
  host.clock.advance(REFUSED_KEPT_MS + ORPHAN_MS);
  await expect.poll(async () => (await read(one.applyId, await platform())).status).toBe(404);
});

it(covers(licenceRead, "foreign"), async () => {
  const one = await applied("ownboss", { licence: await sentToken() });
  // Not even the applicant's company, and no other: the platform's people alone.
  expect((await read(one.applyId, one)).status).toBe(404);
  const elsewhere = { token: await tokenOf("admin"), supplierId: "2" };
  expect((await read(one.applyId, elsewhere)).status).toBe(404);
});

it(covers(licenceRead, "invalid"), async () => {
  for (const id of ["", "x"])
    expect([400, 404]).toContain((await read(id, await platform())).status);
  expect((await read("999999", await platform())).status).toBe(404);
});

it(covers(licenceRead, "refused"), async () => {
  expect((await host.ask("GET", `${licenceRead.path}?applyId=1`)).status).toBe(401);
  for (const name of refusedBy(MAY["licences.read"])) {
    const who = { token: await tokenOf(name), supplierId: "1" };
    expect([name, (await read("1", who)).status]).toEqual([name, 403]);
  }
});

const again = (id: string, token: string, json: unknown) =>
  host.ask("PUT", resubmit.path.replace("{id}", id), { token, json });
const ownOf = async (token: string) =>
  versionApplies.data.parse((await host.ask("GET", versionApplies.path, { token })).body.data)
    .records;

it(
  covers(resubmit, "success", "the applicant reads the reason, corrects, and is decided again"),
  async () => {
    const one = await applied("againboss", { licence: await sentToken() });
    const reason = "企业名称与营业执照不一致";
    await decide(one.applyId, { status: "refused", reason });
    expect(await ownOf(one.token)).toMatchObject([
      { status: "refused", reason, contact: "赵六", creditCode: "", hasLicence: true },
    ]);
    const json = {
      supplierName: "更正后有限公司",
      creditCode: "9144 0300 1922 0382 16",
      contact: "赵七",
      licence: await sentToken(JPEG),
    };
    expect((await again(one.applyId, one.token, json)).status).toBe(200);
    expect(await ownOf(one.token)).toMatchObject([
      { status: "pending", reason: "", supplierName: "更正后有限公司", contact: "赵七" },
    ]);
    const picture = await read(one.applyId, await platform());
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(JPEG);
    const { body } = await host.ask("GET", companyProfile.path, one);
    expect(body.data).toMatchObject({
      name: "更正后有限公司",
      creditCode: "914403001922038216",
      contact: "赵七",
    });
    expect((await decide(one.applyId, { status: "approved" })).status).toBe(200);
    // What stands is not sent again.
    const late = await again(one.applyId, one.token, json);
    expect([late.status, late.body.msg]).toEqual([409, "该申请不是已拒绝状态，请刷新后再试"]);
  },
);

it(covers(resubmit, "invalid", "at the fields, and what another company has"), async () => {
  const one = await applied("wrongboss");
  await decide(one.applyId, { status: "refused", reason: "请补充" });
  const good = { supplierName: "补充有限公司", contact: "赵六" };
  const wrong = await again(one.applyId, one.token, { ...good, creditCode: "1", contact: "" });
  expect(Object.keys(wrong.body.details?.["fields"] ?? {}).toSorted()).toEqual([
    "contact",
    "creditCode",
  ]);
  await applied("holderboss", { creditCode: "91110000802100433B" });
  const code = await again(one.applyId, one.token, { ...good, creditCode: "91110000802100433B" });
  expect([code.status, code.body.msg]).toEqual([409, "该统一社会信用代码已被其他企业使用"]);
  for (const supplierName of ["华安物业服务有限公司", "holderboss 有限公司"]) {
    const name = await again(one.applyId, one.token, { ...good, supplierName });
    expect([name.status, name.body.msg]).toEqual([409, "该企业已注册"]);
  }
  const picture = await again(one.applyId, one.token, { ...good, licence: "x".repeat(32) });
  expect([picture.status, picture.body.msg]).toEqual([400, "营业执照图片已过期，请重新上传"]);
  expect(await ownOf(one.token)).toMatchObject([{ status: "refused", reason: "请补充" }]);
});

it(covers(resubmit, ["refused", "foreign"]), async () => {
  const one = await applied("mineboss");
  await decide(one.applyId, { status: "refused", reason: "请补充" });
  const json = { supplierName: "他人有限公司", contact: "某人" };
  const path = resubmit.path.replace("{id}", one.applyId);
  expect((await host.ask("PUT", path, { json })).status).toBe(401);
  for (const name of ["admin", "guest"]) {
    expect((await again(one.applyId, await tokenOf(name), json)).status).toBe(404);
  }
  expect((await again("x", one.token, json)).status).toBe(404);
  // Who has left the company speaks for it no more.
  await host.db.execute(
    `UPDATE employees SET dimission_at = now() WHERE company_id = ${one.supplierId}`,
  );
  expect((await again(one.applyId, one.token, json)).status).toBe(404);
  const rows = await host.db
    .select()
    .from(licencePictures)
    .where(eq(licencePictures.applyId, one.applyId));
  expect(rows).toEqual([]);
});
