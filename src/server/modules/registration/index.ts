/** Registration of companies, reset of forgotten passwords, and the list of applications. */
import type { ReadableStream } from "node:stream/web";
import { and, count, desc, eq } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { releaseMobileCall } from "../../../shared/protocol/rest/account-state.ts";
import {
  LICENCE_LIMITS,
  licenceReadCall,
  licenceSendCall,
} from "../../../shared/protocol/rest/licences.ts";
import {
  applyStatesCall,
  companyAppliesCall,
  decideApplyCall,
  registerCall,
  resetPasswordCall,
  resubmitCall,
  versionAppliesCall,
} from "../../../shared/protocol/rest/registration.ts";
import { isId } from "../../base/database/ids.ts";
import { supplierApplies } from "../../base/database/schema/registration.ts";
import { authenticate, openRoute, route } from "../../base/http/route.ts";
import type { ServerModule } from "../../base/module.ts";
import type { RegistrationDeps } from "./deps.ts";
import { register } from "./create.ts";
import { APPLY_HAS_LICENCE, companyApplies, decide, licenceOf } from "./applies.ts";
import type { Reset } from "./reset.ts";
import { resubmit, tellPlatform } from "./resubmit.ts";
import { releaseMobile } from "./release.ts";
import { applyStates } from "./states.ts";

const missing = (...names: string[]): AppError =>
  new AppError("request.invalid", {
    details: { fields: Object.fromEntries(names.map((name) => [name, "必填"])) },
  });

export function createRegistrationModule(deps: RegistrationDeps, reset: Reset): ServerModule {
  const { db, directory } = deps;

  return {
    name: "registration",
    routes(app) {
      openRoute(app, registerCall, async ({ body, c }) => {
        const made = await register(deps, body, c.var.client.key);
        await tellPlatform(deps);
        return made;
      });

      openRoute(app, licenceSendCall, async ({ c }) => {
        const stream = c.req.raw.body as ReadableStream | null;
        const contentType = c.req.header("content-type") ?? "";
        const licence = await deps.licences.receive({ stream, contentType }, c.var.client.key);
        return { licence, expiresIn: LICENCE_LIMITS.lifetime };
      });
      route(app, licenceReadCall, deps, ({ query, principal }) =>
        licenceOf(deps, principal, query.applyId),
      );

      openRoute(app, resetPasswordCall, async ({ body, c }) => {
        const { oldPassword, mobile, smsCode, requestKey, newPassword } = body;
        if ((c.req.header("authorization") ?? "") !== "") {
          const principal = await authenticate(c, directory);
          if (oldPassword === undefined) throw missing("oldPassword");
          await reset.byOldPassword(principal, oldPassword, newPassword);
          return null;
        }
        // With an old password but no token, the missing part is the login.
        if (mobile === undefined && oldPassword !== undefined) throw new AppError("auth.required");
        if (mobile === undefined || smsCode === undefined) {
          throw missing(
            ...(mobile === undefined ? ["mobile"] : []),
            ...(smsCode === undefined ? ["smsCode"] : []),
          );
        }
        const { key: address } = c.var.client;
        await reset.byMobile({ mobile, smsCode, requestKey, address }, newPassword);
        return null;
      });

      route(app, versionAppliesCall, deps, async ({ query, principal }) => {
        const { applyAccountId, supplierId, systemName, cursor, limit, searchCount } = query;
        if (applyAccountId !== undefined && applyAccountId !== principal.accountId) {
          throw new AppError("request.not-found");
        }
        if (supplierId !== undefined && !isId(supplierId)) throw new AppError("request.not-found");
        const where = and(
          eq(supplierApplies.applyAccountId, principal.accountId),
          supplierId === undefined ? undefined : eq(supplierApplies.companyId, supplierId),
          systemName === undefined ? undefined : eq(supplierApplies.systemName, systemName),
        );
        const rows = await db
          .select({ apply: supplierApplies, hasLicence: APPLY_HAS_LICENCE })
          .from(supplierApplies)
          .where(where)
          .orderBy(desc(supplierApplies.id))
          .limit(limit)
          .offset((cursor - 1) * limit);
        const [counted] = searchCount
          ? await db.select({ total: count() }).from(supplierApplies).where(where)
          : [];
        return {
          records: rows.map(({ apply: row, hasLicence }) => ({
            hasLicence,
            creditCode: row.creditCode ?? "",
            contact: row.contact,
            id: row.id,
            applyAccountId: row.applyAccountId,
            supplierId: row.companyId,
            supplierName: row.companyName,
            systemName: row.systemName,
            status: row.status,
            reason: row.reason,
            createTime: row.createdAt.toISOString(),
          })),
          total: counted?.total ?? 0,
          cursor,
          limit,
        };
      });

      openRoute(app, applyStatesCall, ({ body, c }) =>
        applyStates(deps, { ...body, address: c.var.client.key }),
      );

      route(app, resubmitCall, deps, async ({ params, body, principal }) => {
        await resubmit(deps, principal, params.id, body);
        return null;
      });

      route(app, companyAppliesCall, deps, ({ query, principal }) =>
        companyApplies(deps, principal, query),
      );
      route(app, releaseMobileCall, deps, async ({ params, principal }) => {
        await releaseMobile(deps, principal, params.id);
        return null;
      });
      route(app, decideApplyCall, deps, ({ params, body, principal }) =>
        decide(deps, principal, params.id, body),
      );
    },
  };
}
