import { desc, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "../../../shared/zod.ts";
import {
  bulletinTextSchema,
  bulletinTopCall,
  bulletinListCall,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { staleVersions } from "../../../shared/protocol/rest/conflict.ts";
import { AppError } from "../../../shared/errors.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { covers } from "../../covers.harness.ts";
import { type CompanyScope, createTenants } from "../../base/database/tenant.ts";
import { platformForTests } from "../../asking.harness.ts";
import { bulletinEditors, markRead } from "./store.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";

const {
  bulletinList,
  bulletinTop,
  bulletinGet,
  bulletinCreate,
  bulletinUpdate,
  bulletinDelete,
  bulletinRead,
} = restCalls;
const MAY = whoMay({
  "bulletins.list": "--+-",
  "bulletins.top": "-+++",
  "bulletins.get": "-+++",
  "bulletins.create": "--+-",
  "bulletins.update": "--+-",
  "bulletins.delete": "--+-",
  "bulletins.markRead": "-+++",
});
const PATH = bulletinCreate.path;
const FILE = `${"a".repeat(22)}.png`;

const { host, tokens } = platformForTests(["admin", "lina", "zhangwei", "ops", "guest"]);
beforeAll(async () => {
  // The clock of the platform is the test's, that of the database is not.
  await host.platform.database.pool.query("UPDATE employees SET created_at = '2020-01-01'");
});
beforeEach(async () => {
  await host.platform.database.pool.query("DELETE FROM bulletins");
});

const ask = (
  method: string,
  path: string,
  { json, as = "admin", at = "1" }: { json?: unknown; as?: string; at?: string } = {},
) =>
  host.ask(method, path, {
    token: tokens[as] ?? "",
    ...(at === "" ? {} : { supplierId: at }),
    ...(json === undefined ? {} : { json }),
  });
const fields = {
  noticeTitle: "消防演练",
  noticeType: "1",
  status: "0",
  noticeContent: "<p>周五 <strong>15:00</strong> 开始</p>",
};
async function create(part: Record<string, unknown> = {}) {
  const { status, body } = await ask("POST", PATH, { json: { ...fields, ...part } });
  expect(status, body.msg).toBe(200);
  return bulletinTextSchema.parse(body.data);
}
const get = (id: string, as = "lina") => ask("GET", `${PATH}/${id}`, { as });
async function top(as = "lina", query = ""): Promise<z.infer<typeof bulletinTopCall.data>> {
  const { status, body } = await ask("GET", `${bulletinTop.path}?${query}`, { as });
  expect(status).toBe(200);
  return bulletinTopCall.data.parse(body.data);
}
async function list(query = ""): Promise<z.infer<typeof bulletinListCall.data>> {
  const { status, body } = await ask("GET", `${bulletinList.path}?${query}`);
  expect(status).toBe(200);
  return bulletinListCall.data.parse(body.data);
}
const readAs = (as: string, noticeIds?: string[]) =>
  ask("POST", bulletinRead.path, { as, json: noticeIds === undefined ? {} : { noticeIds } });
const wrongFields = ({ body }: { body: { details?: Record<string, unknown> } }): string[] =>
  Object.keys((body.details?.["fields"] ?? {}) as object);

describe("Bulletins", () => {
  it(covers([bulletinCreate, bulletinGet, bulletinTop, bulletinList], "success"), async () => {
    const first = await create();
    expect(first).toMatchObject({ ...fields, createBy: "管理员", version: 1 });
    host.clock.advance(1000);
    const second = await create({ noticeTitle: "值班安排", noticeType: "2" });
    const draft = await create({ noticeTitle: "草稿", status: "1" });
    expect((await get(first.noticeId)).body.data).toEqual(first);
    const seen = await top();
    expect(seen.records.map(({ noticeTitle, read }) => [noticeTitle, read])).toEqual([
      ["值班安排", false],
      ["消防演练", false],
    ]);
    expect([seen.total, seen.unread]).toEqual([2, 2]);
    const found = await top("lina", `keyword=${encodeURIComponent("值班")}`);
    expect(found.records.map(({ noticeTitle }) => noticeTitle)).toEqual(["值班安排"]);
    // What is unread does not depend on what is looked for, and a draft is not found.
    expect([found.total, found.unread]).toEqual([1, 2]);
    expect((await top("lina", `keyword=${encodeURIComponent("草稿")}`)).total).toBe(0);
    expect((await get(draft.noticeId)).status).toBe(404);
    expect((await get(draft.noticeId, "admin")).status).toBe(200);
    const all = await list();
    expect(all.records.map(({ noticeTitle }) => noticeTitle)).toEqual([
      "草稿",
      "值班安排",
      "消防演练",
    ]);
    expect((await list("noticeType=2")).records.map(({ noticeId }) => noticeId)).toEqual([
      second.noticeId,
    ]);
    expect((await list("status=1")).total).toBe(1);
    expect((await list(`keyword=${encodeURIComponent("演练")}`)).total).toBe(1);
    expect((await list("limit=2&cursor=2")).records.length).toBe(1);
  });

  it(covers(bulletinRead, "success", "counts and marks follow"), async () => {
    const first = await create();
    const second = await create({ noticeTitle: "第二条" });
    expect((await readAs("lina", [first.noticeId, first.noticeId, "999999"])).status).toBe(200);
    const seen = await top();
    expect(seen.unread).toBe(1);
    expect(seen.records.find(({ read }) => read)?.noticeId).toBe(first.noticeId);
    const readers = async () =>
      Object.fromEntries((await list()).records.map((row) => [row.noticeId, row.readers]));
    expect(await readers()).toEqual({ [first.noticeId]: 1, [second.noticeId]: 0 });
    expect((await list()).records[0]?.people).toBeGreaterThan(2);
    await readAs("lina");
    expect((await top()).unread).toBe(0);
    expect((await top("zhangwei")).unread).toBe(2);
    expect(await readers()).toEqual({ [first.noticeId]: 1, [second.noticeId]: 1 });
  });

  it("The editors of the company hear of each new reader, nobody else does, and not of those who read again", async () => {
    const { noticeId } = await create();
    const { pool } = host.platform.database;
    const inCompany = <R>(id: string, work: (scope: CompanyScope) => Promise<R>): Promise<R> =>
      createTenants(pool).run(id, null, work);
    const { rows } = await pool.query<{ id: string; name: string; username: string }>(
      "SELECT id::text, chat_user_name AS name, username FROM accounts",
    );
    const account = (username: string) => rows.find((row) => row.username === username);
    expect(await inCompany("1", bulletinEditors)).toEqual([account("admin")?.name]);
    expect(await inCompany("1", bulletinEditors)).not.toContain(account("zhangwei")?.name);
    const read = (ids?: string[]) =>
      inCompany("1", (scope) => markRead(scope, account("lina")?.id ?? "", new Date(0), ids));
    expect(await read([noticeId])).toBe(true);
    expect([await read([noticeId]), await read(["999999"]), await read()]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("A person who came later does not find everything of former years unread", async () => {
    await create();
    const { pool } = host.platform.database;
    const set = (time: string) =>
      pool.query(
        `UPDATE employees SET created_at = '${time}' WHERE account_id = (SELECT id FROM accounts WHERE username = 'lina')`,
      );
    await set("2099-01-01");
    expect((await top()).unread).toBe(0);
    await set("2020-01-01");
    expect((await top()).unread).toBe(1);
  });

  it(covers(bulletinUpdate, "success", "published again, it is unread again"), async () => {
    const { noticeId } = await create();
    await readAs("lina");
    const update = (version: number, json: Record<string, unknown>) =>
      ask("PUT", PATH, { json: { noticeId, version, ...json } });
    expect((await update(1, { noticeTitle: "消防演练（改期）" })).status).toBe(200);
    expect((await top()).unread).toBe(0);
    await update(2, { status: "1" });
    expect((await top()).total).toBe(0);
    host.clock.advance(60_000);
    const { body } = await update(3, { status: "0" });
    expect(bulletinTextSchema.parse(body.data)).toMatchObject({ version: 4, status: "0" });
    expect(await top()).toMatchObject({ unread: 1, total: 1 });
    const [record] = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.entity, "bulletin"))
      .orderBy(desc(auditRecords.id))
      .limit(1);
    expect(record).toMatchObject({
      action: "update",
      entityId: noticeId,
      before: { published: false },
      after: { published: true },
    });
  });

  it("A change of an older version is refused with both versions", async () => {
    const { noticeId } = await create();
    const json = { noticeId, version: 1, noticeTitle: "甲" };
    expect((await ask("PUT", PATH, { json })).status).toBe(200);
    const refused = await ask("PUT", PATH, { json: { ...json, noticeTitle: "乙" } });
    expect(refused.status).toBe(409);
    const error = new AppError("request.conflict", { details: refused.body.details ?? {} });
    expect(staleVersions(error)).toMatchObject({
      theirs: { noticeTitle: "甲", version: 2 },
      yours: { noticeTitle: "乙" },
    });
  });

  it.each([
    ["<p>好<script>alert(1)</script></p>", "<p>好</p>"],
    ['<p onclick="x()" style="position:fixed" class="a">好</p>', "<p>好</p>"],
    ['<a href="javascript:alert(1)">好</a>', "<a>好</a>"],
    ['<a href="//evil.example/x">好</a>', "<a>好</a>"],
    ['<a href="/system/role">好</a>', "<a>好</a>"],
    [
      '<a href="https://a.example/?q=1" target="_blank">好</a>',
      '<a href="https://a.example/?q=1">好</a>',
    ],
    ['<p>好<img src="https://evil.example/pixel.png"></p>', "<p>好</p>"],
    ['<p>好<img data-file="../../etc/passwd"></p>', "<p>好</p>"],
    ["<p>好</p><iframe src=/></iframe><svg onload=x()><style>*{}</style>", "<p>好</p>"],
    ["<p>1 &lt; 2 &amp; 3</p>", "<p>1 &lt; 2 &amp; 3</p>"],
  ])("The content %s is kept as %s", async (given, kept) => {
    expect((await create({ noticeContent: given })).noticeContent).toBe(kept);
  });

  it("A picture of the company stays, one of nobody is refused", async () => {
    const content = `<p>图</p><img data-file="${FILE}" alt="现场">`;
    const refused = await ask("POST", PATH, { json: { ...fields, noticeContent: content } });
    expect([refused.status, wrongFields(refused)]).toEqual([400, ["noticeContent"]]);
    const { pool } = host.platform.database;
    const add = (company: string) =>
      pool
        .query(
          `WITH c AS (INSERT INTO file_contents VALUES ('${"0".repeat(64)}', 1, now()) ON CONFLICT DO NOTHING)
         SELECT 1`,
        )
        .then(() =>
          pool.query(
            `INSERT INTO files (company_id, name, original_name, content_type, size, content_hash, created_at)
           VALUES (${company}, '${FILE}', 'a.png', 'image/png', 1, '${"0".repeat(64)}', now())`,
          ),
        );
    await add("2");
    expect((await ask("POST", PATH, { json: { ...fields, noticeContent: content } })).status).toBe(
      400,
    );
    await pool.query(`DELETE FROM files WHERE name = '${FILE}'`);
    await add("1");
    expect((await create({ noticeContent: content })).noticeContent).toBe(
      `<p>图</p><img data-file="${FILE}" alt="现场" />`,
    );
  });

  it(covers([bulletinCreate, bulletinUpdate], "invalid"), async () => {
    const wrong = await ask("POST", PATH, {
      json: { noticeTitle: " ", noticeType: "3", status: "2", noticeContent: "x".repeat(50_001) },
    });
    expect([wrong.status, wrongFields(wrong)]).toEqual([
      400,
      ["noticeTitle", "noticeType", "status", "noticeContent"],
    ]);
    for (const empty of [
      "",
      "<p></p>",
      "<p>&nbsp; <br></p>",
      "<script>x</script>",
      "<p>\u200b</p>",
    ]) {
      const refused = await ask("POST", PATH, { json: { ...fields, noticeContent: empty } });
      expect([empty, refused.status, wrongFields(refused)]).toEqual([
        empty,
        400,
        ["noticeContent"],
      ]);
    }
    const { noticeId } = await create();
    const noVersion = await ask("PUT", PATH, { json: { noticeId } });
    expect([noVersion.status, wrongFields(noVersion)]).toEqual([400, ["version"]]);
    const missing = await ask("PUT", PATH, { json: { noticeId: "999999", version: 1 } });
    expect(missing.status).toBe(404);
  });

  it(
    covers([bulletinList, bulletinTop, bulletinGet, bulletinRead, bulletinDelete], "invalid"),
    async () => {
      for (const { path } of [bulletinList, bulletinTop]) {
        const wrong = await ask("GET", `${path}?limit=0`);
        expect([wrong.status, wrongFields(wrong)]).toEqual([400, ["limit"]]);
      }
      expect((await get("9".repeat(65))).status).toBe(400);
      expect((await readAs("lina", [])).status).toBe(400);
      expect((await ask("DELETE", `${PATH}/a,b`)).status).toBe(400);
    },
  );

  it(covers(bulletinDelete, "success", "all or none"), async () => {
    const one = await create();
    const two = await create();
    const none = await ask("DELETE", `${PATH}/${one.noticeId},999999`);
    expect([none.status, (await list()).total]).toEqual([404, 2]);
    const gone = await ask("DELETE", `${PATH}/${one.noticeId},${two.noticeId}`);
    expect([gone.status, (await list()).total]).toEqual([200, 0]);
  });

  it(
    covers(
      [
        bulletinList,
        bulletinTop,
        bulletinGet,
        bulletinCreate,
        bulletinUpdate,
        bulletinDelete,
        bulletinRead,
      ],
      "foreign",
    ),
    async () => {
      const { noticeId } = await create();
      const at = "2";
      for (const path of [bulletinList.path, bulletinTop.path]) {
        const { body } = await ask("GET", path, { at });
        expect(body.data).toMatchObject({ records: [], total: 0 });
      }
      expect((await ask("GET", `${PATH}/${noticeId}`, { at })).status).toBe(404);
      const json = { noticeId, version: 1, noticeTitle: "x" };
      expect((await ask("PUT", PATH, { at, json })).status).toBe(404);
      expect((await ask("DELETE", `${PATH}/${noticeId}`, { at })).status).toBe(404);
      await ask("POST", bulletinRead.path, { at, json: { noticeIds: [noticeId] } });
      await ask("POST", PATH, { at, json: fields });
      expect(await top("admin")).toMatchObject({ total: 1, unread: 1 });
    },
  );

  it(
    covers(
      [
        bulletinList,
        bulletinTop,
        bulletinGet,
        bulletinCreate,
        bulletinUpdate,
        bulletinDelete,
        bulletinRead,
      ],
      "refused",
    ),
    async () => {
      const { noticeId } = await create();
      const requests = {
        "bulletins.list": ["GET", bulletinList.path],
        "bulletins.top": ["GET", bulletinTop.path],
        "bulletins.get": ["GET", `${PATH}/${noticeId}`],
        "bulletins.create": ["POST", PATH, fields],
        "bulletins.update": ["PUT", PATH, { noticeId, version: 1, noticeTitle: "x" }],
        "bulletins.delete": ["DELETE", `${PATH}/${noticeId}`],
        "bulletins.markRead": ["POST", bulletinRead.path, {}],
      } as const;
      for (const [id, [method, path, json]] of Object.entries(requests)) {
        for (const as of refusedBy(MAY[id as keyof typeof MAY])) {
          expect([id, as, (await ask(method, path, { as, json })).status]).toEqual([id, as, 403]);
        }
        const body = json === undefined ? {} : { json };
        expect((await host.ask(method, path, { token: "", ...body })).status).toBe(401);
        expect((await ask(method, path, { at: "", json })).status).toBe(400);
      }
      expect((await list()).total).toBe(1);
    },
  );
});
