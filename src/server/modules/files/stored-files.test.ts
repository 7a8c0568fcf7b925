/** The files of a company, for those who look after them (docs/server.md#the-files-of-a-company). */
import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { companyProfileCall } from "../../../shared/protocol/rest/company-profile.ts";
import {
  storedFileDeleteCall,
  storedFileListCall,
  type StoredFileRow,
  storedFileSpaceCall,
} from "../../../shared/protocol/rest/stored-files.ts";
import { askingPlatform } from "../../asking.harness.ts";
import { covers } from "../../covers.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const PATH = storedFileListCall.path;
whoMay({
  "storedFiles.list": "--+-",
  "storedFiles.space": "--+-",
  "storedFiles.delete": "--+-",
});

const { ask, host } = askingPlatform(["admin", "lina", "zhangwei", "guest"]);
const MB = 1024 * 1024;

interface Given {
  readonly name: string;
  readonly size?: number;
  readonly at?: string;
  readonly by?: string;
  readonly company?: string;
}
const nameOf = (name: string): string =>
  `${createHash("sha256").update(name).digest("base64url").slice(0, 22)}.${name.split(".").at(-1)}`;
const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  pdf: "application/pdf",
  txt: "text/plain",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
const query = <R extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  host.platform.database.pool.query<R>(text, values);

/** Writes down a file as an upload does. @returns its id */
async function kept({
  name,
  size = 1,
  at = "2026-01-01T00:00:00Z",
  by = "lina",
  company = "1",
}: Given) {
  const hash = createHash("sha256").update(name).digest("hex");
  await query(
    "INSERT INTO file_contents (hash, size, touched_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING",
    [hash, size],
  );
  const { rows } = await query<{ id: string }>(
    `INSERT INTO files (company_id, name, original_name, content_type, size, content_hash, uploaded_by, created_at)
     SELECT $1, $2, $3, $4, $5, $6, (SELECT id FROM accounts WHERE username = $7), $8 RETURNING id::text AS id`,
    [company, nameOf(name), name, TYPES[name.split(".").at(-1) ?? ""], size, hash, by, at],
  );
  return rows[0]?.id ?? "";
}
const list = async (search = "", options: { as?: string; in?: string } = {}) => {
  const { status, body } = await ask("GET", `${PATH}${search}`, options);
  expect([search, status]).toEqual([search, 200]);
  return storedFileListCall.data.parse(body.data);
};
const names = async (search = "", options = {}): Promise<string[]> =>
  (await list(search, options)).records.map(({ originalName }) => originalName);
const one = async (name: string, options = {}): Promise<StoredFileRow> => {
  const found = (await list("?limit=1000", options)).records.find(
    ({ fileName }) => fileName === nameOf(name),
  );
  if (found === undefined) throw new Error(`${name} is not listed`);
  return found;
};
const space = async (company = "1") =>
  storedFileSpaceCall.data.parse((await ask("GET", `${PATH}/space`, { in: company })).body.data);
const remove = (id: string, options = {}) => ask("DELETE", `${PATH}/${id}`, options);
const picture = (name: string): string => `<p>图</p><img data-file="${nameOf(name)}" alt="图" />`;
const notice = { noticeTitle: "停电通知", noticeType: "1", status: "0" };

beforeAll(async () => {
  await kept({ name: "甲.pdf", size: 3 * MB, at: "2026-01-01T00:00:00Z" });
  await kept({ name: "乙.png", size: MB, at: "2026-01-03T00:00:00Z", by: "zhangwei" });
  await kept({ name: "丙.txt", size: 2 * MB, at: "2026-01-02T00:00:00Z" });
  await kept({ name: "丁.xlsx", size: MB, at: "2026-01-02T00:00:00Z" });
  await kept({ name: "外.png", size: 7, company: "2", by: "wangfang" });
}, 60_000);

it(
  covers(
    [storedFileListCall, storedFileSpaceCall],
    "success",
    "the newest first, narrowed, sorted, and the sum with what the company may keep",
  ),
  async () => {
    expect(await names()).toEqual(["乙.png", "丁.xlsx", "丙.txt", "甲.pdf"]);
    expect(await names("?sort=createTime")).toEqual(["甲.pdf", "丙.txt", "丁.xlsx", "乙.png"]);
    expect(await names("?sort=-size")).toEqual(["甲.pdf", "丙.txt", "丁.xlsx", "乙.png"]);
    expect(await names("?sort=size")).toEqual(["乙.png", "丁.xlsx", "丙.txt", "甲.pdf"]);
    expect(await names("?kind=picture")).toEqual(["乙.png"]);
    expect(await names("?kind=sheet")).toEqual(["丁.xlsx"]);
    expect(await names("?uploader=张")).toEqual(["乙.png"]);
    expect(await names("?keyword=甲")).toEqual(["甲.pdf"]);
    expect(await names("?keyword=%25")).toEqual([]);
    const from = "?from=2026-01-02T00:00:00.000Z&to=2026-01-03T00:00:00.000Z";
    expect(await names(from)).toEqual(["丁.xlsx", "丙.txt"]);
    expect((await list(from)).total).toBe(2);
    expect(await one("乙.png")).toMatchObject({
      kind: "picture",
      size: MB,
      uploader: "张伟",
      createTime: "2026-01-03T00:00:00.000Z",
      readable: true,
      uses: [],
    });
    expect(await space()).toEqual({
      files: 4,
      bytes: 7 * MB,
      unused: { files: 4, bytes: 7 * MB },
      waiting: 0,
      limit: 10_240 * MB,
    });
  },
);

it("Pages of equal times and sizes hold each file once, in either direction", async () => {
  const many = Array.from({ length: 11 }, (_, n) => `同-${n}.txt`);
  for (const name of many) await kept({ name, size: 5, at: "2025-06-01T00:00:00Z" });
  for (const sort of ["", "&sort=createTime", "&sort=-createTime", "&sort=size", "&sort=-size"]) {
    const seen: string[] = [];
    for (let cursor = 1; cursor <= 4; cursor += 1) {
      const page = await list(`?keyword=同&limit=3&cursor=${cursor}${sort}`);
      expect([page.total, page.cursor, page.limit]).toEqual([11, cursor, 3]);
      seen.push(...page.records.map(({ originalName }) => originalName));
    }
    expect([sort, seen.toSorted()]).toEqual([sort, many.toSorted()]);
  }
  await query("DELETE FROM files WHERE original_name LIKE '同-%'");
});

it(
  covers(
    storedFileDeleteCall,
    "success",
    "several at once, with their audit records and their space",
  ),
  async () => {
    const ids = [
      await kept({ name: "旧一.txt", size: 10 }),
      await kept({ name: "旧二.txt", size: 20 }),
    ];
    const before = await space();
    expect((await remove(ids.join(","))).status).toBe(200);
    expect(await names("?keyword=旧")).toEqual([]);
    expect((await space()).bytes).toBe(before.bytes - 30);
    const { rows } = await query(
      `SELECT company_id::text AS company, before FROM audit_records
       WHERE entity = 'file' AND action = 'delete' ORDER BY id`,
    );
    expect(rows).toEqual([
      { company: "1", before: { originalName: "旧一.txt", size: 10 } },
      { company: "1", before: { originalName: "旧二.txt", size: 20 } },
    ]);
  },
);

it("A file that something needs says what, is not deleted, and is free once nothing needs it", async () => {
  const id = await kept({ name: "现场.png" });
  const free = await kept({ name: "闲置.png" });
  const logo = await kept({ name: "标志.png" });
  const refusal = async (what: string) => {
    const { status, body } = await remove(what);
    return [status, body.error, body.msg];
  };
  const used = (name: string) => [409, "file.used", `“${name}”正在使用，不能删除`];

  const made = await ask("POST", "/system/notice", {
    json: { ...notice, noticeContent: picture("现场.png") },
  });
  const { noticeId } = made.body.data as { noticeId: string };
  expect((await one("现场.png")).uses).toEqual([
    { kind: "bulletin", recordId: noticeId, title: "停电通知", left: false },
  ]);
  expect(await refusal(id)).toEqual(used("现场.png"));
  // All or none.
  expect(await refusal(`${free},${id}`)).toEqual(used("现场.png"));
  expect(await names("?use=none&kind=picture")).toContain("闲置.png");
  expect(await names("?use=bulletin")).toEqual(["现场.png"]);
  const profilePath = companyProfileCall.path;
  const profile = companyProfileCall.data.parse((await ask("GET", profilePath, {})).body.data);
  const json = { version: profile.version, logo: nameOf("标志.png") };
  expect((await ask("PUT", profilePath, { json })).status).toBe(200);
  expect((await one("标志.png")).uses).toEqual([
    { kind: "logo", recordId: "1", title: "", left: false },
  ]);
  expect(await refusal(logo)).toEqual(used("标志.png"));

  // Another picture takes its place.
  const content = picture("闲置.png");
  const changed = await ask("PUT", "/system/notice", {
    json: { noticeId, version: 1, noticeContent: content },
  });
  expect(changed.status).toBe(200);
  expect([(await one("现场.png")).uses, (await one("闲置.png")).uses.length]).toEqual([[], 1]);
  expect((await remove(id)).status).toBe(200);
  expect((await ask("DELETE", `/system/notice/${noticeId}`, {})).status).toBe(200);
  expect((await remove(free)).status).toBe(200);
  expect(await names("?use=bulletin")).toEqual([]);
});

it("A file of a document names the employee for those alone who may read documents", async () => {
  await kept({ name: "身份证.png" });
  const { rows } = await query<{ employee: string; account: string }>(
    `WITH d AS (
       INSERT INTO inaugural_documents (company_id, employee_id, title)
       SELECT 1, e.id, '身份证' FROM employees e JOIN accounts a ON a.id = e.account_id
       WHERE a.username = 'lina' AND e.company_id = 1 RETURNING id, employee_id)
     UPDATE files f SET document_id = d.id FROM d WHERE f.name = $1 RETURNING d.employee_id::text AS employee`,
    [nameOf("身份证.png")],
  );
  const recordId = rows[0]?.employee ?? "";
  expect(await one("身份证.png")).toMatchObject({
    readable: true,
    uses: [{ kind: "document", recordId, title: "李娜 · 身份证", left: false }],
  });
  expect((await remove((await one("身份证.png")).id)).body.error).toBe("file.used");

  const custom = ["system:file:list", "system:file:delete"];
  await query(
    `WITH r AS (INSERT INTO roles (company_id, code, name, permissions) VALUES (1, 'keeper', '文件管理', $1) RETURNING id)
     INSERT INTO account_roles (account_id, role_id) SELECT a.id, r.id FROM accounts a, r WHERE a.username = 'zhangwei'`,
    [custom],
  );
  const as = "zhangwei";
  const hidden = await one("身份证.png", { as });
  expect(hidden).toMatchObject({
    originalName: "",
    readable: false,
    uses: [{ kind: "document", recordId, title: "", left: false }],
  });
  expect(await names("?keyword=身份证", { as })).toEqual([]);
  expect((await remove(hidden.id, { as })).body).toMatchObject({
    error: "file.used",
    msg: "文件正在使用，不能删除",
  });
  // The list of the administrator finds it, the file goes with its document, and so does what it was used for.
  expect(await names("?keyword=身份证")).toEqual(["身份证.png"]);
  await query("DELETE FROM inaugural_documents WHERE title = '身份证' AND employee_id = $1", [
    recordId,
  ]);
  expect(await names("?keyword=身份证")).toEqual([]);
  expect((await query("SELECT FROM file_uses WHERE kind = 'document'")).rows).toEqual([]);
});

it(covers([storedFileListCall, storedFileSpaceCall, storedFileDeleteCall], "foreign"), async () => {
  const own = await kept({ name: "自家.txt" });
  expect(await names("", { in: "2" })).toEqual(["外.png"]);
  expect(await space("2")).toMatchObject({ files: 1, bytes: 7 });
  expect((await remove(own, { in: "2" })).status).toBe(404);
  const { id } = await one("外.png", { in: "2" });
  // Not even together with an own one.
  expect((await remove(`${own},${id}`)).status).toBe(404);
  expect(await names("?keyword=自家")).toEqual(["自家.txt"]);
  // A bulletin that names a file of another company uses none.
  await query(
    `INSERT INTO bulletins (company_id, title, type, content, published, published_at, author_name)
       VALUES (1, '外', '1', $1, true, now(), '管理员')`,
    [picture("外.png")],
  );
  expect((await one("外.png", { in: "2" })).uses).toEqual([]);
  await remove(own);
});

it(covers([storedFileListCall, storedFileSpaceCall, storedFileDeleteCall], "invalid"), async () => {
  for (const [search, field] of [
    ["?kind=film", "kind"],
    ["?use=chat", "use"],
    ["?sort=originalName", "sort"],
    ["?from=yesterday", "from"],
    ["?limit=0", "limit"],
  ] as const) {
    const { status, body } = await ask("GET", `${PATH}${search}`, {});
    expect([status, Object.keys(body.details?.["fields"] ?? {})]).toEqual([400, [field]]);
  }
  expect((await remove("x")).status).toBe(400);
  expect((await remove("9999999")).status).toBe(404);
  expect((await ask("GET", `${PATH}/space`, { in: "" })).status).toBe(400);
});

it(covers([storedFileListCall, storedFileSpaceCall, storedFileDeleteCall], "refused"), async () => {
  for (const as of ["lina", "guest"]) {
    expect((await ask("GET", PATH, { as })).status).toBe(403);
    expect((await ask("GET", `${PATH}/space`, { as })).status).toBe(403);
    expect((await remove("1", { as })).status).toBe(403);
  }
});

it("A company goes with its files and with all that needs them", async () => {
  const { rows } = await query<{ id: string }>(
    "INSERT INTO companies (name) VALUES ('短命公司') RETURNING id::text AS id",
  );
  const company = rows[0]?.id ?? "";
  await kept({ name: "短命.png", company });
  await query("UPDATE company_profiles SET logo = $2, licence = $2 WHERE company_id = $1", [
    company,
    nameOf("短命.png"),
  ]);
  await query(
    `INSERT INTO bulletins (company_id, title, type, content, published, published_at, author_name)
     VALUES ($1, '短', '1', $2, true, now(), '管理员')`,
    [company, picture("短命.png")],
  );
  const uses = () =>
    query("SELECT kind FROM file_uses WHERE company_id = $1 ORDER BY kind", [company]);
  expect((await uses()).rows).toEqual([
    { kind: "bulletin" },
    { kind: "licence" },
    { kind: "logo" },
  ]);
  const counted = await query("SELECT uses FROM files WHERE company_id = $1", [company]);
  expect(counted.rows).toEqual([{ uses: 3 }]);
  await query("DELETE FROM companies WHERE id = $1", [company]);
  expect((await uses()).rows).toEqual([]);
  expect((await query("SELECT FROM files WHERE company_id = $1", [company])).rows).toEqual([]);
});
