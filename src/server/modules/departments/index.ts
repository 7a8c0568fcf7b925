/** Departments of a company (docs/server.md#departments). */
import { departmentCalls } from "../../../shared/protocol/rest/departments.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import {
  createDepartment,
  deleteDepartment,
  mergeDepartment,
  shiftDepartment,
  updateDepartment,
} from "./store.ts";
import { departmentTree } from "./rows.ts";

function createDepartmentsModule(deps: ServerDeps): ServerModule {
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "departments",
    routes(app) {
      route(app, departmentCalls.departmentTree, deps, ({ principal }) =>
        inCompany(principal, departmentTree),
      );
      route(app, departmentCalls.departmentCreate, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => createDepartment(scope, body)),
      );
      route(app, departmentCalls.departmentUpdate, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => updateDepartment(scope, body)),
      );
      route(app, departmentCalls.departmentShift, deps, async ({ body, principal }) => {
        await inCompany(principal, (scope) => shiftDepartment(scope, body));
        return null;
      });
      route(app, departmentCalls.departmentMerge, deps, ({ body, principal }) =>
        inCompany(principal, (scope) => mergeDepartment(scope, body)),
      );
      route(app, departmentCalls.departmentDelete, deps, async ({ params, principal }) => {
        await inCompany(principal, (scope) => deleteDepartment(scope, params.id));
        return null;
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "employees", create: createDepartmentsModule };
