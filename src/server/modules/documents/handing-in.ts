/** Handing in inaugural documents, and deciding about them. Each change writes its audit record in the same transaction. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { audit } from "../../base/audit/index.ts";
import { isId } from "../../base/database/ids.ts";
import { employees } from "../../base/database/schema/base.ts";
import { inauguralDocuments } from "../../base/database/schema/employees.ts";
import { files } from "../../base/database/schema/files.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { documentKinds } from "../document-kinds/store.ts";
import { chinaDay } from "./list.ts";

const ENTITY = "inaugural-document";
type Row = typeof inauguralDocuments.$inferSelect;
type Employee = typeof employees.$inferSelect;
type Kind = typeof documentKinds.$inferSelect;

const notFound = (): AppError => new AppError("request.not-found");
const conflict = (message: string): AppError => new AppError("request.conflict", { message });
const invalid = (fields: Record<string, string>): AppError =>
  new AppError("request.invalid", { details: { fields } });

export interface HandIn {
  readonly kindId: string;
  readonly fileNames: readonly string[];
  readonly expiresOn?: string | null | undefined;
}

/** The employee, the kind and what was handed in of it. Changes of one employee's documents wait for each other. */
async function found(
  scope: CompanyScope,
  whose: { id: string } | { accountId: string },
  kindId: string,
) {
  const id = "id" in whose ? whose.id : whose.accountId;
  const who =
    "id" in whose
      ? eq(employees.id, id)
      : and(eq(employees.accountId, id), isNull(employees.dimissionAt));
  const [employee] = isId(id) ? await scope.rows(employees, who).for("update") : [];
  const [kind] = isId(kindId)
    ? await scope.rows(documentKinds, eq(documentKinds.id, kindId)).for("share")
    : [];
  if (employee === undefined || kind === undefined) throw notFound();
  if (employee.dimissionAt !== null) throw conflict("该员工已离职，材料不能再更改");
  const [was] = await scope.rows(
    inauguralDocuments,
    and(eq(inauguralDocuments.employeeId, employee.id), eq(inauguralDocuments.kindId, kindId)),
  );
  return { employee, kind, was };
}

/** @throws AppError request.invalid for a kind that needs a day, and for one that is over */
function dayOf(
  { dated }: Kind,
  expiresOn: string | null | undefined,
  today: string,
): string | null {
  if (!dated) return null;
  if (expiresOn === null || expiresOn === undefined) throw invalid({ expiresOn: "请填写有效期" });
  if (expiresOn < today) throw invalid({ expiresOn: "有效期不能早于今天" });
  return expiresOn;
}

/** Writes the document, and the audit record of what was done with it. */
async function write(
  scope: CompanyScope,
  { employee, kind, was }: { employee: Employee; kind: Kind; was: Row | undefined },
  action: string,
  set: Partial<Omit<Row, "id" | "companyId">> & Pick<Row, "status">,
  said: Readonly<Record<string, unknown>>,
): Promise<string> {
  const row = { employeeId: employee.id, kindId: kind.id, title: kind.title, ...set };
  const [made] =
    was === undefined
      ? await scope.insert(inauguralDocuments, row).returning({ id: inauguralDocuments.id })
      : await scope
          .update(inauguralDocuments, row, eq(inauguralDocuments.id, was.id))
          .returning({ id: inauguralDocuments.id });
  const id = made?.id ?? "";
  await audit(scope, {
    action,
    entity: ENTITY,
    entityId: id,
    ...(was === undefined ? {} : { before: { status: was.status, reason: was.reason } }),
    after: { employee: employee.name, title: kind.title, status: set.status, ...said },
  });
  return id;
}

/**
 * @param by the caller. A document from the employee waits for a decision; one from an administrator is accepted at once
 * @throws AppError request.not-found; request.conflict when the employee has left, or hands in a document that was accepted already;
 *   request.invalid when the caller did not upload a file, or the file belongs to another document
 */
export async function handIn(
  scope: CompanyScope,
  by: { readonly accountId: string; readonly employeeId: string | null },
  { kindId, fileNames, expiresOn }: HandIn,
  now: number,
): Promise<void> {
  const { accountId, employeeId } = by;
  const at = await found(scope, employeeId === null ? { accountId } : { id: employeeId }, kindId);
  const { kind, was } = at;
  const today = chinaDay(now);
  const valid = was?.expiresOn === null || (was?.expiresOn ?? "") >= today;
  if (employeeId === null && was?.status === "accepted" && valid) {
    throw conflict("该材料已通过，不能再更改，请联系企业");
  }
  const until = dayOf(kind, expiresOn, today);
  const names = [...new Set(fileNames)];
  const given = await scope.rows(
    files,
    and(inArray(files.name, names), eq(files.uploadedBy, accountId)),
  );
  const own = given.filter(
    ({ documentId }) => documentId === null || (was !== undefined && documentId === was.id),
  );
  if (own.length !== names.length) throw invalid({ fileNames: "文件不存在，请重新上传" });
  const handed = new Date(now);
  const accepted = employeeId !== null;
  const id = await write(
    scope,
    at,
    "hand-in",
    {
      status: accepted ? "accepted" : "handed",
      reason: "",
      expiresOn: until,
      handedAt: handed,
      handedBy: accountId,
      signedAt: accepted ? handed : null,
      decidedBy: accepted ? accountId : null,
    },
    { files: own.map(({ originalName }) => originalName), expiresOn: until },
  );
  // What was handed in before goes.
  await scope.remove(
    files,
    sql`${files.documentId} = ${id}::bigint AND NOT (${inArray(files.name, names)})`,
  );
  await scope.update(files, { documentId: id }, inArray(files.name, names));
}

/**
 * @param given.seen when it was handed in, as the caller saw it; null: it was missing
 * @throws AppError request.not-found, request.conflict for what was handed in again meanwhile and for a refusal of nothing
 */
export async function decide(
  scope: CompanyScope,
  given: {
    readonly employeeId: string;
    readonly kindId: string;
    readonly status: "accepted" | "refused";
    readonly reason: string;
    readonly expiresOn?: string | null | undefined;
    readonly seen: string | null;
  },
  now: number,
): Promise<void> {
  const at = await found(scope, { id: given.employeeId }, given.kindId);
  const { kind, was } = at;
  if (given.status === "refused" && was === undefined) throw conflict("员工尚未提交该材料");
  if ((was?.handedAt?.toISOString() ?? null) !== given.seen) {
    throw conflict("该材料刚刚被更改，请重新查看");
  }
  const accountId = scope.actor?.accountId ?? null;
  const decided = new Date(now);
  if (given.status === "refused") {
    const { reason } = given;
    await write(
      scope,
      at,
      "refuse",
      { status: "refused", reason, decidedBy: accountId, signedAt: null },
      { reason },
    );
    return;
  }
  const until = dayOf(kind, given.expiresOn ?? was?.expiresOn, chinaDay(now));
  await write(
    scope,
    at,
    "approve",
    {
      status: "accepted",
      reason: "",
      expiresOn: until,
      decidedBy: accountId,
      signedAt: decided,
      // on paper
      ...(was === undefined ? { handedAt: decided, handedBy: accountId } : {}),
    },
    { expiresOn: until },
  );
}
