/** What a company says of itself (docs/server.md#company-profile). */
import { eq, sql } from "drizzle-orm";
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
import type { CompanyScope } from "../../base/database/tenant.ts";
import { requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";

async function profileOf(scope: CompanyScope, lock = false): Promise<CompanyProfile> {
  const [row] = await scope.sql<CompanyProfile & Record<string, unknown>>(
    sql`SELECT c.id::text AS id, c.name, p.short_name AS "shortName", p.credit_code AS "creditCode",
        p.legal_person AS "legalPerson", p.contact, p.phone, p.address, p.introduction, p.logo, p.version
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

function createCompanyProfileModule(deps: ServerDeps): ServerModule {
  const inCompany = <R>(principal: Principal, work: (scope: CompanyScope) => Promise<R>) =>
    deps.tenants.run(requireSupplier(principal), principal, work);
  return {
    name: "company-profile",
    routes(app) {
      route(app, companyProfileCall, deps, ({ principal }) =>
        inCompany(principal, (scope) => profileOf(scope)),
      );
      route(app, companyProfileUpdateCall, deps, ({ body: { version, ...given }, principal }) =>
        inCompany(principal, async (scope) => {
          const was = await profileOf(scope, true);
          if (was.version !== version) throw staleError(was, given);
          const change = changes(was, given);
          if (change === null) return was;
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
        }),
      );
    },
  };
}

export const standalone: StandaloneModule = {
  area: "employees",
  create: createCompanyProfileModule,
};
