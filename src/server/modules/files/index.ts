/**
 * Upload and download (docs/server.md#files): files of a company, checked by name and content, stored under content hashes
 * outside the web root, and served as attachments. Contents to which no file refers any more are removed.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { eq, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { downloadCall, UPLOAD_LIMITS, uploadCall } from "../../../shared/protocol/rest/files.ts";
import { audit } from "../../base/audit/index.ts";
import { files } from "../../base/database/schema/files.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import { createBlobs } from "../../base/storage/blobs.ts";
import { disposition } from "../../base/storage/names.ts";
import { createUploadQuota } from "../../base/storage/quota.ts";
import { CONTENT_TYPES } from "./content.ts";
import { refuseReader } from "./confidential.ts";
import { type Received, receiveFiles } from "./receive.ts";

/** Milliseconds between two sweeps. */
const SWEEP_MS = 60 * 60_000;
const MEGABYTE = 1024 * 1024;
/** Most parallel uploads. */
const UNDER_WAY = { perAccount: 3, total: 20 };
/** The permission to remove files that others uploaded. */
export const FILE_DELETE = "system:file:delete";

/** Bytes that a request announces. A request without a length counts as the largest allowed. */
const announced = (header: string | undefined): number => {
  const size = Number(header);
  const most = UPLOAD_LIMITS.files * UPLOAD_LIMITS.megabytes * MEGABYTE;
  return header !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : most;
};

/** Bytes that the files of a company take. */
async function usedBy(scope: CompanyScope): Promise<number> {
  const [row] = await scope.sql<{ bytes: string }>(
    sql`SELECT coalesce(sum(size), 0)::text AS bytes FROM files
      WHERE company_id = ${scope.companyId}::bigint`,
  );
  return Number(row?.bytes ?? 0);
}

export function createFilesModule(deps: ServerDeps): ServerModule {
  const { config, db, clock, tenants } = deps;
  const blobs = createBlobs({
    folder: join(config.DATA_DIR, "files"),
    db,
    now: () => clock.now(),
  });
  const quota = createUploadQuota(clock, {
    company: config.UPLOAD_COMPANY_MB * MEGABYTE,
    hourly: config.UPLOAD_HOURLY_MB * MEGABYTE,
    ...UNDER_WAY,
  });
  deps.tasks.add({ id: "files", every: SWEEP_MS, run: () => blobs.sweep() });

  return {
    name: "files",
    routes(app) {
      route(app, uploadCall, deps, async ({ c, principal }) => {
        const company = requireSupplier(principal);
        const release = await quota.admit({
          company,
          account: principal.accountId,
          size: announced(c.req.header("content-length")),
          used: () => tenants.run(company, principal, usedBy),
        });
        const body = c.req.raw.body as ReadableStream | null;
        let received: readonly Received[] = [];
        try {
          received = await receiveFiles(body, c.req.header("content-type") ?? "", blobs);
          for (const file of received) await blobs.keep(file);
          const createdAt = new Date(clock.now());
          const rows = received.map((file) => ({
            name: `${randomBytes(16).toString("base64url")}.${file.type}`,
            originalName: file.originalName,
            contentType: CONTENT_TYPES[file.type],
            size: file.size,
            contentHash: file.hash,
            uploadedBy: principal.accountId,
            createdAt,
          }));
          await tenants.run(company, principal, async (scope) => {
            await scope.insert(files, rows);
            await audit(
              scope,
              ...rows.map(({ name, originalName, size }) => ({
                action: "create",
                entity: "file",
                entityId: name,
                after: { originalName, size },
              })),
            );
          });
          const stored = rows.map(({ name, originalName, size }) => ({
            fileName: name,
            originalName,
            size,
          }));
          const [first] = stored;
          if (first === undefined) throw new Error("no file was received");
          return { ...first, files: stored };
        } finally {
          release();
          await Promise.all(received.map((file) => blobs.discard(file)));
        }
      });

      route(app, downloadCall, deps, async ({ query, principal }) => {
        const company = requireSupplier(principal);
        const file = await tenants.run(company, principal, async (scope) => {
          const [found] = await scope.rows(files, eq(files.name, query.fileName)).execute();
          if (found === undefined) throw new AppError("request.not-found");
          if (found.documentId !== null) await refuseReader(scope, principal, found.documentId);
          return found;
        });
        const content = await blobs.open(file.contentHash);
        try {
          const isOwn = file.uploadedBy === principal.accountId;
          // What was handed in goes with its document alone.
          const free = file.documentId === null;
          if (query.delete && free && (isOwn || holds(principal, FILE_DELETE))) {
            await tenants.run(company, principal, async (scope) => {
              const gone = await scope
                .remove(files, eq(files.id, file.id))
                .returning({ name: files.name });
              if (gone.length === 0) return;
              await audit(scope, {
                action: "delete",
                entity: "file",
                entityId: file.name,
                before: { originalName: file.originalName, size: file.size },
              });
            });
          }
        } catch (error) {
          await content.close();
          throw error;
        }
        return new Response(Readable.toWeb(content.stream()) as globalThis.ReadableStream, {
          headers: {
            "content-type": file.contentType,
            "content-length": String(file.size),
            "content-disposition": disposition(file.name, file.originalName),
            "cache-control": "private, no-store",
          },
        });
      });
    },
  };
}
