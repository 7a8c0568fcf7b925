import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { downloadCall, uploadCall } from "../../../shared/protocol/rest/files.ts";
import { companies } from "../../base/database/schema/base.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { fileContents, files } from "../../base/database/schema/files.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { ORPHAN_MS } from "../../base/storage/blobs.ts";

const PDF = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF");

describe("Upload and download", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "files-"));
  let platform: TestPlatform;
  const token: Record<string, string> = {};
  const company = { huaan: "", chengnan: "" };

  beforeAll(async () => {
    platform = await startTestPlatform({ env: { DATA_DIR: dataDir } });
    for (const name of ["admin", "zhangwei", "lina", "wangfang", "guest"]) {
      token[name] = (await platform.login(name)).access_token;
    }
    const rows = await platform.platform.database.db.select().from(companies);
    company.huaan = rows.find((row) => row.name.startsWith("华安"))?.id ?? "";
    company.chengnan = rows.find((row) => row.name.startsWith("城南"))?.id ?? "";
  }, 120_000);
  afterAll(async () => {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const headers = (who: string | null, supplierId: string | null): Record<string, string> => ({
    ...(who === null ? {} : { authorization: `Bearer ${token[who]}` }),
    ...(supplierId === null ? {} : { "supplier-id": supplierId }),
  });
  interface Answer {
    code: number;
    msg: string;
    error?: string;
    fileName?: string;
    data?: unknown;
    details?: { fields?: Record<string, string> };
  }
  async function upload(
    who: string | null,
    given: readonly [name: string, content: Buffer, field?: string][],
    supplierId: string | null = company.huaan,
  ): Promise<{ status: number; body: Answer }> {
    const form = new FormData();
    for (const [name, content, field = "file"] of given) {
      form.append(field, new Blob([new Uint8Array(content)]), name);
    }
    const response = await fetch(`${platform.origin}/common/upload`, {
      method: "POST",
      headers: headers(who, supplierId),
      body: form,
    });
    return { status: response.status, body: (await response.json()) as Answer };
  }
  async function kept(
    who: string,
    name: string,
    content: Buffer,
    supplierId?: string,
  ): Promise<string> {
    const { status, body } = await upload(who, [[name, content]], supplierId);
    expect({ status, code: body.code }).toEqual({ status: 200, code: 200 });
    return uploadCall.data.parse(body.data).fileName;
  }
  const download = (who: string | null, query: string, supplierId: string | null = company.huaan) =>
    fetch(`${platform.origin}/umc-rbac/common/download?${query}`, {
      headers: headers(who, supplierId),
    });
  const blobsOnDisk = (): string[] =>
    readdirSync(join(dataDir, "files"), { recursive: true, encoding: "utf8" })
      .map((path) => path.split("/").at(-1) ?? "")
      .filter((name) => /^[0-9a-f]{64}$/.test(name));
  const temporary = (): string[] => readdirSync(join(dataDir, "files/tmp"));

  it(
    covers(
      [uploadCall, downloadCall],
      "success",
      "code 200 and fileName, downloaded as an attachment",
    ),
    async () => {
      const { status, body } = await upload("lina", [["年度报告 (1).PDF", PDF]]);
      expect(status).toBe(200);
      expect(body).toMatchObject({ code: 200, msg: "操作成功" });
      const data = uploadCall.data.parse(body.data);
      expect(body.fileName).toBe(data.fileName);
      expect(data).toMatchObject({ originalName: "年度报告 (1).PDF", size: PDF.length });

      const answer = await download("zhangwei", `fileName=${data.fileName}`);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(PDF);
      expect(answer.headers.get("content-type")).toBe("application/pdf");
      expect(answer.headers.get("content-length")).toBe(String(PDF.length));
      expect(answer.headers.get("content-disposition")).toBe(
        `attachment; filename="${data.fileName}"; filename*=UTF-8''%E5%B9%B4%E5%BA%A6%E6%8A%A5%E5%91%8A%20%281%29.PDF`,
      );
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
      const record = await platform.platform.database.db
        .select()
        .from(auditRecords)
        .where(eq(auditRecords.entityId, data.fileName));
      expect(record.map((r) => [r.action, r.companyId])).toEqual([["create", company.huaan]]);
    },
  );

  it(
    covers(
      uploadCall,
      "foreign",
      "equal contents are stored once, and each company has its own file",
    ),
    async () => {
      const text = Buffer.from("同样的内容");
      const before = blobsOnDisk().length;
      const here = await kept("lina", "a.txt", text);
      const there = await kept("wangfang", "b.txt", text, company.chengnan);
      expect(here).not.toBe(there);
      expect(blobsOnDisk()).toHaveLength(before + 1);
      expect((await download("lina", `fileName=${there}`)).status).toBe(404);
      expect((await download("wangfang", `fileName=${there}`, company.chengnan)).status).toBe(200);
      expect(temporary()).toEqual([]);
    },
  );

  it(
    covers(downloadCall, "foreign", "as not found, and delete=true changes nothing of it"),
    async () => {
      const name = await kept("lina", "secret.txt", Buffer.from("只给华安"));
      for (const who of ["wangfang", "admin"]) {
        const answer = await download(who, `fileName=${name}&delete=true`, company.chengnan);
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({ error: "request.not-found" });
      }
      expect((await download("wangfang", `fileName=${name}`)).status).toBe(403);
      expect((await download("lina", `fileName=${name}`)).status).toBe(200);
    },
  );

  it(
    covers(
      [uploadCall, downloadCall],
      "refused",
      "no login, no company or no role, before a byte is kept",
    ),
    async () => {
      const file: [string, Buffer] = ["a.pdf", PDF];
      expect((await upload(null, [file])).status).toBe(401);
      expect((await upload("lina", [file], null)).status).toBe(400);
      expect((await upload("lina", [file], company.chengnan)).status).toBe(403);
      expect((await upload("guest", [file])).status).toBe(403);
      expect((await download(null, "fileName=x")).status).toBe(401);
      expect((await download("guest", `fileName=${"a".repeat(22)}.pdf`)).status).toBe(403);
      expect(temporary()).toEqual([]);
    },
  );

  it("delete=true removes the file for its uploader and for administrators, and does nothing for others", async () => {
    const name = await kept("lina", "x.pdf", PDF);
    expect((await download("zhangwei", `fileName=${name}&delete=true`)).status).toBe(200);
    const ownFile = await download("lina", `fileName=${name}&delete=true`);
    expect(Buffer.from(await ownFile.arrayBuffer())).toEqual(PDF);
    expect((await download("lina", `fileName=${name}`)).status).toBe(404);
    const other = await kept("lina", "y.pdf", PDF);
    expect((await download("admin", `fileName=${other}&delete=true`)).status).toBe(200);
    expect((await download("lina", `fileName=${other}`)).status).toBe(404);
  });

  it("delete=true keeps a file that something needs", async () => {
    const { db, pool } = platform.platform.database;
    const name = await kept("lina", "needed.pdf", PDF);
    const [row] = await db.select().from(files).where(eq(files.name, name));
    const use = [row?.id, company.huaan];
    await pool.query("INSERT INTO file_uses VALUES ($1, $2, 'bulletin', 7)", use);
    expect((await download("lina", `fileName=${name}&delete=true`)).status).toBe(200);
    expect((await download("admin", `fileName=${name}&delete=true`)).status).toBe(200);
    expect((await download("lina", `fileName=${name}`)).status).toBe(200);
    await pool.query("DELETE FROM file_uses WHERE file_id = $1 AND company_id = $2", use);
    expect((await download("lina", `fileName=${name}&delete=true`)).status).toBe(200);
    expect((await download("lina", `fileName=${name}`)).status).toBe(404);
  });

  it.each([
    ["fileName", ""],
    ["fileName", "fileName=../../etc/passwd"],
    ["fileName", `fileName=${"a".repeat(22)}.pdf%00`],
    ["delete", `fileName=${"a".repeat(22)}.pdf&delete=yes`],
  ])(
    covers(downloadCall, "invalid", "names the field %s of the query %s"),
    async (field, query) => {
      const answer = await download("lina", query);
      expect(answer.status).toBe(400);
      const { details } = (await answer.json()) as Answer;
      expect(Object.keys(details?.fields ?? {})).toEqual([field]);
    },
  );

  it(
    covers(uploadCall, "invalid", "name, content, size and count, in Chinese, and nothing is kept"),
    async () => {
      const before = await platform.platform.database.db.select().from(files);
      const types = "doc/xls/ppt/txt/pdf/docx/xlsx/pptx/png/jpg/jpeg";
      const wrong = { error: "file.wrong-type", msg: `文件格式不正确，请上传 ${types} 格式文件！` };
      expect((await upload("lina", [["a.exe", PDF]])).body).toMatchObject(wrong);
      expect((await upload("lina", [["a", PDF]])).body).toMatchObject(wrong);
      expect((await upload("lina", [["a.png", PDF]])).body).toMatchObject(wrong);
      expect((await upload("lina", [["a.pdf.exe", PDF]])).body).toMatchObject(wrong);
      const large = await upload("lina", [["a.txt", Buffer.alloc(5 * 1024 * 1024 + 1, "a")]]);
      expect(large.status).toBe(413);
      expect(large.body).toMatchObject({
        error: "file.too-large",
        msg: "上传文件大小不能超过 5 MB！",
      });
      const many = await upload(
        "lina",
        Array.from({ length: 6 }, (_, i): [string, Buffer] => [`${i}.pdf`, PDF]),
      );
      expect(many.body).toMatchObject({
        error: "file.too-many",
        msg: "上传文件数量不能超过 5 个！",
      });
      expect((await upload("lina", [])).body).toMatchObject({ error: "request.invalid" });
      expect((await upload("lina", [["a.pdf", PDF, "other"]])).body).toMatchObject({
        error: "request.invalid",
        details: { fields: { file: "请选择文件" } },
      });
      // One bad file among good ones: none is kept.
      expect(
        (
          await upload("lina", [
            ["a.pdf", PDF],
            ["b.exe", PDF],
          ])
        ).body,
      ).toMatchObject(wrong);
      const json = await platform.ask("POST", "/common/upload", {
        token: token["lina"] ?? "",
        supplierId: company.huaan,
        json: {},
      });
      expect(json.body).toMatchObject({ error: "request.invalid" });
      expect(await platform.platform.database.db.select().from(files)).toHaveLength(before.length);
      expect(temporary()).toEqual([]);
    },
  );

  it("A document that Word Online has saved is kept", async () => {
    const path = new URL(
      "../../../../tests/import/fixtures/brought/document2.docx",
      import.meta.url,
    );
    const document = readFileSync(path);
    const { status, body } = await upload("lina", [["制度.docx", document]]);
    expect({ status, code: body.code }).toEqual({ status: 200, code: 200 });
    const { body: wrong } = await upload("lina", [["制度.xlsx", document]]);
    expect(wrong).toMatchObject({ error: "file.wrong-type" });
  });

  it("Five files of five megabytes each are kept, and a longer body is refused", async () => {
    const full = Buffer.alloc(5 * 1024 * 1024, "b");
    const given = Array.from({ length: 5 }, (_, i): [string, Buffer] => [`${i}.txt`, full]);
    const { status, body } = await upload("lina", given);
    expect(status).toBe(200);
    expect(uploadCall.data.parse(body.data).files.map((f) => f.originalName)).toEqual(
      given.map(([name]) => name),
    );
    // Refused by its length, before any of it is read.
    const over = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${platform.origin}/common/upload`, {
        method: "POST",
        headers: {
          ...headers("lina", company.huaan),
          "content-type": "multipart/form-data; boundary=x",
          "content-length": String(31 * 1024 * 1024),
        },
      });
      asked.on("response", (response) => {
        response.resume();
        resolve(response.statusCode);
        asked.destroy();
      });
      asked.on("error", reject);
      asked.flushHeaders();
    });
    expect(over).toBe(413);
    expect(temporary()).toEqual([]);
  }, 60_000);

  it("A truncated body is a failed upload", async () => {
    const response = await fetch(`${platform.origin}/common/upload`, {
      method: "POST",
      headers: {
        ...headers("lina", company.huaan),
        "content-type": "multipart/form-data; boundary=x",
      },
      body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "file.upload-failed" });
    expect(temporary()).toEqual([]);
  });

  it("The sweep removes only contents that have been unreferenced for an hour", async () => {
    const { db } = platform.platform.database;
    const name = await kept("lina", "orphan.txt", Buffer.from("没有人要"));
    const [row] = await db.select().from(files).where(eq(files.name, name));
    const keptName = await kept("lina", "kept.txt", Buffer.from("有人要"));
    await download("lina", `fileName=${name}&delete=true`);
    const hash = row?.contentHash ?? "";
    expect(blobsOnDisk()).toContain(hash);
    platform.clock.advance(ORPHAN_MS);
    await expect.poll(() => blobsOnDisk()).toContain(hash);
    platform.clock.advance(ORPHAN_MS);
    await expect.poll(() => blobsOnDisk()).not.toContain(hash);
    await expect
      .poll(() => db.select().from(fileContents).where(eq(fileContents.hash, hash)))
      .toEqual([]);
    const fresh = (await platform.login("lina")).access_token;
    const answer = await fetch(`${platform.origin}/umc-rbac/common/download?fileName=${keptName}`, {
      headers: { authorization: `Bearer ${fresh}`, "supplier-id": company.huaan },
    });
    expect(await answer.text()).toBe("有人要");
  });
});
