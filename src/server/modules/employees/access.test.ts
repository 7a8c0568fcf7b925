import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { type RestCall, restCalls } from "../../../shared/protocol/rest/index.ts";
import { page, startEmployees, type EmployeesWorld } from "./employees.harness.ts";

let world: EmployeesWorld;
beforeAll(async () => {
  world = await startEmployees();
}, 60_000);
afterAll(() => world.host.close());

const ALL: readonly RestCall[] = [
  restCalls.advancedFiltering,
  restCalls.documentsList,
  restCalls.employeeBindAccount,
  restCalls.employeeCreate,
  restCalls.employeeCreateMany,
  restCalls.employeeDelete,
  restCalls.employeeDimission,
  restCalls.employeeDimissionList,
  restCalls.employeeDimissionOld,
  restCalls.employeeExport,
  restCalls.employeeGet,
  restCalls.employeeUpdate,
  restCalls.employeeUpdateV3,
  restCalls.inviteEmployee,
  restCalls.querySupplierEmployees,
];

describe("Access", () => {
  it(covers(ALL, "refused"), async () => {
    for (const call of ALL) {
      const path = call.path.replaceAll(/\{\w+\}/g, "1");
      const json = call.method === "POST" || call.method === "PUT" ? { json: {} } : {};
      expect((await world.host.ask(call.method, path, json)).status, call.id).toBe(401);
      for (const as of ["lina", "guest"]) {
        const answer = await world.host.ask(call.method, path, {
          token: world.tokens[as] ?? "",
          supplierId: "1",
          ...json,
        });
        expect([answer.status, answer.body.error], `${as} ${call.id}`).toEqual([
          403,
          "auth.forbidden",
        ]);
      }
    }
  });

  it(
    covers(
      [
        restCalls.employeeGet,
        restCalls.employeeDelete,
        restCalls.employeeUpdate,
        restCalls.employeeUpdateV3,
        restCalls.employeeDimission,
        restCalls.employeeDimissionOld,
        restCalls.employeeCreate,
      ],
      "foreign",
    ),
    async () => {
      const made = await world.create({ name: "他人", idNumber: world.idNumber() }, "2");
      const json = { id: made.id, version: 1, name: "改" };
      for (const [call, id] of [
        [restCalls.employeeGet, made.id],
        [restCalls.employeeDelete, made.id],
        [restCalls.employeeUpdate, ""],
        [restCalls.employeeUpdateV3, ""],
        [restCalls.employeeDimission, ""],
        [restCalls.employeeDimissionOld, ""],
      ] as const) {
        const answer = await world.ask(call, call.method === "PUT" ? { json } : {}, id);
        expect([answer.status, answer.body.error], call.id).toEqual([404, "request.not-found"]);
      }
      // Numbers are unique within a company only, so the other company learns nothing.
      expect((await world.create({ name: "同号", idNumber: made.idNumber })).supplierId).toBe("1");
      expect((await world.ask(restCalls.employeeGet, { in: "2" }, made.id)).body.data).toEqual(
        made,
      );
    },
  );

  it(
    covers(
      [
        restCalls.querySupplierEmployees,
        restCalls.advancedFiltering,
        restCalls.employeeDimissionList,
        restCalls.employeeCreateMany,
        restCalls.inviteEmployee,
      ],
      "foreign",
    ),
    async () => {
      const made = await world.create({ name: "独有名" }, "2");
      const rules = [{ field: "name", op: "contains", value: "独有名" }];
      expect(
        page(await world.ask(restCalls.querySupplierEmployees, { json: { keyword: "独有名" } }))
          .total,
      ).toBe(0);
      expect(
        page(
          await world.ask(restCalls.advancedFiltering, {
            json: { filter: { logic: "and", rules } },
          }),
        ).total,
      ).toBe(0);
      await world.ask(restCalls.employeeDimission, { in: "2", json: { id: made.id } });
      expect(
        page(await world.ask(restCalls.employeeDimissionList)).records.map((row) => row.id),
      ).not.toContain(made.id);
      for (const call of [restCalls.employeeCreateMany, restCalls.inviteEmployee]) {
        expect((await world.ask(call, { in: "9", json: {} })).status, call.id).toBe(403);
      }
    },
  );
});
