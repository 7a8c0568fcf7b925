/**
 * Pictures of business licences (docs/session.md#licence-picture). A guest sends one and gets a token for it, which the application
 * names. The platform's people read it; an approval makes it a file of the company.
 */
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { and, count, eq, gt, inArray, isNull, lt, min, or, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../../shared/errors.ts";
import { LICENCE_LIMITS } from "../../../shared/protocol/rest/licences.ts";
import { auditCompany } from "../../base/audit/index.ts";
import { companyProfiles } from "../../base/database/schema/company-profiles.ts";
import { files } from "../../base/database/schema/files.ts";
import { licencePictures, supplierApplies } from "../../base/database/schema/registration.ts";
import type { ServerDeps } from "../../base/module.ts";
import { createBlobs } from "../../base/storage/blobs.ts";
import { disposition } from "../../base/storage/names.ts";
import { createUploadQuota } from "../../base/storage/quota.ts";
import { countOf } from "../../base/tasks/index.ts";
import { CONTENT_TYPES } from "../files/content.ts";
import { type Received, receiveFiles } from "../files/receive.ts";

type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

const MEGABYTE = 1024 * 1024;
const HOUR_MS = 60 * 60_000;
/** ms for which a refused application keeps its picture. */
export const REFUSED_KEPT_MS = 30 * 24 * HOUR_MS;
/** ms between two sweeps. */
const SWEEP_MS = 15 * 60_000;
/** ms for which a picture waits for its application. */
const WAIT_MS = LICENCE_LIMITS.lifetime * 1000;
/** Parallel uploads. The bytes of an hour are limited by the number of pictures. */
const UNDER_WAY = {
  company: Number.POSITIVE_INFINITY,
  hourly: Number.POSITIVE_INFINITY,
  perAccount: 2,
  total: 20,
};

export interface Body {
  readonly stream: ReadableStream | null;
  readonly contentType: string;
}

export type Licences = ReturnType<typeof createLicences>;

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

const gone = (): AppError => {
  const message = "营业执照图片已过期，请重新上传";
  return new AppError("request.invalid", {
    message,
    details: {
      fields: { licence: message },
      en: "The licence picture has expired. Upload it again",
    },
  });
};

export function createLicences(deps: Pick<ServerDeps, "config" | "db" | "clock" | "tasks">) {
  const { config, db, clock } = deps;
  const blobs = createBlobs({
    folder: join(config.DATA_DIR, "files"),
    db,
    now: () => clock.now(),
  });
  const quota = createUploadQuota(clock, UNDER_WAY);

  /** @throws AppError request.rate-limited with details.retryAfter (s) */
  async function admit(tx: Pick<NodePgDatabase, "select">, address: string): Promise<void> {
    const now = clock.now();
    const [sent] = await tx
      .select({ n: count(), first: min(licencePictures.createdAt) })
      .from(licencePictures)
      .where(
        and(
          eq(licencePictures.address, address),
          gt(licencePictures.createdAt, new Date(now - HOUR_MS)),
        ),
      );
    if (sent === undefined || sent.n < LICENCE_LIMITS.hourly) return;
    const until = (sent.first?.getTime() ?? now) + HOUR_MS;
    throw new AppError("request.rate-limited", {
      message: "图片上传过于频繁，请稍后再试",
      details: {
        retryAfter: Math.max(1, Math.ceil((until - now) / 1000)),
        en: "Too many pictures, try again later",
      },
    });
  }

  async function sweep(): Promise<number> {
    const now = clock.now();
    const refused = db
      .select({ id: supplierApplies.id })
      .from(supplierApplies)
      .where(
        and(
          eq(supplierApplies.status, "refused"),
          lt(supplierApplies.decidedAt, new Date(now - REFUSED_KEPT_MS)),
        ),
      );
    const removed = await countOf(
      db
        .delete(licencePictures)
        .where(
          or(
            and(
              isNull(licencePictures.applyId),
              lt(licencePictures.createdAt, new Date(now - WAIT_MS)),
            ),
            inArray(licencePictures.applyId, refused),
          ),
        ),
    );
    await blobs.sweep();
    return removed;
  }
  deps.tasks.add({ id: "licences", every: SWEEP_MS, run: sweep });

  return {
    /**
     * Keeps the one picture of a body.
     *
     * @returns the token by which an application may name it within LICENCE_LIMITS.lifetime
     * @throws AppError request.rate-limited, and what `receiveFiles` throws
     */
    async receive(body: Body, address: string): Promise<string> {
      const release = await quota.admit({
        company: "",
        account: address,
        size: LICENCE_LIMITS.megabytes * MEGABYTE,
        used: () => Promise.resolve(0),
      });
      let received: readonly Received[] = [];
      try {
        await admit(db, address);
        received = await receiveFiles(body.stream, body.contentType, blobs, LICENCE_LIMITS);
        const [picture] = received;
        if (picture === undefined) throw new Error("no file was received");
        await blobs.keep(picture);
        const token = randomBytes(24).toString("base64url");
        await db.transaction(async (tx) => {
          // One at a time over all processes. Otherwise parallel requests could pass the limit together.
          await tx.execute(sql`SELECT pg_advisory_xact_lock(7213004)`);
          await admit(tx, address);
          await tx.insert(licencePictures).values({
            tokenHash: hashOf(token),
            originalName: picture.originalName,
            contentType: CONTENT_TYPES[picture.type],
            contentHash: picture.hash,
            size: picture.size,
            address,
            createdAt: new Date(clock.now()),
          });
        });
        return token;
      } finally {
        release();
        await Promise.all(received.map((file) => blobs.discard(file)));
      }
    },

    /**
     * Makes the picture that of an application, in place of an earlier one.
     *
     * @throws AppError request.invalid at `licence` for a token that is unknown, used or too old
     */
    async attach(tx: Transaction, token: string, applyId: string): Promise<void> {
      await tx.delete(licencePictures).where(eq(licencePictures.applyId, applyId));
      const named = await tx
        .update(licencePictures)
        .set({ applyId })
        .where(
          and(
            eq(licencePictures.tokenHash, hashOf(token)),
            isNull(licencePictures.applyId),
            gt(licencePictures.createdAt, new Date(clock.now() - WAIT_MS)),
          ),
        )
        .returning({ applyId: licencePictures.applyId });
      if (named.length === 0) throw gone();
    },

    /** Call when an application is approved: its picture becomes a file of the company, which the company's profile names. */
    async handOver(
      tx: Transaction,
      apply: { readonly id: string; readonly companyId: string; readonly accountId: string },
      actor: { readonly accountId: string },
    ): Promise<void> {
      const [picture] = await tx
        .delete(licencePictures)
        .where(eq(licencePictures.applyId, apply.id))
        .returning();
      if (picture === undefined) return;
      const { originalName, contentType, contentHash, size } = picture;
      const ending = contentType === CONTENT_TYPES.png ? "png" : "jpg";
      const name = `${randomBytes(16).toString("base64url")}.${ending}`;
      const { companyId, accountId: uploadedBy } = apply;
      const createdAt = new Date(clock.now());
      await tx.insert(files).values({
        companyId,
        name,
        originalName,
        contentType,
        contentHash,
        size,
        uploadedBy,
        createdAt,
      });
      await tx
        .update(companyProfiles)
        .set({ licence: name })
        .where(eq(companyProfiles.companyId, companyId));
      await auditCompany(tx, companyId, actor, {
        action: "create",
        entity: "file",
        entityId: name,
        after: { originalName, size },
      });
    },

    /** The picture of an application, for who may see it. @throws AppError request.not-found */
    async read(applyId: string): Promise<Response> {
      const [picture] = await db
        .select()
        .from(licencePictures)
        .where(eq(licencePictures.applyId, applyId));
      if (picture === undefined) throw new AppError("request.not-found");
      const content = await blobs.open(picture.contentHash);
      const ending = picture.contentType === CONTENT_TYPES.png ? "png" : "jpg";
      return new Response(Readable.toWeb(content.stream()) as globalThis.ReadableStream, {
        headers: {
          "content-type": picture.contentType,
          "content-length": String(picture.size),
          "content-disposition": disposition(`licence.${ending}`, picture.originalName),
          "cache-control": "private, no-store",
        },
      });
    },
  };
}
