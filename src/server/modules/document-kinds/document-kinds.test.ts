import { and, desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { documentKindSchema } from "../../../shared/protocol/rest/document-kinds.ts";
import { askingPlatform } from "../../asking.harness.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { covers } from "../../covers.harness.ts";
import { whoMay } from "../../who-may.harness.ts";

const { documentKindList, documentKindCreate, documentKindUpdate, documentKindDelete } = restCalls;
whoMay({
  "documentKinds.list": "-+++",
  "documentKinds.create": "--+-",
  "documentKinds.update": "--+-",
  "documentKinds.delete": "--+-",
});

const { ask, host } = askingPlatform(["admin", "lina", "guest"]);
const PATH = documentKindList.path;
const create = (json: unknown, company = "1") => ask("POST", PATH, { json, in: company });
const update = (json: unknown, company = "1") => ask("PUT", PATH, { json, in: company });
const remove = (id: string, company = "1") => ask("DELETE", `${PATH}/${id}`, { in: company });
const made = async (json: unknown) => documentKindSchema.parse((await create(json)).body.data);
const list = async (query = "", company = "1") =>
  documentKindList.data.parse((await ask("GET", `${PATH}${query}`, { in: company })).body.data)
    .records;
const fieldsOf = ({ body }: Awaited<ReturnType<typeof ask>>) => body.details?.["fields"];

it(
  covers(
    [documentKindList, documentKindCreate, documentKindUpdate, documentKindDelete],
    "success",
    "what employees have handed in stays",
  ),
  async () => {
    const titles = async (query?: string) => (await list(query)).map(({ title }) => title);
    expect(await titles()).toEqual(["入职登记表", "安全生产承诺书"]);
    const health = await made({ title: "健康证明", required: false });
    expect(health).toMatchObject({ required: false, sort: 0, version: 1 });
    expect(await titles()).toEqual(["入职登记表", "健康证明", "安全生产承诺书"]);
    const renamed = await update({ id: health.id, version: 1, title: "体检报告", sort: 9 });
    expect(renamed.body.data).toEqual({ ...health, title: "体检报告", sort: 9, version: 2 });
    expect(await titles()).toEqual(["入职登记表", "安全生产承诺书", "体检报告"]);
    expect(await titles("?keyword=承诺")).toEqual(["安全生产承诺书"]);
    const [form] = await list();
    expect((await remove(form?.id ?? "")).status).toBe(200);
    expect(await titles()).toEqual(["安全生产承诺书", "体检报告"]);
    const { rows } = await host.platform.database.pool.query(
      "SELECT FROM inaugural_documents WHERE company_id = 1 AND title = '入职登记表'",
    );
    expect(rows.length).toBeGreaterThan(0);
    const [record] = await host.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "document-kind"), eq(auditRecords.action, "delete")))
      .orderBy(desc(auditRecords.id));
    expect(record).toMatchObject({ companyId: "1", before: { title: "入职登记表" } });
  },
);

it(
  covers([documentKindList, documentKindCreate, documentKindUpdate, documentKindDelete], "invalid"),
  async () => {
    const one = await made({ title: "身份证复印件" });
    const again = await create({ title: " 身份证复印件 " });
    expect([again.status, fieldsOf(again)]).toEqual([409, { title: "该材料已存在" }]);
    const other = await made({ title: "学历证明" });
    const taken = await update({ id: other.id, version: 1, title: "身份证复印件" });
    expect([taken.status, fieldsOf(taken)]).toEqual([409, { title: "该材料已存在" }]);
    expect(fieldsOf(await create({ title: " ", sort: -1 }))).toMatchObject({
      title: expect.any(String),
      sort: expect.any(String),
    });
    expect((await update({ id: one.id, version: 1, sort: 3 })).status).toBe(200);
    const stale = await update({ id: one.id, version: 1, title: "身份证" });
    expect([stale.status, stale.body.details?.["versions"]]).toMatchObject([
      409,
      { theirs: { sort: 3, version: 2 }, yours: { title: "身份证" } },
    ]);
    expect(fieldsOf(await update({ id: one.id, version: 0 }))).toHaveProperty("version");
    expect(fieldsOf(await create({ title: "护照", departmentIds: ["x"] }))).toEqual({
      departmentIds: "部门不存在",
    });
    expect(fieldsOf(await create({ title: "护照", hiredFrom: "2026-02-30" }))).toHaveProperty(
      "hiredFrom",
    );
    const dated = await made({ title: "护照", hiredFrom: "2026-03-01" });
    expect(fieldsOf(await update({ id: dated.id, version: 1, hiredTo: "2026-02-28" }))).toEqual({
      hiredTo: "结束日期不能早于开始日期",
    });
    expect((await remove("x")).status).toBe(404);
    expect((await ask("GET", `${PATH}?limit=0`, {})).status).toBe(400);
  },
);

it(
  covers([documentKindList, documentKindCreate, documentKindUpdate, documentKindDelete], "foreign"),
  async () => {
    const { id } = await made({ title: "无犯罪记录证明" });
    expect((await create({ title: "无犯罪记录证明" }, "2")).status).toBe(200);
    expect((await list("", "2")).map((one) => one.id)).not.toContain(id);
    expect((await update({ id, version: 1, title: "外" }, "2")).status).toBe(404);
    expect((await remove(id, "2")).status).toBe(404);
    const { body } = await ask("POST", restCalls.departmentCreate.path, {
      json: { parentId: null, name: "外部" },
      in: "2",
    });
    const departmentIds = [restCalls.departmentCreate.data.parse(body.data).id];
    expect(fieldsOf(await update({ id, version: 1, departmentIds }))).toEqual({
      departmentIds: "部门不存在",
    });
    expect((await list("?keyword=无犯罪")).map(({ title }) => title)).toEqual(["无犯罪记录证明"]);
  },
);

it(
  covers([documentKindList, documentKindCreate, documentKindUpdate, documentKindDelete], "refused"),
  async () => {
    const json = { id: "1", version: 1, title: "材料" };
    for (const [method, path] of [
      ["POST", PATH],
      ["PUT", PATH],
      ["DELETE", `${PATH}/1`],
    ] as const) {
      const body = method === "DELETE" ? {} : { json };
      expect([method, (await ask(method, path, { as: "lina", ...body })).status]).toEqual([
        method,
        403,
      ]);
    }
    expect((await ask("GET", PATH, { as: "guest" })).status).toBe(403);
  },
);
