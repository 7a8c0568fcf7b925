/**
 * Self-registration of a company: creates the company, its roles, the first administrator and the application in one
 * transaction.
 */
import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import type { registerCall } from "../../../shared/protocol/rest/registration.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { addAccount, addCompany } from "../../base/database/companies.ts";
import { accountRoles, accounts, companies, employees } from "../../base/database/schema/base.ts";
import { companyProfiles } from "../../base/database/schema/company-profiles.ts";
import { accountMobiles, supplierApplies } from "../../base/database/schema/registration.ts";
import type { RegistrationDeps } from "./deps.ts";
import { taken, takenOf } from "./taken.ts";

type Registration = z.output<(typeof registerCall)["body"]>;

const first = <R>(rows: readonly R[]): R => {
  const [row] = rows;
  if (row === undefined) throw new Error("an insert returned no row");
  return row;
};

/**
 * @param address the client's key for limits
 * @returns the ids of the new company, its first account and its application
 * @throws AppError request.invalid for a wrong code, request.conflict for names that are taken; the code then stays valid
 */
export async function register(
  deps: RegistrationDeps,
  body: Registration,
  address: string,
): Promise<{ supplierId: string; accountId: string; applyId: string }> {
  const { db, clock, codes, passwords, licences } = deps;
  const { creditCode = "" } = body;
  // Check the code first: without proof of the mobile number, reveal nothing about taken names.
  const code = await codes.check({ ...body, address });
  const passwordHash = await passwords.hash(body.password);
  try {
    return await db.transaction(async (tx) => {
      await codes.use(tx, code);
      const [sameName] = await tx
        .select({ id: accounts.id })
        .from(accounts)
        .where(sql`lower(${accounts.username}) = lower(${body.username})`);
      if (sameName !== undefined) throw taken("username");
      const [mobile] = await tx
        .select({ id: accountMobiles.accountId })
        .from(accountMobiles)
        .where(eq(accountMobiles.mobile, body.mobile));
      if (mobile !== undefined) throw taken("mobile");
      const [company] = await tx
        .select({ id: companies.id })
        .from(companies)
        .where(sql`lower(${companies.name}) = lower(${body.supplierName})`);
      if (company !== undefined) throw taken("supplierName");

      const { id: supplierId, roleIds } = await addCompany(tx, body.supplierName);
      await tx
        .update(companyProfiles)
        .set({ creditCode, contact: body.contact, phone: body.mobile })
        .where(eq(companyProfiles.companyId, supplierId));
      const { username, contact: nickname } = body;
      const accountId = await addAccount(tx, { username, nickname, passwordHash });
      await tx.insert(accountMobiles).values({ accountId, mobile: body.mobile });
      await tx.insert(employees).values({
        companyId: supplierId,
        accountId,
        name: body.contact,
        phone: body.mobile,
      });
      await tx.insert(accountRoles).values({ accountId, roleId: roleIds.admin });
      const apply = first(
        await tx
          .insert(supplierApplies)
          .values({
            applyAccountId: accountId,
            companyId: supplierId,
            companyName: body.supplierName,
            creditCode: creditCode === "" ? null : creditCode,
            contact: body.contact,
            mobile: body.mobile,
            systemName: body.systemName,
            status: "pending",
            createdAt: new Date(clock.now()),
          })
          .returning({ id: supplierApplies.id }),
      );
      if (body.licence !== undefined) await licences.attach(tx, body.licence, apply.id);
      await auditPlatform(
        tx,
        { accountId },
        {
          action: "register",
          entity: "company",
          entityId: supplierId,
          after: { name: body.supplierName, username: body.username },
        },
      );
      return { supplierId, accountId, applyId: apply.id };
    });
  } catch (error) {
    // Of two registrations at once the indexes let one pass.
    throw takenOf(error);
  }
}
