/**
 * Upload and download (docs/server.md#files): files of a company, checked by name and content, stored under content hashes
 * outside the web root, and served as attachments. Contents to which no file refers any more are removed.
 */
import { join } from "node:path";
import type { ReadableStream } from "node:stream/web";
import { and, eq } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { downloadCall, UPLOAD_LIMITS, uploadCall } from "../../../shared/protocol/rest/files.ts";
import { BULLETIN_EDIT } from "../../../shared/protocol/rest/bulletins.ts";
import { DOCUMENT_READERS } from "../../../shared/protocol/rest/documents.ts";
import {
  FILE_DELETE,
  storedFileDeleteCall,
  storedFileListCall,
  storedFileSpaceCall,
} from "../../../shared/protocol/rest/stored-files.ts";
import { audit } from "../../base/audit/index.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { files } from "../../base/database/schema/files.ts";
import { answerFile } from "../../base/http/answer-file.ts";
import { holds, requireSupplier, route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import { createBlobs } from "../../base/storage/blobs.ts";
import { disposition } from "../../base/storage/names.ts";
import { createUploadQuota } from "../../base/storage/quota.ts";
import { refuseReader } from "./confidential.ts";
import { createFileLists, deleteFiles, type Reads, spaceOf } from "./list.ts";
import { type Received, receiveFiles } from "./receive.ts";
import { usedBy, writeDown } from "./store.ts";
import { createUploadsInParts, PARTS_BODY_LIMITS } from "./uploads-in-parts.ts";

/** Milliseconds between two sweeps. */
const SWEEP_MS = 60 * 60_000;
const MEGABYTE = 1024 * 1024;
/** Most parallel uploads. */
const UNDER_WAY = { perAccount: 3, total: 20 };

/** Bytes that a request announces. A request without a length counts as the largest allowed. */
const announced = (header: string | undefined): number => {
  const size = Number(header);
  const most = UPLOAD_LIMITS.files * UPLOAD_LIMITS.megabytes * MEGABYTE;
  return header !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : most;
};

/** The uses of a file that this person may read: those of records whose pages this person may open. */
const readsOf = (principal: Principal): Reads => ({
  documents: holds(principal, ...DOCUMENT_READERS),
  bulletins: holds(principal, "system:notice:list", BULLETIN_EDIT),
});

export function createFilesModule(deps: ServerDeps): ServerModule {
  const { config, db, clock, tenants } = deps;
  const blobs = createBlobs({
    folder: join(config.DATA_DIR, "files"),
    db,
    now: () => clock.now(),
  });
  const lists = createFileLists();
  const quota = createUploadQuota(clock, {
    company: config.UPLOAD_COMPANY_MB * MEGABYTE,
    hourly: config.UPLOAD_HOURLY_MB * MEGABYTE,
    ...UNDER_WAY,
  });
  const inParts = createUploadsInParts(deps, {
    blobs,
    async admit({ group, person }, size) {
      // From now on it counts with what waits.
      (await admit(group, person, size))();
    },
  });
  async function admit(company: string, account: string, size: number): Promise<() => void> {
    const actor = { accountId: account };
    return await quota.admit({
      company,
      account,
      size,
      used: async () =>
        (await tenants.run(company, actor, usedBy)) + (await inParts.waiting(company)),
    });
  }
  deps.tasks.add({
    id: "files",
    every: SWEEP_MS,
    async run() {
      await inParts.sweep();
      return await blobs.sweep();
    },
  });

  return {
    name: "files",
    bodyLimits: PARTS_BODY_LIMITS,
    routes(app) {
      inParts.routes(app);
      route(app, uploadCall, deps, async ({ c, principal }) => {
        const company = requireSupplier(principal);
        const size = announced(c.req.header("content-length"));
        const release = await admit(company, principal.accountId, size);
        const body = c.req.raw.body as ReadableStream | null;
        let received: readonly Received[] = [];
        try {
          received = await receiveFiles(body, c.req.header("content-type") ?? "", blobs);
          for (const file of received) await blobs.keep(file);
          const stored = await tenants.run(company, principal, (scope) =>
            writeDown(scope, received, {
              uploadedBy: principal.accountId,
              createdAt: new Date(clock.now()),
            }),
          );
          const [first] = stored;
          if (first === undefined) throw new Error("no file was received");
          return { ...first, files: stored };
        } finally {
          release();
          await Promise.all(received.map((file) => blobs.discard(file)));
        }
      });

      route(app, storedFileListCall, deps, ({ query, principal }) =>
        tenants.run(requireSupplier(principal), principal, (scope) =>
          lists.page(scope, query, readsOf(principal)),
        ),
      );
      route(app, storedFileSpaceCall, deps, async ({ principal }) => {
        const company = requireSupplier(principal);
        const space = await tenants.run(company, principal, spaceOf);
        const waiting = await inParts.waiting(company);
        return { ...space, waiting, limit: config.UPLOAD_COMPANY_MB * MEGABYTE };
      });
      route(app, storedFileDeleteCall, deps, async ({ params, principal }) => {
        await tenants.run(requireSupplier(principal), principal, (scope) =>
          deleteFiles(scope, params.id.split(","), readsOf(principal)),
        );
        return null;
      });

      route(app, downloadCall, deps, async ({ c, query, principal }) => {
        const company = requireSupplier(principal);
        const file = await tenants.run(company, principal, async (scope) => {
          const [found] = await scope.rows(files, eq(files.name, query.fileName)).execute();
          if (found === undefined) throw new AppError("request.not-found");
          if (found.documentId !== null) await refuseReader(scope, principal, found.documentId);
          return found;
        });
        // Opened before the file may go.
        const content = await blobs.open(file.contentHash);
        let opened = false;
        try {
          const isOwn = file.uploadedBy === principal.accountId;
          if (query.delete && (isOwn || holds(principal, FILE_DELETE))) {
            const isGone = await tenants.run(company, principal, async (scope) => {
              // What is needed goes with its record alone.
              const gone = await scope
                .remove(files, and(eq(files.id, file.id), eq(files.uses, 0)))
                .returning({ name: files.name });
              if (gone.length === 0) return false;
              await audit(scope, {
                action: "delete",
                entity: "file",
                entityId: file.name,
                before: { originalName: file.originalName, size: file.size },
              });
              return true;
            });
            // A read touches nothing by itself. Also the own login follows: its core did not make the call.
            const changes: DataChanges = {
              supplierId: company,
              tags: ["files"],
              only: null,
              except: null,
            };
            if (isGone) await deps.bus.publish(DATA_CHANGES, changes);
          }
          return await answerFile(
            c.req.raw.headers,
            () => {
              opened = true;
              return Promise.resolve(content);
            },
            {
              size: file.size,
              hash: file.contentHash,
              headers: {
                "content-type": file.contentType,
                "content-disposition": disposition(file.name, file.originalName),
                "cache-control": "private, no-store",
              },
            },
          );
        } finally {
          if (!opened) await content.close();
        }
      });
    },
  };
}
