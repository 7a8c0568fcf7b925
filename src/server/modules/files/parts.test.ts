/** Files of a company that come in parts (docs/server.md#uploads-in-parts). */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { PARTS_PATH, uploadFinishCall } from "../../../shared/protocol/rest/files.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { companies } from "../../base/database/schema/base.ts";
import { files } from "../../base/database/schema/files.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";

const MB = 1024 * 1024;
/** A PDF of some bytes. */
const pdf = (size: number): Buffer => {
  const content = Buffer.alloc(size, "0123456789abcdef");
  content.write("%PDF-1.7\n");
  return content;
};

describe("Files in parts", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parts-"));
  const env = { DATA_DIR: dataDir, UPLOAD_FILE_MB: "12", UPLOAD_COMPANY_MB: "40" };
  let platform: TestPlatform;
  const token: Record<string, string> = {};
  const company = { huaan: "", chengnan: "" };
  beforeAll(async () => {
    platform = await startTestPlatform({ env });
    for (const name of ["admin", "zhangwei", "lina", "wangfang", "guest"]) {
      token[name] = (await platform.login(name)).access_token;
    }
    const rows = await platform.db.select().from(companies);
    company.huaan = rows.find((row) => row.name.startsWith("华安"))?.id ?? "";
    company.chengnan = rows.find((row) => row.name.startsWith("城南"))?.id ?? "";
  }, 120_000);
  afterAll(async () => {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function ask(
    who: string | null,
    method: string,
    path: string,
    headers: Record<string, string | number> = {},
    body?: Buffer,
    supplierId = company.huaan,
  ) {
    const answer = await fetch(`${platform.origin}${path}`, {
      method,
      headers: {
        "tus-resumable": "1.0.0",
        ...(who === null ? {} : { authorization: `Bearer ${token[who]}` }),
        ...(supplierId === "" ? {} : { "supplier-id": supplierId }),
        ...Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)])),
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    return {
      status: answer.status,
      offset: Number(answer.headers.get("upload-offset") ?? Number.NaN),
      location: answer.headers.get("location") ?? "",
      text: await answer.text(),
    };
  }
  const create = (who: string | null, size: number, supplierId?: string) =>
    ask(who, "POST", PARTS_PATH, { "upload-length": size }, undefined, supplierId);
  const send = (who: string, path: string, offset: number, part: Buffer) =>
    ask(
      who,
      "PATCH",
      path,
      { "upload-offset": offset, "content-type": "application/offset+octet-stream" },
      part,
    );
  const idOf = (path: string): string => path.split("/").at(-1) ?? "";
  const finish = (
    who: string | null,
    id: string,
    name = "年度报告.pdf",
    supplierId = company.huaan,
  ) =>
    platform.ask("POST", `${PARTS_PATH}/${id}/finish`, {
      ...(who === null ? {} : { token: token[who] ?? "" }),
      ...(supplierId === "" ? {} : { supplierId }),
      json: { name },
    });
  /** A complete upload. */
  async function sentWhole(who: string, content: Buffer): Promise<string> {
    const { location } = await create(who, content.length);
    expect((await send(who, location, 0, content)).offset).toBe(content.length);
    return idOf(location);
  }
  const rowsOf = (id: string) => platform.db.select().from(files).where(eq(files.uploadId, id));
  const partsOnDisk = (): string[] => readdirSync(join(dataDir, "files/company-parts"));

  it(
    covers(uploadFinishCall, "success", "of a file with a break, once however often it is asked"),
    async () => {
      const content = pdf(6 * MB);
      const { status, location } = await create("lina", content.length);
      expect(status).toBe(201);
      await send("lina", location, 0, content.subarray(0, 4 * MB));
      // After a break the server says what it has; a part at another place is refused.
      expect(await ask("lina", "HEAD", location)).toMatchObject({ status: 200, offset: 4 * MB });
      expect((await send("lina", location, 0, content)).status).toBe(409);
      const id = idOf(location);
      expect(await finish("lina", id)).toMatchObject({
        status: 409,
        body: { error: "request.conflict" },
      });
      await send("lina", location, 4 * MB, content.subarray(4 * MB));
      // At once and again: an answer may be lost.
      const answers = await Promise.all([1, 2, 3].map(() => finish("lina", id)));
      answers.push(await finish("lina", id));
      const names = answers.map(({ status: one, body }) => {
        expect(one).toBe(200);
        return uploadFinishCall.data.parse(body.data).fileName;
      });
      expect(new Set(names).size).toBe(1);
      const [fileName = ""] = names;
      expect(await rowsOf(id)).toHaveLength(1);
      const audits = await platform.db
        .select()
        .from(auditRecords)
        .where(eq(auditRecords.entityId, fileName));
      expect(audits.map(({ action }) => action)).toEqual(["create"]);
      expect(partsOnDisk()).toEqual([]);

      const got = await fetch(`${platform.origin}/umc-rbac/common/download?fileName=${fileName}`, {
        headers: { authorization: `Bearer ${token["zhangwei"]}`, "supplier-id": company.huaan },
      });
      const bytes = Buffer.from(await got.arrayBuffer());
      expect(bytes.equals(content)).toBe(true);
      const hash = createHash("sha256").update(content).digest("hex");
      expect(got.headers.get("etag")).toBe(`"${hash}"`);
      expect(got.headers.get("content-disposition")).toContain(
        `filename*=UTF-8''${encodeURIComponent("年度报告.pdf")}`,
      );
    },
  );

  it("A download gives the range that is asked for, and none of a file that the browser has", async () => {
    const content = pdf(5 * MB + 10);
    const { body } = await finish("lina", await sentWhole("lina", content));
    const { fileName } = uploadFinishCall.data.parse(body.data);
    const get = (headers: Record<string, string>) =>
      fetch(`${platform.origin}/umc-rbac/common/download?fileName=${fileName}`, {
        headers: {
          authorization: `Bearer ${token["lina"]}`,
          "supplier-id": company.huaan,
          ...headers,
        },
      });
    const part = await get({ range: `bytes=${5 * MB}-` });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes ${5 * MB}-${5 * MB + 9}/${5 * MB + 10}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(5 * MB))).toBe(true);
    const etag = part.headers.get("etag") ?? "";
    const known = await get({ "if-none-match": etag });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    expect((await get({ range: "bytes=99999999-" })).status).toBe(416);
  });

  it(
    covers(uploadFinishCall, "foreign", "as the upload of nobody, and its parts too"),
    async () => {
      const id = await sentWhole("lina", pdf(100));
      const path = `${PARTS_PATH}/${id}`;
      for (const answer of [
        await ask("zhangwei", "HEAD", path),
        await send("zhangwei", path, 0, pdf(100)),
        await ask("zhangwei", "DELETE", path),
        await ask("wangfang", "HEAD", path, {}, undefined, company.chengnan),
        await ask("lina", "GET", path),
        await ask("lina", "HEAD", `${PARTS_PATH}/..%2f..%2fsecret`),
        await finish("zhangwei", id),
        await finish("wangfang", id, "a.pdf", company.chengnan),
      ]) {
        expect(answer.status).toBe(404);
      }
      expect((await finish("lina", id)).status).toBe(200);
      // Another person does not get the file of another person either.
      expect((await finish("zhangwei", id)).status).toBe(404);
    },
  );

  it(
    covers(uploadFinishCall, "refused", "no login, no company, no role, and the parts as well"),
    async () => {
      const id = `${"a".repeat(32)}-${"b".repeat(32)}`;
      expect((await finish(null, id)).status).toBe(401);
      expect((await finish("guest", id)).status).toBe(403);
      expect((await finish("lina", id, "a.pdf", "")).status).toBe(400);
      expect((await finish("lina", id, "a.pdf", company.chengnan)).status).toBe(403);
      expect((await create(null, 100)).status).toBe(401);
      expect((await create("guest", 100)).status).toBe(403);
      expect((await create("lina", 100, "")).status).toBe(400);
      expect((await create("lina", 100, company.chengnan)).status).toBe(403);
    },
  );

  it(
    covers(uploadFinishCall, "invalid", "name and content, in words, and nothing of it stays"),
    async () => {
      const types = "doc/xls/ppt/txt/pdf/docx/xlsx/pptx/png/jpg/jpeg";
      const wrong = { error: "file.wrong-type", msg: `文件格式不正确，请上传 ${types} 格式文件！` };
      const large = pdf(6 * MB);
      for (const [name, content] of [
        ["a.exe", large],
        ["a.png", large],
        ["a.docx", large],
        ["a.txt", Buffer.concat([large, Buffer.from([0])])],
      ] as const) {
        const id = await sentWhole("lina", content);
        expect((await finish("lina", id, name)).body).toMatchObject(wrong);
        expect(await rowsOf(id)).toEqual([]);
      }
      expect(partsOnDisk()).toEqual([]);
      const id = `${"a".repeat(32)}-${"b".repeat(32)}`;
      expect(await finish("lina", id, "")).toMatchObject({
        status: 400,
        body: { details: { fields: { name: expect.any(String) } } },
      });
      expect(await finish("lina", "nonsense")).toMatchObject({
        status: 400,
        body: { details: { fields: { id: "上传编号不正确" } } },
      });
    },
  );

  it("The limits of a file, of a company and of a person hold before a byte is sent", async () => {
    const over = await create("lina", 12 * MB + 1);
    expect([over.status, JSON.parse(over.text)]).toMatchObject([
      413,
      { error: "file.too-large", msg: "上传文件大小不能超过 12 MB！" },
    ]);
    expect((await create("lina", 0)).status).toBe(400);
    const { location } = await create("zhangwei", 12 * MB);
    const second = await create("zhangwei", 12 * MB);
    const full = await create("lina", 12 * MB);
    expect([full.status, JSON.parse(full.text)]).toMatchObject([413, { error: "file.quota" }]);
    // A part beyond the announced size.
    const { location: small } = await create("lina", 100);
    expect((await send("lina", small, 0, pdf(200))).status).toBe(413);
    for (const path of [location, second.location]) await ask("zhangwei", "DELETE", path);
    expect((await create("lina", 12 * MB)).status).toBe(201);
    let last = { status: 201, text: "" };
    for (let n = 0; n < 20 && last.status === 201; n += 1) last = await create("lina", 100);
    expect([last.status, JSON.parse(last.text)]).toMatchObject([
      429,
      { error: "request.rate-limited", details: { retryAfter: 60 } },
    ]);
  });

  it("What has waited for a day is swept", async () => {
    const { location: old } = await create("zhangwei", 100);
    const { location: young } = await create("zhangwei", 100);
    const folder = join(dataDir, "files/company-parts");
    const past = Date.now() / 1_000 - 86_401;
    for (const name of readdirSync(folder)) {
      if (name.startsWith(idOf(old))) utimesSync(join(folder, name), past, past);
    }
    platform.clock.advance(61 * 60_000);
    await expect.poll(() => existsSync(join(folder, idOf(old)))).toBe(false);
    expect(existsSync(join(folder, idOf(young)))).toBe(true);
  });
});
