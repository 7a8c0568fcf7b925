/** Files of a company that come in parts (docs/server.md#uploads-in-parts): the tus protocol, and the call that takes over a complete file. */
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import { AppError, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import {
  FILE_TYPES,
  PARTS_PATH,
  uploadCall,
  uploadFinishCall,
} from "../../../shared/protocol/rest/files.ts";
import { DEFAULT_ACCESS } from "../../../shared/protocol/rest/call.ts";
import { files } from "../../base/database/schema/files.ts";
import { FAILURE } from "../../base/http/errors.ts";
import { authenticate, checkAccess, requireSupplier, route } from "../../base/http/route.ts";
import type { BodyLimit, Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import type { Blobs } from "../../base/storage/blobs.ts";
import { cleanName } from "../../base/storage/names.ts";
import { createParts, PART_LIMIT, type Parts, type PartsOwner } from "../../base/storage/parts.ts";
import { typeOfName } from "./content.ts";
import { isFileOfType } from "./large-content.ts";
import { refusals } from "./receive.ts";
import { type StoredFile, writeDown } from "./store.ts";

const MEGABYTE = 1024 * 1024;
/** Most files of a person that wait, and the milliseconds for which one waits. */
const PER_PERSON = 20;
const KEPT_MS = 24 * 60 * 60_000;

export const PARTS_BODY_LIMITS: readonly BodyLimit[] = [
  { method: "POST", path: PARTS_PATH, size: PART_LIMIT },
  { method: "PATCH", path: `${PARTS_PATH}/{id}`, size: PART_LIMIT },
];

/** A refusal of the tus library for the size of the file. */
const isTooLarge = (error: unknown): boolean =>
  typeof error === "object" && error !== null && Reflect.get(error, "status_code") === 413;

export function createUploadsInParts(
  deps: Pick<ServerDeps, "config" | "clock" | "directory" | "tenants">,
  over: {
    readonly blobs: Blobs;
    /** Counts the bytes against the limits. @throws AppError */
    readonly admit: (owner: PartsOwner, size: number) => Promise<void>;
  },
): Pick<Parts, "waiting" | "sweep"> & { readonly routes: NonNullable<ServerModule["routes"]> } {
  const { config, clock, tenants } = deps;
  const refuse = refusals({ types: FILE_TYPES, files: 1, megabytes: config.UPLOAD_FILE_MB });
  const parts = createParts({
    folder: join(config.DATA_DIR, "files"),
    name: "company-parts",
    path: PARTS_PATH,
    basePath: config.BASE_PATH,
    maxSize: config.UPLOAD_FILE_MB * MEGABYTE,
    perPerson: PER_PERSON,
    keptMs: KEPT_MS,
    admit: over.admit,
    refusals: {
      missing: () => new AppError("request.not-found"),
      incomplete: () => new AppError("request.conflict"),
      withoutSize: () => new AppError("file.empty"),
      tooMany: () => new AppError("request.rate-limited", { details: { retryAfter: 60 } }),
      answer(given) {
        const error = isTooLarge(given) ? refuse.size() : given;
        if (!(error instanceof AppError)) return undefined;
        return {
          status_code: ERROR_CATALOGUE[error.code].http,
          body: JSON.stringify({
            code: FAILURE,
            msg: error.message,
            error: error.code,
            details: error.details,
          }),
        };
      },
    },
  });

  const ownerOf = (principal: Principal): PartsOwner => ({
    group: requireSupplier(principal),
    person: principal.accountId,
  });
  /** The file that an upload has become; null: none yet. */
  const findByUpload = async (
    principal: Principal,
    uploadId: string,
  ): Promise<StoredFile | null> => {
    const own = and(eq(files.uploadId, uploadId), eq(files.uploadedBy, principal.accountId));
    const [row] = await tenants.run(requireSupplier(principal), principal, (scope) =>
      scope.rows(files, own).execute(),
    );
    return row === undefined
      ? null
      : { fileName: row.name, originalName: row.originalName, size: row.size };
  };

  async function finish(principal: Principal, id: string, name: string): Promise<StoredFile> {
    const owner = ownerOf(principal);
    const type = typeOfName(name, FILE_TYPES);
    const file = type === null ? null : await parts.share(owner, id);
    try {
      if (type === null || file === null || !(await isFileOfType(file.path, type))) {
        await parts.drop(owner, id);
        throw refuse.type();
      }
      await over.blobs.keep(file);
      const [stored] = await tenants.run(owner.group, principal, (scope) =>
        writeDown(scope, [{ ...file, originalName: cleanName(name), type }], {
          uploadedBy: principal.accountId,
          createdAt: new Date(clock.now()),
          uploadId: id,
        }),
      );
      if (stored === undefined) throw new Error("the file was not written down");
      await parts.drop(owner, id);
      return stored;
    } finally {
      if (file !== null) await over.blobs.discard(file);
    }
  }

  return {
    waiting: (group) => parts.waiting(group),
    sweep: () => parts.sweep(),
    routes(app) {
      for (const path of [PARTS_PATH, `${PARTS_PATH}/:id`]) {
        app.all(path, async (c) => {
          const principal = await authenticate(c, deps.directory);
          checkAccess(principal, uploadCall.access ?? DEFAULT_ACCESS);
          return parts.handle(ownerOf(principal), c.req.raw);
        });
      }
      route(app, uploadFinishCall, deps, async ({ params: { id }, body: { name }, principal }) => {
        const before = await findByUpload(principal, id);
        if (before !== null) return before;
        try {
          return await finish(principal, id, name);
        } catch (error) {
          // Of two repetitions at once the other one was first, and took the parts or the place in the table.
          const other = await findByUpload(principal, id);
          if (other === null) throw error;
          return other;
        }
      });
    },
  };
}
