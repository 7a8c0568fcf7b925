/**
 * Applications of companies and the decisions about them (docs/session.md#registration). The platform's company sees and decides
 * all; another company sees its own.
 */
import { and, count, eq, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { mayBecome } from "../../../shared/domain/apply-decision.ts";
import { AppError } from "../../../shared/errors.ts";
import type {
  CompanyApply,
  companyAppliesCall,
  decideApplyCall,
} from "../../../shared/protocol/rest/registration.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { anywhere } from "../../base/database/common.ts";
import { isPlatform } from "../../base/database/companies.ts";
import { isId } from "../../base/database/ids.ts";
import { orderBy } from "../../base/database/sorting.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { companyProfiles } from "../../base/database/schema/company-profiles.ts";
import { licencePictures, supplierApplies } from "../../base/database/schema/registration.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { requireSupplier } from "../../base/http/route.ts";
import type { Principal, ServerDeps } from "../../base/module.ts";
import type { Licences } from "./licences.ts";
import { takenOf } from "./taken.ts";

type Query = z.output<(typeof companyAppliesCall)["query"]>;
type Decision = z.output<(typeof decideApplyCall)["body"]>;
type Deps = Pick<ServerDeps, "db" | "clock" | "bus"> & {
  readonly licences: Pick<Licences, "handOver" | "read">;
};

export const APPLY_HAS_LICENCE = sql<boolean>`EXISTS (
  SELECT FROM ${licencePictures} l WHERE l.apply_id = ${supplierApplies.id})`;
const FIELDS = {
  id: supplierApplies.id,
  supplierId: supplierApplies.companyId,
  supplierName: supplierApplies.companyName,
  creditCode: supplierApplies.creditCode,
  hasLicence: APPLY_HAS_LICENCE,
  contact: supplierApplies.contact,
  mobile: supplierApplies.mobile,
  systemName: supplierApplies.systemName,
  status: supplierApplies.status,
  reason: supplierApplies.reason,
  decidedBy: accounts.nickname,
  decidedAt: supplierApplies.decidedAt,
  createdAt: supplierApplies.createdAt,
};

type Row = Omit<CompanyApply, "decideTime" | "createTime"> & {
  readonly decidedAt: Date | null;
  readonly createdAt: Date;
};

const answerOf = ({ decidedAt, createdAt, ...row }: Row): CompanyApply => ({
  ...row,
  decideTime: decidedAt?.toISOString() ?? null,
  createTime: createdAt.toISOString(),
});

/** The applications that the company may see. */
const seen = async (deps: Deps, companyId: string): Promise<SQL | undefined> =>
  (await isPlatform(deps.db, companyId)) ? undefined : eq(supplierApplies.companyId, companyId);

export async function companyApplies(deps: Deps, principal: Principal, query: Query) {
  const { cursor, limit, searchCount, keyword = "", status } = query;
  const { db } = deps;
  const where = and(
    await seen(deps, requireSupplier(principal)),
    status === undefined ? undefined : eq(supplierApplies.status, status),
    keyword === ""
      ? undefined
      : or(
          sql`${supplierApplies.companyName} ILIKE ${anywhere(keyword)}`,
          sql`${supplierApplies.contact} ILIKE ${anywhere(keyword)}`,
          sql`${supplierApplies.mobile} LIKE ${anywhere(keyword)}`,
        ),
  );
  const rows = await db
    .select(FIELDS)
    .from(supplierApplies)
    .leftJoin(accounts, eq(accounts.id, supplierApplies.decidedBy))
    .where(where)
    .orderBy(
      orderBy(
        query.sort,
        {
          supplierName: sql`${supplierApplies.companyName}`,
          status: sql`${supplierApplies.status}`,
          createTime: sql`${supplierApplies.createdAt}`,
        },
        sql`${supplierApplies.id} DESC`,
      ),
    )
    .limit(limit)
    .offset((cursor - 1) * limit);
  const [counted] = searchCount
    ? await db.select({ total: count() }).from(supplierApplies).where(where)
    : [];
  return { records: rows.map(answerOf), total: counted?.total ?? 0, cursor, limit };
}

/** @throws AppError request.not-found without a picture, and for a company that does not run the platform */
export async function licenceOf(
  deps: Deps,
  principal: Principal,
  applyId: string,
): Promise<Response> {
  if (!isId(applyId) || !(await isPlatform(deps.db, requireSupplier(principal)))) {
    throw new AppError("request.not-found");
  }
  return deps.licences.read(applyId);
}

/**
 * @throws AppError request.not-found for an unknown application and for a company that does not run the platform,
 *   request.conflict when the application was decided otherwise meanwhile, or another company got its credit code
 */
export async function decide(
  deps: Deps,
  principal: Principal,
  id: string,
  { status, reason }: Decision,
): Promise<CompanyApply> {
  const { db, clock, bus } = deps;
  if (!isId(id) || !(await isPlatform(deps.db, requireSupplier(principal)))) {
    throw new AppError("request.not-found");
  }
  const { accountId } = principal;
  const apply = await db
    .transaction(async (tx) => {
      const [was] = await tx
        .select({
          status: supplierApplies.status,
          reason: supplierApplies.reason,
          creditCode: supplierApplies.creditCode,
          companyId: supplierApplies.companyId,
          accountId: supplierApplies.applyAccountId,
        })
        .from(supplierApplies)
        .where(eq(supplierApplies.id, id))
        .for("update");
      if (was === undefined) throw new AppError("request.not-found");
      if (!mayBecome(was.status, status)) {
        throw new AppError("request.conflict", { message: "该申请已处理，请刷新后再试" });
      }
      const after = { status, reason: status === "approved" ? "" : reason };
      // A refused application keeps nobody else from its code.
      if (was.creditCode !== null) {
        await tx
          .update(companyProfiles)
          .set({ creditCode: status === "approved" ? was.creditCode : "" })
          .where(eq(companyProfiles.companyId, was.companyId));
      }
      await tx
        .update(supplierApplies)
        .set({ ...after, decidedBy: accountId, decidedAt: new Date(clock.now()) })
        .where(eq(supplierApplies.id, id));
      if (status === "approved") {
        const { companyId, accountId: applicant } = was;
        await deps.licences.handOver(tx, { id, companyId, accountId: applicant }, { accountId });
      }
      await auditPlatform(
        tx,
        { accountId },
        {
          action: status === "approved" ? "approve" : "refuse",
          entity: "supplier-apply",
          entityId: id,
          before: { status: was.status, reason: was.reason },
          after,
        },
      );
      const [row] = await tx
        .select(FIELDS)
        .from(supplierApplies)
        .leftJoin(accounts, eq(accounts.id, supplierApplies.decidedBy))
        .where(eq(supplierApplies.id, id));
      if (row === undefined) throw new Error("an application is gone that is locked");
      return answerOf(row);
    })
    .catch((error: unknown) => {
      throw takenOf(error);
    });
  // The call itself notifies the caller's company; the applicant's company needs a notice.
  const { supplierId } = apply;
  const changes: DataChanges = { supplierId, tags: ["applies"], only: null, except: null };
  await bus.publish(DATA_CHANGES, changes);
  return apply;
}
