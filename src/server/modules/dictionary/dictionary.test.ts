import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { askingPlatform } from "../../asking.harness.ts";
import { covers } from "../../covers.harness.ts";
import type { DictEntry } from "../../../shared/protocol/rest/dict.ts";
import { dictEntrySchema, pageSchema, restCalls } from "../../../shared/protocol/rest/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { dictTypes } from "../../base/database/schema/dictionary.ts";
import { createTenants } from "../../base/database/tenant.ts";
import { readXlsx } from "../../base/xlsx/xlsx.harness.ts";

const {
  dictList,
  dictExport,
  dictByType,
  dictDatas,
  dictEntry,
  dictCreate,
  dictUpdate,
  dictDelete,
} = restCalls;
const DATA = dictCreate.path;
const GUARDED = [dictList, dictExport, dictEntry, dictCreate, dictUpdate, dictDelete];

const { host, tokens, ask } = askingPlatform(["admin", "lina", "wangfang", "ops", "guest"]);
const create = async (json: Record<string, unknown>, company = "1"): Promise<DictEntry> => {
  const { status, body } = await ask("POST", DATA, { json, in: company });
  expect([status, body.code]).toEqual([200, 0]);
  return dictEntrySchema.parse(body.data);
};
const list = async (query: string, company = "1") => {
  const { status, body } = await ask("GET", `${dictList.path}?${query}`, { in: company });
  expect(status).toBe(200);
  return pageSchema(dictEntrySchema).parse(body.data);
};
const byType = async (type: string, options: { as?: string; in?: string } = {}) =>
  ((await ask("GET", `${DATA}/type/${type}`, options)).body.data as DictEntry[]).map(
    ({ dictValue, dictLabel }) => [dictValue, dictLabel],
  );
const fieldsOf = (answer: Awaited<ReturnType<typeof ask>>) => [
  answer.status,
  Object.keys((answer.body.details?.["fields"] ?? {}) as object),
];

describe("Reading", () => {
  it(covers(dictList, "success", "filters, order, pages, count"), async () => {
    const gender = await list("dictType=gender");
    expect(
      gender.records.map((e) => [e.dictValue, e.dictLabel, e.listClass, e.supplierId]),
    ).toEqual([
      ["1", "男", "primary", null],
      ["2", "女", "danger", null],
      ["0", "未知", "default", null],
    ]);
    expect(gender.total).toBe(3);
    const [first] = gender.records;
    expect(new Date(first?.createTime ?? "").toISOString()).toBe(first?.createTime);
    const second = await list("dictType=gender&cursor=2&limit=2&searchCount=false");
    expect([second.records.map((e) => e.dictLabel), second.total]).toEqual([["未知"], 0]);
    const byId = await list(`dictId=${first?.dictId}&status=0`);
    expect(byId.records.map((e) => e.dictName)).toEqual(["性别", "性别", "性别"]);
    const found = await list(`dictLabel=${encodeURIComponent("隐患")}`);
    expect(found.records.map((e) => e.dictLabel)).toEqual(["一般隐患", "重大隐患"]);
    for (const sign of ["%", "_", "\\", "'"]) {
      expect((await list(`dictLabel=${encodeURIComponent(sign)}`)).total, sign).toBe(0);
    }
    expect((await list("dictId=x")).total).toBe(0);
  });

  it(covers(dictList, "invalid"), async () => {
    const answer = await ask("GET", `${dictList.path}?cursor=0&limit=x&status=9`, {});
    expect(fieldsOf(answer)).toEqual([400, ["cursor", "limit", "status"]]);
    expect(fieldsOf(await ask("GET", dictList.path, { in: "" }))).toEqual([400, ["supplier-id"]]);
  });

  it(covers(dictByType, "success", "a company's entry replaces the platform's"), async () => {
    const common = [
      ["full", "全职"],
      ["part", "兼职"],
    ];
    const labor = ["labor", "劳务派遣"];
    const intern = ["intern", "实习"];
    expect(await byType("employment_type", { in: "2" })).toEqual([...common, labor, intern]);
    expect(await byType("employment_type", { as: "guest", in: "" })).toEqual([
      ...common,
      labor,
      intern,
    ]);
    expect(await byType("employment_type", { as: "lina" })).toEqual([
      common[0],
      ["labor", "外包"],
      common[1],
      intern,
    ]);
    expect(await byType("no_such")).toEqual([]);
  });

  it(covers([dictByType, dictDatas], "refused"), async () => {
    for (const path of [`${DATA}/type/gender`, dictDatas.path]) {
      expect((await host.ask("GET", path)).status).toBe(401);
      expect((await ask("GET", path, { as: "lina", in: "2" })).status).toBe(403);
    }
  });

  it(covers([dictByType, dictDatas], "invalid"), async () => {
    const long = await ask("GET", `${DATA}/type/${"x".repeat(65)}`, {});
    expect(fieldsOf(long)).toEqual([400, ["type"]]);
    const many = await ask("GET", `${dictDatas.path}?dictTypes=${"x".repeat(4001)}`, {});
    expect(fieldsOf(many)).toEqual([400, ["dictTypes"]]);
  });

  it(covers(dictDatas, "success"), async () => {
    const { body } = await ask("GET", dictDatas.path, { as: "lina" });
    const all = dictDatas.data.parse(body.data) as {
      dictType: string;
      dictName: string;
      dictDatas: DictEntry[];
    }[];
    expect(all.find((d) => d.dictType === "gender")).toMatchObject({
      dictName: "性别",
      dictDatas: [{ dictLabel: "男" }, { dictLabel: "女" }, { dictLabel: "未知" }],
    });
    expect(all.map((d) => d.dictType)).toContain("safety_post");
    const some = await ask("GET", `${dictDatas.path}?dictTypes=yes_no,%20gender,none`, {});
    expect((some.body.data as { dictType: string }[]).map((d) => d.dictType)).toEqual([
      "gender",
      "yes_no",
    ]);
  });

  it(covers([dictList, dictByType, dictDatas], "foreign"), async () => {
    expect((await list("dictType=safety_post", "1")).total).toBe(4);
    expect((await list("dictType=safety_post", "2")).total).toBe(0);
    expect(await byType("safety_post", { in: "2" })).toEqual([]);
    const { body } = await ask("GET", dictDatas.path, { as: "wangfang", in: "2" });
    const types = (body.data as { dictType: string }[]).map((d) => d.dictType);
    expect(types).toContain("gender");
    expect(types).not.toContain("safety_post");
  });
});

describe("Changing", () => {
  it(covers([dictCreate, dictEntry], "success"), async () => {
    const made = await create({
      dictType: "shift",
      dictName: "班次",
      dictLabel: " 早班 ",
      dictValue: "am",
      dictSort: 2,
      listClass: "primary",
      cssClass: "bold",
      remark: "七点",
    });
    expect(made).toMatchObject({
      supplierId: "1",
      dictType: "shift",
      dictName: "班次",
      dictLabel: "早班",
      dictValue: "am",
      dictSort: 2,
      listClass: "primary",
      cssClass: "bold",
      status: "0",
      remark: "七点",
    });
    const read = await ask("GET", `${DATA}/${made.id}`, {});
    expect(read.body.data).toEqual(made);
    const plain = await create({ dictType: "shift", dictLabel: "晚班", dictValue: "pm" });
    expect([plain.dictId, plain.dictSort, plain.listClass, plain.cssClass]).toEqual([
      made.dictId,
      0,
      "default",
      "",
    ]);
    // The change clears the cache.
    expect(await byType("shift")).toEqual([
      ["pm", "晚班"],
      ["am", "早班"],
    ]);
  });

  it(covers(dictEntry, "invalid"), async () => {
    expect(fieldsOf(await ask("GET", `${DATA}/${"9".repeat(65)}`, {}))).toEqual([400, ["id"]]);
    for (const id of ["999999", "x", "0", "9".repeat(30)]) {
      const answer = await ask("GET", `${DATA}/${id}`, {});
      expect([answer.status, answer.body.error], id).toEqual([404, "request.not-found"]);
    }
  });

  it(covers(dictCreate, "invalid"), async () => {
    const answer = await ask("POST", DATA, {
      json: { dictType: "Bad Type", dictLabel: " ", dictSort: -1, listClass: "a b", status: "2" },
    });
    expect(fieldsOf(answer)).toEqual([
      400,
      ["dictSort", "listClass", "status", "dictType", "dictLabel", "dictValue"],
    ]);
    // Classes are names alone: no styles, no markup, nothing that is no name.
    for (const cssClass of ["color: red", "a  b", "1a", "<b>", "a,b", "-x", "b\ta"]) {
      const json = { dictType: "shift", dictLabel: "a", dictValue: "a", cssClass };
      const refused = await ask("POST", DATA, { json });
      expect([cssClass, ...fieldsOf(refused)]).toEqual([cssClass, 400, ["cssClass"]]);
    }
    const nul = { dictType: "shift", dictLabel: "a\0", dictValue: "\ud83d" };
    expect(fieldsOf(await ask("POST", DATA, { json: nul }))).toEqual([
      400,
      ["dictLabel", "dictValue"],
    ]);
    const twice = { dictType: "twice", dictLabel: "一", dictValue: "1" };
    await create(twice);
    const again = await ask("POST", DATA, { json: twice });
    expect([again.status, again.body.error, again.body.msg]).toEqual([
      409,
      "request.conflict",
      "字典键值“1”已存在",
    ]);
    // Another company may have the same value.
    expect((await create(twice, "2")).supplierId).toBe("2");
  });

  it(covers(dictUpdate, "success"), async () => {
    const made = await create({ dictType: "moved", dictLabel: "旧", dictValue: "1", remark: "x" });
    expect(await byType("moved")).toEqual([["1", "旧"]]);
    const change = { id: made.id, dictLabel: "新", status: "1", dictType: "moved_on" };
    const { status, body } = await ask("PUT", DATA, { json: { ...change, version: 1 } });
    expect([status, body.data]).toMatchObject([
      200,
      { ...change, version: 2, dictValue: "1", remark: "x", dictName: "moved_on" },
    ]);
    expect([await byType("moved"), await byType("moved_on")]).toEqual([[], [["1", "新"]]]);
    const { db } = host.platform.database;
    // The type that has no entries now stays: it has a page of its own.
    expect(await db.select().from(dictTypes).where(eq(dictTypes.dictType, "moved"))).toMatchObject([
      { companyId: "1", dictName: "moved" },
    ]);
    const [record] = await db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "dict-data"), eq(auditRecords.entityId, made.id)))
      .orderBy(desc(auditRecords.id))
      .limit(1);
    expect(record).toMatchObject({
      companyId: "1",
      actorId: "1",
      action: "update",
      before: { dictLabel: "旧", status: "0", dictType: "moved" },
      after: { dictLabel: "新", status: "1", dictType: "moved_on" },
    });
    const looks = { id: made.id, version: 2, listClass: "danger", cssClass: " bold round_2 " };
    const looking = await ask("PUT", DATA, { json: looks });
    expect(looking.body.data).toMatchObject({ listClass: "danger", cssClass: "bold round_2" });
    const same = await ask("PUT", DATA, { json: { id: made.id, version: 3 } });
    expect((same.body.data as DictEntry).updateTime).toBe(
      (looking.body.data as DictEntry).updateTime,
    );
  });

  it(covers(dictUpdate, "invalid"), async () => {
    expect(fieldsOf(await ask("PUT", DATA, { json: { status: "x" } }))).toEqual([
      400,
      ["status", "id", "version"],
    ]);
    await create({ dictType: "pair", dictLabel: "一", dictValue: "1" });
    const second = await create({ dictType: "pair", dictLabel: "二", dictValue: "2" });
    const taken = await ask("PUT", DATA, { json: { id: second.id, version: 1, dictValue: "1" } });
    expect([taken.status, taken.body.details]).toEqual([409, { fields: { dictValue: "已存在" } }]);
    expect(await byType("pair")).toEqual([
      ["1", "一"],
      ["2", "二"],
    ]);
  });

  it(covers(dictDelete, "success", "one, and several separated by commas"), async () => {
    const ids: string[] = [];
    for (const value of ["1", "2", "3"]) {
      ids.push((await create({ dictType: "gone", dictLabel: value, dictValue: value })).id);
    }
    const one = await ask("DELETE", `${DATA}/${ids[0]}`, {});
    expect([one.status, one.body.data]).toEqual([200, null]);
    expect(await byType("gone")).toEqual([
      ["2", "2"],
      ["3", "3"],
    ]);
    expect((await ask("DELETE", `${DATA}/${ids[1]},${ids[2]},${ids[2]}`, {})).status).toBe(200);
    expect(await byType("gone")).toEqual([]);
    expect((await ask("DELETE", `${DATA}/${ids[1]}`, {})).status).toBe(404);
  });

  it(covers(dictDelete, "invalid", "all or none"), async () => {
    for (const id of ["x", "1,", "1,x", Array(101).fill("1").join(",")]) {
      expect(fieldsOf(await ask("DELETE", `${DATA}/${id}`, {})), id).toEqual([400, ["id"]]);
    }
    const { id } = await create({ dictType: "kept", dictLabel: "留", dictValue: "1" });
    expect((await ask("DELETE", `${DATA}/${id},999999`, {})).status).toBe(404);
    expect(await byType("kept")).toEqual([["1", "留"]]);
  });

  it(
    covers([dictUpdate, dictDelete], "refused", "the platform's entries cannot be changed"),
    async () => {
      const [common] = (await list("dictType=gender")).records;
      const own = await create({ dictType: "mine", dictLabel: "我", dictValue: "1" });
      for (const answer of [
        await ask("PUT", DATA, { json: { id: common?.id, version: 1, dictLabel: "改" } }),
        await ask("DELETE", `${DATA}/${common?.id}`, {}),
        await ask("DELETE", `${DATA}/${own.id},${common?.id}`, {}),
      ]) {
        expect([answer.status, answer.body.error]).toEqual([403, "auth.forbidden"]);
        expect(answer.body.msg).toMatch(/^平台字典不能修改或删除/);
      }
      expect((await list("dictType=gender")).records[0]).toEqual(common);
      expect(await byType("mine")).toEqual([["1", "我"]]);
    },
  );

  it(covers([dictEntry, dictCreate, dictUpdate, dictDelete], "foreign"), async () => {
    const made = await create({ dictType: "ours", dictLabel: "甲", dictValue: "1" });
    for (const answer of [
      await ask("GET", `${DATA}/${made.id}`, { in: "2" }),
      await ask("PUT", DATA, { in: "2", json: { id: made.id, version: 1, dictLabel: "乙" } }),
      await ask("DELETE", `${DATA}/${made.id}`, { in: "2" }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([404, "request.not-found"]);
    }
    // The caller cannot choose the company in the body.
    const smuggled = { dictType: "ours", dictLabel: "乙", dictValue: "2", supplierId: "2" };
    expect((await create(smuggled)).supplierId).toBe("1");
    expect((await ask("GET", `${DATA}/${made.id}`, {})).body.data).toEqual(made);
  });

  it(
    covers([dictList, dictExport, dictEntry, dictCreate, dictUpdate, dictDelete], "refused"),
    async () => {
      for (const call of GUARDED) {
        const path = call.path.replace("{id}", "1");
        const json = call.method === "GET" || call.method === "DELETE" ? {} : { json: {} };
        expect((await host.ask(call.method, path, json)).status, call.id).toBe(401);
        for (const as of ["lina", "ops", "guest"]) {
          const answer = await ask(call.method, path, { as, ...json });
          expect([answer.status, answer.body.error], `${as} ${call.id}`).toEqual([
            403,
            "auth.forbidden",
          ]);
        }
        expect((await ask(call.method, path, { as: "wangfang", ...json })).status).toBe(403);
      }
    },
  );
});

describe("Row-level security", () => {
  it("shows a company the platform's rows and its own, and lets it change only its own", async () => {
    const tenants = createTenants(host.platform.database.pool);
    const inTwo = <R extends Record<string, unknown>>(query: SQL) =>
      tenants.run("2", null, (scope) => scope.sql<R>(query));
    for (const table of ["dict_types", "dict_data", "configs"]) {
      const name = sql.identifier(table);
      const owners = await inTwo<{ company_id: string | null }>(
        sql`SELECT DISTINCT company_id FROM ${name} WHERE company_id IS NULL OR company_id = 1`,
      );
      expect(owners, table).toEqual([{ company_id: null }]);
      const foreign = sql`company_id IS NULL OR company_id = 1`;
      expect(await inTwo(sql`DELETE FROM ${name} WHERE ${foreign} RETURNING id`)).toEqual([]);
      const stolen = sql`UPDATE ${name} SET company_id = 2 WHERE ${foreign} RETURNING id`;
      expect(await inTwo(stolen)).toEqual([]);
    }
    for (const owner of [sql`NULL`, sql`1`]) {
      await expect(
        inTwo(sql`INSERT INTO dict_types (company_id, dict_type, dict_name)
          VALUES (${owner}, 'smuggled', 'x')`),
      ).rejects.toMatchObject({ cause: { code: "42501" } });
    }
  });
});

describe("Export", () => {
  const download = async (query: string, company = "1") => {
    const response = await fetch(`${host.origin}${dictExport.path}?${query}`, {
      headers: { authorization: `Bearer ${tokens["admin"]}`, "supplier-id": company },
    });
    return { response, rows: readXlsx(Buffer.from(await response.arrayBuffer())) };
  };

  it(covers(dictExport, "success"), async () => {
    await create({ dictType: "evil", dictLabel: "=1+1", dictValue: "1" });
    const { response, rows } = await download("dictType=evil");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toContain(
      `filename*=UTF-8''${encodeURIComponent("字典数据.xlsx")}`,
    );
    expect(rows[0]?.slice(1, 6)).toEqual([
      "字典名称",
      "字典类型",
      "字典标签",
      "字典键值",
      "字典排序",
    ]);
    expect(rows.slice(1).map((row) => row.slice(1, 10))).toEqual([
      ["evil", "evil", "=1+1", "1", "0", "default", "", "正常", "本企业"],
    ]);
  });

  it(covers(dictExport, "success", "beyond one piece, in the order of the list"), async () => {
    const { pool } = host.platform.database;
    await pool.query(
      "INSERT INTO dict_types (company_id, dict_type, dict_name) VALUES (1, 'many', '多')",
    );
    await pool.query(
      `INSERT INTO dict_data (company_id, dict_type, dict_label, dict_value, dict_sort)
       SELECT 1, 'many', n::text, n::text, n % 3 FROM generate_series(1, 2500) n`,
    );
    const { rows } = await download("dictType=many");
    const values = rows.slice(1).map((row) => Number(row[4]));
    expect(values).toHaveLength(2500);
    expect(values.slice(0, 3)).toEqual([3, 6, 9]);
    expect(new Set(values).size).toBe(2500);
    await pool.query("DELETE FROM dict_data WHERE dict_type = 'many'");
  });

  it(covers(dictExport, "invalid"), async () => {
    expect(fieldsOf(await ask("GET", `${dictExport.path}?status=2`, {}))).toEqual([
      400,
      ["status"],
    ]);
  });

  it(covers(dictExport, "foreign"), async () => {
    const { rows } = await download("dictType=safety_post", "2");
    expect(rows).toHaveLength(1);
  });
});
