/** The calls of the second factor (docs/session.md#two-factor). */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { ALL_PERMISSIONS } from "../../../shared/protocol/rest/call.ts";
import {
  twoFactorBeginCall,
  twoFactorCall,
  twoFactorConfirmCall,
  twoFactorEndCall,
  twoFactorRecoveryCall,
  twoFactorResetCall,
} from "../../../shared/protocol/rest/two-factor.ts";
import { auditCompany } from "../../base/audit/index.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import type { SecondFactor } from "./factor.ts";

const RESET = "system:twofactor:reset";

export interface TwoFactorDeps extends ServerDeps {
  readonly factor: SecondFactor;
  /** @throws AppError auth.invalid-credentials, auth.locked */
  readonly checkOwnPassword: (
    principal: Principal,
    password: string,
    field: string,
  ) => Promise<void>;
}

export function createTwoFactorModule(deps: TwoFactorDeps): ServerModule {
  const { db, factor, tenants } = deps;

  /**
   * The second factor protects all companies of the person, so the administrator of one of them must not remove it for the others.
   *
   * @throws AppError auth.forbidden
   */
  async function checkCompanies(principal: Principal, accountId: string): Promise<void> {
    const rows = await db
      .select({ companyId: employees.companyId })
      .from(employees)
      .where(and(eq(employees.accountId, accountId), sql`${employees.dimissionAt} IS NULL`));
    const mayIn = (companyId: string): boolean =>
      principal.grants.some(
        ({ supplierId, permissions }) =>
          supplierId === companyId &&
          permissions.some((held) => held === RESET || held === ALL_PERMISSIONS),
      );
    if (!rows.every(({ companyId }) => mayIn(companyId))) {
      throw new AppError("auth.forbidden", {
        message: "该人员还属于其他企业，需要由这些企业共同的管理员重置",
      });
    }
  }

  return {
    name: "two-factor",
    routes(app) {
      route(app, twoFactorCall, deps, ({ principal }) => factor.state(principal.accountId));
      route(app, twoFactorBeginCall, deps, async ({ body, principal }) => {
        await deps.checkOwnPassword(principal, body.password, "password");
        return factor.begin(principal.accountId, principal.username);
      });
      route(app, twoFactorConfirmCall, deps, async ({ body, principal }) => ({
        recoveryCodes: await factor.confirm(principal, body.code),
      }));
      route(app, twoFactorRecoveryCall, deps, async ({ body, principal }) => ({
        recoveryCodes: await factor.renewRecovery(principal, body.code),
      }));
      route(app, twoFactorEndCall, deps, async ({ body, principal }) => {
        await factor.end(principal, body.code);
        return null;
      });
      route(app, twoFactorResetCall, deps, async ({ params, principal }) => {
        const company = requireSupplier(principal);
        if (!isId(params.id)) throw new AppError("request.not-found");
        const [employee] = await tenants.run(company, principal, (scope) =>
          scope
            .rows(employees, and(eq(employees.id, params.id), isNotNull(employees.accountId)))
            .execute(),
        );
        const accountId = employee?.accountId ?? null;
        if (accountId === null || employee?.dimissionAt !== null) {
          throw new AppError("request.not-found");
        }
        if (accountId === principal.accountId) {
          throw new AppError("request.conflict", {
            message: "请在个人中心用验证码关闭自己的两步验证",
          });
        }
        await checkCompanies(principal, accountId);
        await db.transaction(async (tx) => {
          if (!(await factor.remove(tx, accountId))) {
            throw new AppError("request.conflict", { message: "该人员未开启两步验证" });
          }
          await auditCompany(tx, company, principal, {
            action: "reset",
            entity: "two-factor",
            entityId: accountId,
          });
        });
        return null;
      });
    },
  };
}
