/** An administrator takes a lost mobile from an employee's account (docs/session.md#mobile-number). */
import { eq } from "drizzle-orm";
import { maskPhone } from "../../../shared/domain/format.ts";
import { AppError } from "../../../shared/errors.ts";
import { releaseMobileCall } from "../../../shared/protocol/rest/account-state.ts";
import { auditCompany } from "../../base/audit/index.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { accountMobiles } from "../../base/database/schema/registration.ts";
import { requireSupplier } from "../../base/http/route.ts";
import type { Principal } from "../../base/module.ts";
import { accountOfEmployee } from "../accounts/of-employee.ts";
import type { RegistrationDeps } from "./deps.ts";

const PERMISSION = releaseMobileCall.access?.permissions?.[0] ?? "";
const TEXTS = {
  own: "不能解除自己的手机号，请由其他管理员操作",
  shared: "该人员还属于其他企业，需要由这些企业共同的管理员解除手机号",
};

/**
 * The person's logins go on, and the password still counts: a new mobile needs it.
 *
 * @throws AppError request.not-found, auth.forbidden; request.conflict for the own account, and for one without a mobile
 */
export async function releaseMobile(
  deps: RegistrationDeps,
  principal: Principal,
  employeeId: string,
): Promise<void> {
  const { db, bus, warnMobileGone } = deps;
  const company = requireSupplier(principal);
  const { accountId } = await accountOfEmployee(deps, principal, employeeId, PERMISSION, TEXTS);
  const mobile = await db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(accountMobiles)
      .where(eq(accountMobiles.accountId, accountId))
      .returning({ mobile: accountMobiles.mobile });
    if (gone === undefined) {
      throw new AppError("request.conflict", {
        message: "该账号没有验证过手机号",
        details: { en: "The account has no verified mobile" },
      });
    }
    await auditCompany(tx, company, principal, {
      action: "release-mobile",
      entity: "account",
      entityId: accountId,
      before: { mobile: maskPhone(gone.mobile) },
    });
    return gone.mobile;
  });
  await warnMobileGone(mobile);
  const changes: DataChanges = {
    supplierId: null,
    tags: ["profile"],
    only: accountId,
    except: null,
  };
  await bus.publish(DATA_CHANGES, changes);
}
