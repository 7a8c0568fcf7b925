/** Writes down the files of a company: whose they are, and under which name they are found. */
import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import type { z } from "zod";
import type { FileType, uploadFinishCall } from "../../../shared/protocol/rest/files.ts";
import { audit } from "../../base/audit/index.ts";
import { files } from "../../base/database/schema/files.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { CONTENT_TYPES } from "./content.ts";

export type StoredFile = z.output<(typeof uploadFinishCall)["data"]>;

/** Bytes that the files of a company take. */
export async function usedBy(scope: CompanyScope): Promise<number> {
  const [row] = await scope.sql<{ bytes: string }>(
    sql`SELECT coalesce(sum(size), 0)::text AS bytes FROM files
      WHERE company_id = ${scope.companyId}::bigint`,
  );
  return Number(row?.bytes ?? 0);
}

/** Whose contents are kept already (`Blobs.keep`). */
export async function writeDown(
  scope: CompanyScope,
  given: readonly {
    readonly originalName: string;
    readonly type: FileType;
    readonly size: number;
    readonly hash: string;
  }[],
  about: {
    readonly uploadedBy: string;
    readonly createdAt: Date;
    /** Of a file that came in parts. */
    readonly uploadId?: string;
  },
): Promise<StoredFile[]> {
  const rows = given.map(({ originalName, type, size, hash }) => ({
    name: `${randomBytes(16).toString("base64url")}.${type}`,
    originalName,
    contentType: CONTENT_TYPES[type],
    size,
    contentHash: hash,
    ...about,
  }));
  await scope.insert(files, rows);
  await audit(
    scope,
    ...rows.map(({ name, originalName, size }) => ({
      action: "create" as const,
      entity: "file",
      entityId: name,
      after: { originalName, size },
    })),
  );
  return rows.map(({ name, originalName, size }) => ({ fileName: name, originalName, size }));
}
