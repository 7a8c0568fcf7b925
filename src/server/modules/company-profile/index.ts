/** What a company says of itself (docs/server.md#company-profile). */
import { eq, ne, sql } from "drizzle-orm";
import { fieldLabel } from "../../../shared/domain/field-settings.ts";
import { AppError } from "../../../shared/errors.ts";
import {
  type CompanyProfile,
  companyProfileCall,
  companyProfileUpdateCall,
} from "../../../shared/protocol/rest/company-profile.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import { audit } from "../../base/audit/index.ts";
import { changes } from "../../base/database/common.ts";
import { companyProfiles } from "../../base/database/schema/company-profiles.ts";
import { files } from "../../base/database/schema/files.ts";
import { supplierApplies } from "../../base/database/schema/registration.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { companyFieldsInUse } from "../field-settings/store.ts";
import { takenOf } from "../registration/taken.ts";

async function profileOf(scope: CompanyScope, lock = false): Promise<CompanyProfile> {
  const [row] = await scope.sql<CompanyProfile & Record<string, unknown>>(
    sql`SELECT c.id::text AS id, c.name, p.short_name AS "shortName", p.credit_code AS "creditCode",
        p.legal_person AS "legalPerson", p.contact, p.phone, p.address, p.introduction, p.logo, p.licence, p.version
      FROM company_profiles p JOIN companies c ON c.id = p.company_id
      WHERE p.company_id = ${scope.companyId}::bigint ${lock ? sql`FOR UPDATE OF p` : sql``}`,
  );
  if (row === undefined) throw new AppError("request.not-found");
  return row;
}

/** @throws AppError request.invalid unless it is a picture of the company */
async function checkLogo(scope: CompanyScope, logo: string): Promise<void> {
  const [file] = await scope.rows(files, eq(files.name, logo)).execute();
  if (file?.contentType.startsWith("image/") === true) return;
  const message = "请上传 png/jpg/jpeg 图片";
  throw new AppError("request.invalid", { message, details: { fields: { logo: message } } });
}

/** @throws AppError request.conflict while the code is that of an application (docs/session.md#credit-code) */
async function checkApply(scope: CompanyScope): Promise<void> {
  const [open] = await scope
    .select({ id: supplierApplies.id }, supplierApplies, ne(supplierApplies.status, "approved"))
    .limit(1);
  if (open === undefined) return;
  const message = "入驻申请通过前，统一社会信用代码只能在申请中修改";
  const en = "Until the application is approved, the credit code can only be changed in it";
  throw new AppError("request.conflict", {
    message,
    details: { fields: { creditCode: message }, en },
  });
}

/** @throws AppError request.invalid for a field that the change empties although the company requires it */
async function checkRequired(
  scope: CompanyScope,
  given: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { required } = await companyFieldsInUse(scope, "company");
  const empty = required.filter((key) => given[key] === "");
  if (empty.length === 0) return;
  const fields = empty.map((key): [string, string] => [
    key,
    `请填写${fieldLabel(key, "zh", []) ?? key}`,
  ]);
  throw new AppError("request.invalid", { details: { fields: Object.fromEntries(fields) } });
}

function createCompanyProfileModule(deps: ServerDeps): ServerModule {
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "company-profile",
    routes(app) {
      route(app, companyProfileCall, deps, ({ principal }) =>
        inCompany(principal, (scope) => profileOf(scope)),
      );
      route(app, companyProfileUpdateCall, deps, async ({ body, principal }) => {
        const { version, ...given } = body;
        return inCompany(principal, async (scope) => {
          const was = await profileOf(scope, true);
          if (was.version !== version) throw staleError(was, given);
          const change = changes(was, given);
          if (change === null) return was;
          await checkRequired(scope, given);
          if (change.after.creditCode !== undefined) await checkApply(scope);
          const { logo = "" } = given;
          if (logo !== "" && logo !== was.logo) await checkLogo(scope, logo);
          await scope.update(companyProfiles, change.after, undefined);
          await audit(scope, {
            action: "update",
            entity: "company-profile",
            entityId: was.id,
            ...change,
          });
          return profileOf(scope);
        }).catch((error: unknown) => {
          throw takenOf(error);
        });
      });
    },
  };
}

export const standalone: StandaloneModule = {
  area: "employees",
  create: createCompanyProfileModule,
};
