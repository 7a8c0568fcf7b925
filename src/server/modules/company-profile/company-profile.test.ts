import { beforeAll, expect, it } from "vitest";
import { companyProfileSchema } from "../../../shared/protocol/rest/company-profile.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";

const { companyProfile, companyProfileUpdate, upload } = restCalls;
const MAY = whoMay({
  "company.get": "-+++",
  "company.update": "--+-",
});

const { host } = platformForTests();
let token: string;
let ownCompany: string;
let other: string;
beforeAll(async () => {
  token = (await host.login("admin")).access_token;
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text FROM companies ORDER BY id",
  );
  [ownCompany, other] = [rows[0]?.id ?? "", rows[1]?.id ?? ""];
});

const read = async (company = ownCompany) =>
  companyProfileSchema.parse(
    (await host.ask("GET", companyProfile.path, { token, supplierId: company })).body.data,
  );
const save = (json: Record<string, unknown>, company = ownCompany) =>
  host.ask("PUT", companyProfileUpdate.path, { token, supplierId: company, json });

it(covers([companyProfile, companyProfileUpdate], "success"), async () => {
  const before = await read();
  const answer = await save({ version: before.version, shortName: " 华安 ", phone: "021-5555" });
  expect(answer.status).toBe(200);
  expect(await read()).toEqual({
    ...before,
    shortName: "华安",
    phone: "021-5555",
    version: before.version + 1,
  });
});

it(covers([companyProfile, companyProfileUpdate], "foreign"), async () => {
  const theirs = await read(other);
  const { version } = await read();
  await save({ version, address: "人民路 1 号" });
  expect(await read(other)).toEqual(theirs);
  expect((await read()).address).toBe("人民路 1 号");
});

it(covers([companyProfile, companyProfileUpdate], "refused"), async () => {
  const { version, address } = await read();
  const statusOf = async (name: string, ask: (own: string) => Promise<{ status: number }>) =>
    (await ask((await host.login(name)).access_token)).status;
  for (const name of refusedBy(MAY["company.get"])) {
    const status = await statusOf(name, (own) =>
      host.ask("GET", companyProfile.path, { token: own, supplierId: ownCompany }),
    );
    expect(status, name).toBe(403);
  }
  for (const name of refusedBy(MAY["company.update"])) {
    const status = await statusOf(name, (own) =>
      host.ask("PUT", companyProfileUpdate.path, {
        token: own,
        supplierId: ownCompany,
        json: { version, address: "他人填写" },
      }),
    );
    expect(status, name).toBe(403);
  }
  expect((await read()).address).toBe(address);
});

it(covers(companyProfileUpdate, "invalid"), async () => {
  const { version } = await read();
  const fieldsOf = async (json: Record<string, unknown>): Promise<readonly string[]> => {
    const { status, body } = await save({ version, ...json });
    expect(status).toBe(400);
    return Object.keys((body["details"] as { fields: Record<string, string> }).fields);
  };
  for (const [creditCode, said] of [
    ["123", "统一社会信用代码应为 18 位"],
    ["91350100M000100Y4I", "统一社会信用代码只含数字和大写字母，不含 I、O、S、V、Z"],
    ["91350100M000100Y44", "统一社会信用代码的校验位不正确，请核对"],
  ]) {
    const { body } = await save({ version, creditCode });
    expect(body["details"]).toMatchObject({ fields: { creditCode: said } });
  }
  expect(await fieldsOf({ phone: "call me" })).toEqual(["phone"]);
  expect(await fieldsOf({ logo: "../../etc/passwd" })).toEqual(["logo"]);
  // a file that the company does not have
  expect(await fieldsOf({ logo: `${"a".repeat(22)}.png` })).toEqual(["logo"]);
  expect((await save({ shortName: "x" })).status).toBe(400);
});

it("The logo is a picture of the company's own files, and no other file", async () => {
  const send = async (name: string, bytes: Uint8Array<ArrayBuffer>, company = ownCompany) => {
    const form = new FormData();
    form.append("file", new Blob([bytes]), name);
    const answer = await fetch(host.origin + upload.path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "supplier-id": company },
      body: form,
    });
    return String(((await answer.json()) as { fileName?: unknown }).fileName);
  };
  const png = new Uint8Array(Buffer.from(PNG, "base64"));
  const text = await send("a.txt", new Uint8Array(Buffer.from("hello")));
  const foreign = await send("a.png", png, other);
  const own = await send("a.png", png);
  const { version } = await read();
  expect((await save({ version, logo: text })).status).toBe(400);
  expect((await save({ version, logo: foreign })).status).toBe(400);
  expect((await save({ version, logo: own })).status).toBe(200);
  expect((await read()).logo).toBe(own);
});

it("A credit code belongs to one company, and is kept in its normal form", async () => {
  const one = await read();
  await save({ version: one.version, creditCode: "9135 0100 m000 100y 43" });
  const code = "91350100M000100Y43";
  expect((await read()).creditCode).toBe(code);
  const two = await read(other);
  const refused = await save({ version: two.version, creditCode: code }, other);
  expect([refused.status, refused.body["msg"]]).toEqual([
    409,
    "该统一社会信用代码已被其他企业使用",
  ]);
  expect(refused.body["details"]).toMatchObject({
    fields: { creditCode: "该统一社会信用代码已被其他企业使用" },
  });
  await save({ version: (await read()).version, creditCode: "" });
  expect((await save({ version: two.version, creditCode: code }, other)).status).toBe(200);
});

it("A change of an older version is refused with both versions", async () => {
  const { version } = await read();
  await save({ version, contact: "张伟" });
  const { status, body } = await save({ version, contact: "李娜" });
  expect(status).toBe(409);
  expect(body["details"]).toMatchObject({
    versions: { theirs: { contact: "张伟" }, yours: { contact: "李娜" } },
  });
});

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
