/** An administrator disables and enables accounts (docs/server.md#end-of-access). */
import type { Hono } from "hono";
import { AppError } from "../../../shared/errors.ts";
import { accountStateCall } from "../../../shared/protocol/rest/account-state.ts";
import { audit } from "../../base/audit/index.ts";
import { requireAdministrator } from "../../base/database/administrators.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { HttpEnv, ServerDeps } from "../../base/module.ts";
import type { Access } from "./access.ts";
import { accountOfEmployee } from "./of-employee.ts";

const TEXTS = {
  own: "不能停用自己的账号",
  shared: "该人员还属于其他企业，需要由这些企业共同的管理员停用或启用账号",
};

export function accountStateRoutes(
  app: Hono<HttpEnv>,
  deps: Pick<ServerDeps, "db" | "tenants" | "directory"> & {
    readonly access: Pick<Access, "disable" | "enable">;
  },
): void {
  const { tenants, access } = deps;
  const permission = accountStateCall.access?.permissions?.[0] ?? "";
  route(app, accountStateCall, deps, async ({ params, body, principal }) => {
    const company = requireSupplier(principal);
    const employee = await accountOfEmployee(deps, principal, params.id, permission, TEXTS);
    const { accountId, companyIds } = employee;
    for (const companyId of body.enabled ? [] : companyIds) {
      await tenants.run(companyId, principal, (scope) =>
        requireAdministrator(scope, accountId, accountId),
      );
    }
    const changed = await (body.enabled ? access.enable(accountId) : access.disable(accountId));
    if (!changed) {
      throw new AppError("request.conflict", {
        message: body.enabled ? "该账号没有停用" : "该账号已停用",
      });
    }
    await tenants.run(company, principal, (scope) =>
      audit(scope, {
        action: body.enabled ? "enable" : "disable",
        entity: "account",
        entityId: accountId,
      }),
    );
    return null;
  });
}
