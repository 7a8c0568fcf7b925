import { and, desc, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import {
  type DictTypeRow,
  dictTypeRowSchema,
  pageSchema,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { platformForTests } from "../../asking.harness.ts";

const { dictTypeList, dictType, dictTypeCreate, dictTypeUpdate, dictTypeDelete } = restCalls;
const { dictCreate, dictDatas, dictDelete } = restCalls;
const MAY = whoMay({
  "dict.types": "--+-",
  "dict.type": "--+-",
  "dict.typeCreate": "--+-",
  "dict.typeUpdate": "--+-",
  "dict.typeDelete": "--+-",
});
const TYPES = dictTypeCreate.path;

const { host, tokens } = platformForTests(["admin", "lina", "wangfang", "ops", "guest"]);

const ask = (
  method: string,
  path: string,
  options: { json?: unknown; as?: string; in?: string } = {},
) =>
  host.ask(method, path, {
    token: tokens[options.as ?? "admin"] ?? "",
    supplierId: options.in ?? "1",
    ...(options.json === undefined ? {} : { json: options.json }),
  });
const create = async (dictType: string, company = "1"): Promise<DictTypeRow> => {
  const json = { dictType, dictName: `名 ${dictType}` };
  const { status, body } = await ask("POST", TYPES, { json, in: company });
  expect([status, body.code]).toEqual([200, 0]);
  return dictTypeRowSchema.parse(body.data);
};
const list = async (query: string, company = "1") => {
  const { body } = await ask("GET", `${dictTypeList.path}?${query}`, { in: company });
  return pageSchema(dictTypeRowSchema).parse(body.data);
};
const fieldsOf = (answer: Awaited<ReturnType<typeof ask>>) => [
  answer.status,
  Object.keys((answer.body.details?.["fields"] ?? {}) as object),
];

it(covers([dictTypeList, dictType], "success", "filters, number of entries"), async () => {
  const { records, total } = await list("dictType=employment");
  expect(total).toBe(1);
  expect(records).toMatchObject([{ dictType: "employment_type", supplierId: null }]);
  // The company's own entry of the platform's type counts too.
  const [here] = records;
  const [there] = (await list("dictType=employment", "2")).records;
  expect([there?.entries, here?.entries]).toEqual([4, 5]);
  expect((await ask("GET", `${TYPES}/${here?.id}`)).body.data).toEqual(here);
  expect((await list(`dictName=${encodeURIComponent("性别")}`)).records).toMatchObject([
    { dictType: "gender", entries: 3 },
  ]);
  expect((await list("dictName=%25")).total).toBe(0);
});

it(covers([dictTypeCreate, dictTypeUpdate, dictTypeDelete], "success"), async () => {
  const made = await create("season");
  expect(made).toMatchObject({ supplierId: "1", dictType: "season", remark: "", entries: 0 });
  // A type without entries is shown everywhere.
  const { body } = await ask("GET", `${dictDatas.path}?dictTypes=season`);
  expect(body.data).toMatchObject([{ dictId: made.id, dictName: "名 season", dictDatas: [] }]);
  const change = { id: made.id, dictName: "季节", remark: "四季" };
  const changed = await ask("PUT", TYPES, { json: { ...change, version: 1 } });
  expect(changed.body.data).toMatchObject({ ...change, dictType: "season" });
  const [record] = await host.platform.database.db
    .select()
    .from(auditRecords)
    .where(and(eq(auditRecords.entity, "dict-type"), eq(auditRecords.entityId, made.id)))
    .orderBy(desc(auditRecords.id))
    .limit(1);
  expect(record).toMatchObject({
    companyId: "1",
    action: "update",
    before: { dictName: "名 season", remark: "" },
    after: { dictName: "季节", remark: "四季" },
  });
  const entry = { dictType: "season", dictLabel: "春", dictValue: "1" };
  const added = await ask("POST", dictCreate.path, { json: entry });
  expect(added.body.data).toMatchObject({ dictId: made.id, dictName: "季节" });
  const full = await ask("DELETE", `${TYPES}/${made.id}`);
  expect([full.status, full.body.msg]).toEqual([409, "字典“季节”仍有数据，请先删除其数据"]);
  const { id } = added.body.data as { id: string };
  await ask("DELETE", dictDelete.path.replace("{id}", id));
  expect((await ask("DELETE", `${TYPES}/${made.id}`)).status).toBe(200);
  expect((await ask("GET", `${TYPES}/${made.id}`)).status).toBe(404);
});

it(
  covers([dictTypeList, dictType, dictTypeCreate, dictTypeUpdate, dictTypeDelete], "invalid"),
  async () => {
    expect(fieldsOf(await ask("GET", `${dictTypeList.path}?limit=0`))).toEqual([400, ["limit"]]);
    expect(fieldsOf(await ask("GET", `${TYPES}/${"9".repeat(65)}`))).toEqual([400, ["id"]]);
    for (const id of ["999999", "x", "0"]) {
      expect((await ask("GET", `${TYPES}/${id}`)).status, id).toBe(404);
    }
    const bad = { dictType: "Bad Type", dictName: " " };
    expect(fieldsOf(await ask("POST", TYPES, { json: bad }))).toEqual([
      400,
      ["dictType", "dictName"],
    ]);
    const first = await create("twice");
    for (const taken of ["twice", "gender"]) {
      const answer = await ask("POST", TYPES, { json: { dictType: taken, dictName: "x" } });
      expect(fieldsOf(answer), taken).toEqual([409, ["dictType"]]);
    }
    expect((await create("twice", "2")).supplierId).toBe("2");
    expect(fieldsOf(await ask("PUT", TYPES, { json: { dictName: "" } }))).toEqual([
      400,
      ["dictName", "id", "version"],
    ]);
    expect(fieldsOf(await ask("DELETE", `${TYPES}/1,`))).toEqual([400, ["id"]]);
    // All or none.
    expect((await ask("DELETE", `${TYPES}/${first.id},999999`)).status).toBe(404);
    expect((await ask("GET", `${TYPES}/${first.id}`)).status).toBe(200);
  },
);

it(
  covers([dictTypeUpdate, dictTypeDelete], "refused", "the platform's types cannot be changed"),
  async () => {
    const [gender] = (await list("dictType=gender")).records;
    for (const answer of [
      await ask("PUT", TYPES, { json: { id: gender?.id, version: 1, dictName: "改" } }),
      await ask("DELETE", `${TYPES}/${gender?.id}`),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, "auth.forbidden"]);
    }
    expect((await list("dictType=gender")).records).toEqual([gender]);
  },
);

it(
  covers([dictTypeList, dictType, dictTypeCreate, dictTypeUpdate, dictTypeDelete], "foreign"),
  async () => {
    const made = await create("ours");
    expect((await list("dictType=ours", "2")).total).toBe(0);
    for (const answer of [
      await ask("GET", `${TYPES}/${made.id}`, { in: "2" }),
      await ask("PUT", TYPES, { in: "2", json: { id: made.id, version: 1, dictName: "乙" } }),
      await ask("DELETE", `${TYPES}/${made.id}`, { in: "2" }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([404, "request.not-found"]);
    }
    // The caller cannot choose the company in the body.
    const json = { dictType: "smuggled", dictName: "x", supplierId: "2" };
    expect((await ask("POST", TYPES, { json })).body.data).toMatchObject({ supplierId: "1" });
    expect((await ask("GET", `${TYPES}/${made.id}`)).body.data).toEqual(made);
  },
);

it(
  covers([dictTypeList, dictType, dictTypeCreate, dictTypeUpdate, dictTypeDelete], "refused"),
  async () => {
    for (const call of [dictTypeList, dictType, dictTypeCreate, dictTypeUpdate, dictTypeDelete]) {
      const path = call.path.replace("{id}", "1");
      const json = call.method === "GET" || call.method === "DELETE" ? {} : { json: {} };
      expect((await host.ask(call.method, path, json)).status, call.id).toBe(401);
      for (const as of [...refusedBy(MAY[call.id]), "wangfang"]) {
        const { status } = await ask(call.method, path, { as, ...json });
        expect([as, call.id, status]).toEqual([as, call.id, 403]);
      }
    }
  },
);
