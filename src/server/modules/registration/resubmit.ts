/** A refused application that its applicant corrects and sends again (docs/session.md#a-refused-application). */
import { and, eq, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import { AppError } from "../../../shared/errors.ts";
import type { resubmitCall } from "../../../shared/protocol/rest/registration.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { isId } from "../../base/database/ids.ts";
import { companies } from "../../base/database/schema/base.ts";
import { companyProfiles } from "../../base/database/schema/company-profiles.ts";
import { supplierApplies } from "../../base/database/schema/registration.ts";
import type { Principal } from "../../base/module.ts";
import type { RegistrationDeps } from "./deps.ts";
import { taken, takenOf } from "./taken.ts";

type Correction = z.output<(typeof resubmitCall)["body"]>;
type Deps = Pick<RegistrationDeps, "db" | "clock" | "bus" | "licences">;

/** The platform's open list of applications follows. */
export async function tellPlatform({ db, bus }: Pick<Deps, "db" | "bus">): Promise<void> {
  const [platform] = await db
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.platform, true));
  if (platform === undefined) return;
  const changes: DataChanges = {
    supplierId: platform.id,
    tags: ["applies"],
    only: null,
    except: null,
  };
  await bus.publish(DATA_CHANGES, changes);
}

/**
 * @throws AppError request.not-found for another person's application and for that of a company which the caller has left,
 *   request.conflict unless it is refused, and at the fields that another company has
 */
export async function resubmit(
  deps: Deps,
  principal: Principal,
  id: string,
  body: Correction,
): Promise<void> {
  const { db, clock } = deps;
  const { accountId, supplierIds } = principal;
  if (!isId(id)) throw new AppError("request.not-found");
  const { creditCode = "", supplierName, contact, licence } = body;
  const companyId = await db
    .transaction(async (tx) => {
      const [was] = await tx
        .select()
        .from(supplierApplies)
        .where(and(eq(supplierApplies.id, id), eq(supplierApplies.applyAccountId, accountId)))
        .for("update");
      if (was === undefined || !supplierIds.includes(was.companyId)) {
        throw new AppError("request.not-found");
      }
      if (was.status !== "refused") {
        throw new AppError("request.conflict", {
          message: "该申请不是已拒绝状态，请刷新后再试",
          details: { en: "This application is not rejected any more. Reload the page" },
        });
      }
      const [other] = await tx
        .select({ id: companies.id })
        .from(companies)
        .where(
          and(
            sql`lower(${companies.name}) = lower(${supplierName})`,
            ne(companies.id, was.companyId),
          ),
        );
      if (other !== undefined) throw taken("supplierName");
      const after = {
        companyName: supplierName,
        creditCode: creditCode === "" ? null : creditCode,
        contact,
      };
      await tx
        .update(supplierApplies)
        .set({
          ...after,
          status: "pending",
          reason: "",
          decidedBy: null,
          decidedAt: null,
          createdAt: new Date(clock.now()),
        })
        .where(eq(supplierApplies.id, id));
      await tx.update(companies).set({ name: supplierName }).where(eq(companies.id, was.companyId));
      await tx
        .update(companyProfiles)
        .set({ creditCode, contact })
        .where(eq(companyProfiles.companyId, was.companyId));
      if (licence !== undefined) await deps.licences.attach(tx, licence, id);
      const { companyName, reason } = was;
      await auditPlatform(
        tx,
        { accountId },
        {
          action: "resubmit",
          entity: "supplier-apply",
          entityId: id,
          before: { companyName, creditCode: was.creditCode, contact: was.contact, reason },
          after,
        },
      );
      return was.companyId;
    })
    .catch((error: unknown) => {
      throw takenOf(error);
    });
  // The name of the company stands in the frame of everybody's console.
  const changes: DataChanges = {
    supplierId: companyId,
    tags: ["company", "memberships", "menus"],
    only: null,
    except: null,
  };
  await deps.bus.publish(DATA_CHANGES, changes);
  await tellPlatform(deps);
}
