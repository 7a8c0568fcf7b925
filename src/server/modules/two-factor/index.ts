/** The calls of the second factor (docs/session.md#two-factor). */
import { AppError } from "../../../shared/errors.ts";
import {
  twoFactorBeginCall,
  twoFactorCall,
  twoFactorConfirmCall,
  twoFactorEndCall,
  twoFactorRecoveryCall,
  twoFactorResetCall,
} from "../../../shared/protocol/rest/two-factor.ts";
import { auditCompany } from "../../base/audit/index.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import { accountOfEmployee } from "../accounts/of-employee.ts";
import type { SecondFactor } from "./factor.ts";

const RESET = "system:twofactor:reset";
const TEXTS = {
  own: "请在个人中心用验证码关闭自己的两步验证",
  shared: "该人员还属于其他企业，需要由这些企业共同的管理员重置",
};

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
  const { db, factor } = deps;

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
        const { accountId } = await accountOfEmployee(deps, principal, params.id, RESET, TEXTS);
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
