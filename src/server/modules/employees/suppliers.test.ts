import { describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { type Employee, type MenuEntry, restCalls } from "../../../shared/protocol/rest/index.ts";
import { whoMay } from "../../who-may.harness.ts";
import { platformForTests } from "../../asking.harness.ts";

whoMay({ "employees.list": "-+++" });

const people = ["admin", "zhangwei", "lina", "wangfang", "ops", "guest"];
const { host, tokens } = platformForTests(people);

const get = (who: string, path: string, supplierId?: string) =>
  host.ask("GET", `/scm-supplier/api${path}`, {
    token: tokens[who] ?? "",
    ...(supplierId === undefined ? {} : { supplierId }),
  });
const page = async (answer: ReturnType<typeof get>) =>
  (await answer).body.data as { records: Employee[]; total: number };

describe("Employees", () => {
  it(covers(restCalls.employees, "success", "memberships are the caller's own"), async () => {
    const { records, total } = await page(
      get("zhangwei", "/sec/employees?descParameter=id&limit=100"),
    );
    expect(records.map((e) => [e.supplierId, e.supplierName, e.name, e.userName])).toEqual([
      ["2", "城南消防工程有限公司", "张伟", "zhangwei"],
      ["1", "华安物业服务有限公司", "张伟", "zhangwei"],
    ]);
    expect(total).toBe(2);
    const own = await page(get("zhangwei", "/sec/employees?accountId=2"));
    expect(own.records.map((e) => e.supplierId)).toEqual(["1", "2"]);
  });

  it(
    covers(restCalls.employees, ["refused", "foreign"], "another account, another company"),
    async () => {
      for (const query of [
        "accountId=1",
        "accountId=x",
        "supplierId=2",
        "supplierId=9",
        "supplierId=x",
      ]) {
        const answer = await get("lina", `/sec/employees?${query}`);
        expect([answer.status, answer.body.error], query).toEqual([403, "auth.forbidden"]);
      }
    },
  );

  it(
    covers(restCalls.employeeList, ["success", "refused", "foreign"], "the header's company"),
    async () => {
      const { records } = await page(get("lina", "/sec/employees/list", "1"));
      expect(records.map((e) => e.userName)).toEqual(["admin", "zhangwei", "lina", "ops", "guest"]);
      expect((await get("lina", "/sec/employees/list", "2")).status).toBe(403);
      expect((await get("wangfang", "/sec/employees/list", "1")).status).toBe(403);
      const without = await get("lina", "/sec/employees/list");
      expect([without.status, without.body.details]).toEqual([
        400,
        { fields: { "supplier-id": "必填" } },
      ]);
    },
  );

  it("are paged, searched and counted", async () => {
    const second = await page(get("lina", "/sec/employees/list?cursor=2&limit=2", "1"));
    expect([second.records.map((e) => e.userName), second.total]).toEqual([["lina", "ops"], 5]);
    const found = await page(
      get("lina", `/sec/employees/list?keyword=${encodeURIComponent("客服")}`, "1"),
    );
    expect([found.records.map((e) => e.name), found.total]).toEqual([["李娜"], 1]);
    for (const sign of ["%", "_", "\\", "'"]) {
      const none = await page(
        get("lina", `/sec/employees/list?keyword=${encodeURIComponent(sign)}`, "1"),
      );
      expect(none.total, sign).toBe(0);
    }
    const uncounted = await page(get("lina", "/sec/employees/list?searchCount=false", "1"));
    expect([uncounted.records.length, uncounted.total]).toEqual([5, 0]);
  });

  it(covers([restCalls.employeeList, restCalls.employees], "invalid"), async () => {
    for (const path of ["/sec/employees/list", "/sec/employees"]) {
      const answer = await get("lina", `${path}?cursor=0&limit=x`, "1");
      expect(answer.status).toBe(400);
      expect(Object.keys((answer.body.details?.["fields"] ?? {}) as object)).toEqual([
        "cursor",
        "limit",
      ]);
    }
  });
});

describe("Menus", () => {
  const routers = (who: string, roleIds: string[], supplierId?: string) =>
    host.ask("POST", "/umc-rbac/api/v3/roleMenu/getRouters", {
      token: tokens[who] ?? "",
      json: { roleIds, systemName: "sec-web-company-admin" },
      ...(supplierId === undefined ? {} : { supplierId }),
    });
  /** The entries that these tests look at, so that a new page of the console changes none of them. */
  const SAMPLE = [
    "/im/people",
    "/im/conference",
    "/supplier/employees",
    "/DataBatchImport/index",
    "/DataBatchImport2/index",
    "/monitor/runtime",
  ];
  const paths = (entries: MenuEntry[]): string[] =>
    entries.flatMap((e) => (e.childMenu.length > 0 ? paths(e.childMenu) : [e.uri]));
  const seen = async (...args: Parameters<typeof routers>) =>
    paths((await routers(...args)).body.data as MenuEntry[]).filter((path) =>
      SAMPLE.includes(path),
    );
  const all = ["1", "2", "3", "4", "5", "6"];

  it("are those of the roles that the caller holds in this company, whatever roles were requested", async () => {
    expect(await seen("admin", all, "1")).toEqual([
      "/im/people",
      "/im/conference",
      "/supplier/employees",
      "/DataBatchImport/index",
      "/DataBatchImport2/index",
      "/monitor/runtime",
    ]);
    expect(await seen("zhangwei", all, "1")).toEqual(["/im/people", "/im/conference"]);
    expect(await seen("ops", all, "1")).toEqual([
      "/im/people",
      "/im/conference",
      "/monitor/runtime",
    ]);
    expect(await seen("guest", all, "1")).toEqual([]);
    // Role 5 is the staff role of the second company.
    expect(await seen("zhangwei", ["5"], "1")).toEqual([]);
    expect(await seen("zhangwei", ["5"], "2")).toEqual(["/im/people", "/im/conference"]);
  });

  it("require a company of which the caller is a member", async () => {
    expect((await routers("admin", all)).status).toBe(400);
    expect((await routers("lina", all, "2")).status).toBe(403);
  });

  it("of a role are readable by those who hold the role", async () => {
    const pairs = (who: string, roleId: string) =>
      host.ask("GET", `/umc-rbac/api/roleMenus?roleId=${roleId}`, { token: tokens[who] ?? "" });
    expect((await pairs("lina", "2")).body.data).toEqual(
      expect.arrayContaining([
        { roleId: "2", menuId: "1" },
        { roleId: "2", menuId: "2" },
      ]),
    );
    expect((await pairs("lina", "1")).status).toBe(403);
    expect((await pairs("lina", "x")).status).toBe(403);
  });
});
