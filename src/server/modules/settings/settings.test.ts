import { and, desc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { askingPlatform } from "../../asking.harness.ts";
import { covers } from "../../covers.harness.ts";
import type { ConfigItem } from "../../../shared/protocol/rest/config-items.ts";
import { configItemSchema, pageSchema, restCalls } from "../../../shared/protocol/rest/index.ts";
import { CACHE_TTL } from "../../base/cache/index.ts";
import { auditRecords } from "../../base/database/schema/audit.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { readXlsx } from "../../base/xlsx/xlsx.harness.ts";

const {
  configList,
  configExport,
  configRefresh,
  configGet,
  configCreate,
  configUpdate,
  configDelete,
  configByKey,
} = restCalls;
const MAY = whoMay({
  "config.list": "--+-",
  "config.export": "--+-",
  "config.refreshCache": "--+-",
  "config.get": "--+-",
  "config.create": "--+-",
  "config.update": "--+-",
  "config.delete": "--+-",
  "config.byKey": "-+++",
});
const CONFIG = configCreate.path;
const THEME = "sys.index.sideTheme";

const { host, tokens, ask } = askingPlatform(["admin", "lina", "wangfang", "ops", "guest"]);
const item = (configKey: string, configValue = "1") => ({
  configKey,
  configName: `名 ${configKey}`,
  configValue,
});
const create = async (json: Record<string, unknown>, company = "1"): Promise<ConfigItem> => {
  const { status, body } = await ask("POST", CONFIG, { json, in: company });
  expect([status, body.code]).toEqual([200, 0]);
  return configItemSchema.parse(body.data);
};
const list = async (query: string, company = "1") => {
  const { status, body } = await ask("GET", `${configList.path}?${query}`, { in: company });
  expect(status).toBe(200);
  return pageSchema(configItemSchema).parse(body.data);
};
const valueOf = async (key: string, options: { as?: string; in?: string } = {}) => {
  const { status, body } = await ask("GET", configByKey.path.replace("{key}", key), options);
  return status === 200 ? body.data : status;
};
const fieldsOf = (answer: Awaited<ReturnType<typeof ask>>) => [
  answer.status,
  Object.keys((answer.body.details?.["fields"] ?? {}) as object),
];

describe("Reading", () => {
  it(covers(configList, "success"), async () => {
    const all = await list("");
    expect(all.records.map((c) => [c.configKey, c.supplierId, c.configType])).toEqual([
      ["sys.index.theme", null, "Y"],
      [THEME, null, "Y"],
      ["sys.watermark", null, "Y"],
      ["company.duty.phone", "1", "N"],
      [THEME, "1", "N"],
    ]);
    expect(all.total).toBe(5);
    const second = await list("cursor=2&limit=3&searchCount=false");
    expect([second.records.map((c) => c.supplierId), second.total]).toEqual([["1", "1"], 0]);
    expect((await list("configKey=SIDE&configType=N")).records.map((c) => c.configValue)).toEqual([
      "theme-light",
    ]);
    const named = await list(`configName=${encodeURIComponent("值班")}`);
    expect(named.records.map((c) => c.configKey)).toEqual(["company.duty.phone"]);
    expect((await list(`configKey=${encodeURIComponent("%")}`)).total).toBe(0);
  });

  it(covers(configByKey, "success", "the company's value before the platform's"), async () => {
    expect(await valueOf(THEME, { as: "lina" })).toBe("theme-light");
    expect(await valueOf(THEME, { as: "wangfang", in: "2" })).toBe("theme-dark");
    expect(await valueOf(THEME, { as: "lina", in: "" })).toBe("theme-dark");
  });

  it(covers([configList, configByKey, configGet], "invalid"), async () => {
    expect(fieldsOf(await ask("GET", `${configList.path}?limit=0&configType=J`, {}))).toEqual([
      400,
      ["limit", "configType"],
    ]);
    expect(await valueOf("no.such.key")).toBe(404);
    expect(await valueOf("x".repeat(101))).toBe(400);
    expect(fieldsOf(await ask("GET", `${CONFIG}/${"9".repeat(65)}`, {}))).toEqual([400, ["id"]]);
    for (const id of ["999999", "x", "0", "9".repeat(30)]) {
      expect((await ask("GET", `${CONFIG}/${id}`, {})).body.error, id).toBe("request.not-found");
    }
  });
});

describe("Changing", () => {
  it(covers([configCreate, configGet], "success"), async () => {
    expect(await valueOf("a.new:key-1")).toBe(404);
    const made = await create({ ...item("a.new:key-1", " 值 "), remark: "备注" });
    expect(made).toMatchObject({
      supplierId: "1",
      configKey: "a.new:key-1",
      configValue: " 值 ",
      configType: "N",
      remark: "备注",
    });
    expect((await ask("GET", `${CONFIG}/${made.id}`, {})).body.data).toEqual(made);
    expect(await valueOf("a.new:key-1")).toBe(" 值 ");
    // A company may override a key of the platform.
    await create(item("sys.index.theme", "#ff0000"), "2");
    expect(await valueOf("sys.index.theme", { in: "2" })).toBe("#ff0000");
    expect(await valueOf("sys.index.theme")).toBe("#1890ff");
  });

  it(covers(configCreate, "invalid"), async () => {
    const bad = { configKey: "a b", configName: "", configType: "X" };
    expect(fieldsOf(await ask("POST", CONFIG, { json: bad }))).toEqual([
      400,
      ["configKey", "configName", "configValue", "configType"],
    ]);
    await create(item("once"));
    const again = await ask("POST", CONFIG, { json: item("once", "2") });
    expect([again.status, again.body.msg]).toEqual([409, "参数键名“once”已存在"]);
    expect(await valueOf("once")).toBe("1");
  });

  it(covers(configUpdate, "success"), async () => {
    const made = await create(item("to.change", "before"));
    expect(await valueOf("to.change")).toBe("before");
    const { status, body } = await ask("PUT", CONFIG, {
      json: { id: made.id, version: 1, configValue: "after" },
    });
    expect([status, body.data]).toMatchObject([200, { ...item("to.change", "after") }]);
    expect(await valueOf("to.change")).toBe("after");
    const [record] = await host.platform.database.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.entity, "config"), eq(auditRecords.entityId, made.id)))
      .orderBy(desc(auditRecords.id))
      .limit(1);
    expect(record).toMatchObject({
      companyId: "1",
      action: "update",
      before: { configValue: "before" },
      after: { configValue: "after" },
    });
  });

  it(covers(configUpdate, "invalid"), async () => {
    expect(fieldsOf(await ask("PUT", CONFIG, { json: { configValue: "" } }))).toEqual([
      400,
      ["configValue", "id", "version"],
    ]);
    await create(item("pair.1"));
    const second = await create(item("pair.2"));
    const taken = await ask("PUT", CONFIG, {
      json: { id: second.id, version: 1, configKey: "pair.1" },
    });
    expect([taken.status, taken.body.details]).toEqual([409, { fields: { configKey: "已存在" } }]);
  });

  it(covers(configDelete, "success"), async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push((await create(item(`gone.${n}`))).id);
    expect(await valueOf("gone.1")).toBe("1");
    const one = await ask("DELETE", `${CONFIG}/${ids[0]}`, {});
    expect([one.status, one.body.data]).toEqual([200, null]);
    expect((await ask("DELETE", `${CONFIG}/${ids[1]},${ids[2]}`, {})).status).toBe(200);
    expect(await Promise.all(["gone.1", "gone.2", "gone.3"].map((key) => valueOf(key)))).toEqual([
      404, 404, 404,
    ]);
    expect((await ask("DELETE", `${CONFIG}/${ids[0]}`, {})).status).toBe(404);
  });

  it(covers(configDelete, "invalid", "all or none; built-in settings stay"), async () => {
    expect(fieldsOf(await ask("DELETE", `${CONFIG}/x`, {}))).toEqual([400, ["id"]]);
    const kept = await create(item("kept"));
    const builtIn = await create({ ...item("built.in"), configType: "Y" });
    const answer = await ask("DELETE", `${CONFIG}/${kept.id},${builtIn.id}`, {});
    expect([answer.status, answer.body.msg]).toEqual([403, "内置参数“built.in”不能删除"]);
    expect((await ask("DELETE", `${CONFIG}/${kept.id},999999`, {})).status).toBe(404);
    expect([await valueOf("kept"), await valueOf("built.in")]).toEqual(["1", "1"]);
  });

  it(
    covers([configUpdate, configDelete], "refused", "the platform's settings cannot be changed"),
    async () => {
      const [common] = (await list("configKey=sys.index.theme")).records;
      for (const answer of [
        await ask("PUT", CONFIG, { json: { id: common?.id, version: 1, configValue: "red" } }),
        await ask("DELETE", `${CONFIG}/${common?.id}`, {}),
      ]) {
        expect([answer.status, answer.body.error]).toEqual([403, "auth.forbidden"]);
      }
      expect(await valueOf("sys.index.theme")).toBe("#1890ff");
    },
  );

  it(covers(configRefresh, "success"), async () => {
    const made = await create(item("cached", "old"));
    expect(await valueOf("cached")).toBe("old");
    const { pool } = host.platform.database;
    const write = (value: string) =>
      pool.query("UPDATE configs SET config_value = $1 WHERE id = $2", [value, made.id]);
    await write("new");
    expect(await valueOf("cached")).toBe("old");
    const { status, body } = await ask("DELETE", configRefresh.path, {});
    expect([status, body.data]).toEqual([200, null]);
    expect(await valueOf("cached")).toBe("new");
    // Without a refresh the cached value lasts until it expires.
    await write("newer");
    host.clock.advance(CACHE_TTL);
    expect(await valueOf("cached")).toBe("newer");
  });

  it(covers(configRefresh, ["invalid", "foreign"], "only the caller's own company"), async () => {
    expect(fieldsOf(await ask("DELETE", configRefresh.path, { in: "" }))).toEqual([
      400,
      ["supplier-id"],
    ]);
    const made = await create(item("kept.cached", "old"));
    await valueOf("kept.cached");
    const { pool } = host.platform.database;
    await pool.query("UPDATE configs SET config_value = 'new' WHERE id = $1", [made.id]);
    expect((await ask("DELETE", configRefresh.path, { in: "2" })).status).toBe(200);
    expect(await valueOf("kept.cached")).toBe("old");
  });

  it(
    covers([configList, configGet, configCreate, configUpdate, configDelete], "foreign"),
    async () => {
      const made = await create(item("ours", "甲"));
      for (const answer of [
        await ask("GET", `${CONFIG}/${made.id}`, { in: "2" }),
        await ask("PUT", CONFIG, { in: "2", json: { id: made.id, version: 1, configValue: "乙" } }),
        await ask("DELETE", `${CONFIG}/${made.id}`, { in: "2" }),
      ]) {
        expect([answer.status, answer.body.error]).toEqual([404, "request.not-found"]);
      }
      expect((await list("configKey=ours", "2")).total).toBe(0);
      expect((await create({ ...item("ours.2"), supplierId: "2" })).supplierId).toBe("1");
      expect(await valueOf("ours")).toBe("甲");
    },
  );

  it(covers(configByKey, "foreign"), async () => {
    expect(await valueOf("company.duty.phone", { as: "lina" })).toBe("0551-00000000");
    expect(await valueOf("company.duty.phone", { as: "wangfang", in: "2" })).toBe(404);
  });

  it(
    covers(
      [
        configList,
        configExport,
        configRefresh,
        configGet,
        configCreate,
        configUpdate,
        configDelete,
      ],
      "refused",
    ),
    async () => {
      for (const call of [
        configList,
        configExport,
        configRefresh,
        configGet,
        configCreate,
        configUpdate,
        configDelete,
      ]) {
        const path = call.path.replace("{id}", "1");
        const json = call.method === "POST" || call.method === "PUT" ? { json: {} } : {};
        expect((await host.ask(call.method, path, json)).status, call.id).toBe(401);
        expect(refusedBy(MAY[call.id])).toContain("lina");
        for (const as of refusedBy(MAY[call.id])) {
          const answer = await ask(call.method, path, { as, ...json });
          expect([answer.status, answer.body.error], `${as} ${call.id}`).toEqual([
            403,
            "auth.forbidden",
          ]);
        }
      }
    },
  );

  it(covers(configByKey, "refused"), async () => {
    expect((await host.ask("GET", configByKey.path.replace("{key}", THEME))).status).toBe(401);
    expect(await valueOf(THEME, { as: "guest" })).toBe(403);
    expect(await valueOf(THEME, { as: "lina", in: "2" })).toBe(403);
  });
});

describe("Export", () => {
  const download = async (query: string, company: string) => {
    const response = await fetch(`${host.origin}${configExport.path}?${query}`, {
      headers: { authorization: `Bearer ${tokens["admin"]}`, "supplier-id": company },
    });
    expect(response.headers.get("content-disposition")).toContain(
      encodeURIComponent("参数数据.xlsx"),
    );
    return readXlsx(Buffer.from(await response.arrayBuffer()));
  };

  it(covers(configExport, ["success", "foreign"]), async () => {
    const rows = await download("configKey=sideTheme", "1");
    expect(rows.map((row) => row.slice(1, 6))).toEqual([
      ["参数名称", "参数键名", "参数键值", "系统内置", "归属"],
      ["侧边栏主题", THEME, "theme-dark", "是", "平台"],
      ["侧边栏主题", THEME, "theme-light", "否", "本企业"],
    ]);
    expect(await download("configKey=sideTheme", "2")).toHaveLength(2);
  });

  it(covers(configExport, "invalid"), async () => {
    expect(fieldsOf(await ask("GET", `${configExport.path}?configType=J`, {}))).toEqual([
      400,
      ["configType"],
    ]);
  });
});
