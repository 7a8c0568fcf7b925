/** Files of chat messages (docs/chat.md#files): who may upload, what is kept, how long, and who may read it. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { ReadableStream } from "node:stream/web";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../../../shared/errors.ts";
import { CHAT_FILE_MAX } from "../../../../shared/domain/chat-files.ts";
import { countOf } from "../../../base/tasks/index.ts";
import { chatFiles } from "../../../base/database/schema/chat-files.ts";
import type { Clock } from "../../../base/module.ts";
import type { Blobs } from "../../../base/storage/blobs.ts";
import type { Parts } from "../../../base/storage/parts.ts";
import { createUploadQuota } from "../../../base/storage/quota.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { HEAD_BYTES, isPicture, mediaType } from "./media-types.ts";
import { ProviderError } from "../rest/provider-app.ts";
import { receiveChatFile } from "./receive-file.ts";
import { createResumable, partsOwner } from "./resumable.ts";

export interface StoredFile {
  readonly uuid: string;
  readonly secret: string;
  readonly contentType: string;
  readonly size: number;
}
/** A file that may be read. */
export interface ReadableFile {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly hash: string;
}

export interface ChatFiles {
  readonly blobs: Blobs;
  readonly resumable: Pick<Parts, "handle">;
  /**
   * Stores the file of a request.
   *
   * @param upload.target the other side; null for a group, whose server checks its members with each message
   * @param upload.announced bytes of the request, undefined when it does not say them
   * @throws ProviderError
   */
  store(upload: {
    readonly owner: string;
    readonly target: string | null;
    /** The group with which the file is shared; left out for the file of a message. */
    readonly groupId?: string;
    readonly announced: number | undefined;
    readonly body: ReadableStream | null;
    readonly contentType: string;
  }): Promise<StoredFile>;
  /**
   * Finds the file, or its thumbnail, by the file's secret. A picture without a thumbnail is its own thumbnail. A film without a still
   * frame has none.
   *
   * @throws ProviderError with the texts that the SDK recognises
   */
  find(uuid: string, secret: string, wanted: "file" | "thumbnail" | "frame"): Promise<ReadableFile>;
  /** Deletes files that have expired. Their contents are swept with those of other uploads. */
  sweep(): Promise<number>;
}

const MEGABYTE = 1024 * 1024;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

export function createChatFiles(deps: {
  readonly db: NodePgDatabase;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly mayTalk: (a: string, b: string) => Promise<boolean>;
  /** DATA_DIR/files */
  readonly folder: string;
  /** Where resumable uploads arrive. */
  readonly resumablePath: string;
  readonly basePath: string;
  /** Megabytes. */
  readonly limits: { readonly person: number; readonly hourly: number };
}): ChatFiles {
  const { db, blobs, clock } = deps;
  const quota = createUploadQuota(clock, {
    company: deps.limits.person * MEGABYTE,
    hourly: deps.limits.hourly * MEGABYTE,
    perAccount: CHAT_LIMITS.uploadsPerUser,
    total: CHAT_LIMITS.uploads,
  });

  const usedBy = async (owner: string): Promise<number> => {
    const [row] = await db
      .select({ bytes: sql<string>`coalesce(sum(${chatFiles.size}), 0)::text` })
      .from(chatFiles)
      .where(eq(chatFiles.owner, owner));
    return Number(row?.bytes ?? 0);
  };
  const admit = async (owner: string, size: number): Promise<() => void> => {
    try {
      return await quota.admit({
        company: owner,
        account: owner,
        size,
        used: async () => (await usedBy(owner)) + (await resumable.waiting(owner)),
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "file.quota") {
        throw new ProviderError(413, "file_quota", "the files of this user take too much space");
      }
      throw new ProviderError(429, "reach_limit", "too many uploads, try again later");
    }
  };

  const resumable = createResumable({
    folder: deps.folder,
    path: deps.resumablePath,
    basePath: deps.basePath,
    async admit(owner, size) {
      (await admit(owner, size))();
    },
  });

  return {
    blobs,
    resumable,
    async store({ owner, target, groupId, announced, body, contentType }) {
      if (target !== null && !(await deps.mayTalk(owner, target))) {
        throw new ProviderError(403, "forbidden_op", "nonroster");
      }
      const release = await admit(owner, announced ?? CHAT_FILE_MAX);
      try {
        const received = await receiveChatFile(body, contentType, blobs, (id) =>
          resumable.takeOver(partsOwner(owner), id),
        );
        const { file, name, thumb } = received;
        try {
          const type = mediaType(await blobs.head(file, HEAD_BYTES));
          const thumbType = thumb === null ? null : mediaType(await blobs.head(thumb, HEAD_BYTES));
          if (thumbType !== null && !isPicture(thumbType)) {
            throw new ProviderError(400, "illegal_argument", "the thumbnail is no picture");
          }
          await blobs.keep(file);
          if (thumb !== null) await blobs.keep(thumb);
          const uuid = randomUUID();
          const secret = randomBytes(24).toString("base64url");
          await db.insert(chatFiles).values({
            uuid,
            owner,
            groupId: groupId ?? null,
            secretHash: hashOf(secret).toString("hex"),
            name,
            contentType: type,
            size: file.size,
            contentHash: file.hash,
            thumbType,
            thumbHash: thumb?.hash ?? null,
            createdAt: new Date(clock.now()),
          });
          return { uuid, secret, contentType: type, size: file.size };
        } finally {
          await blobs.discard(file);
          if (thumb !== null) await blobs.discard(thumb);
        }
      } finally {
        release();
      }
    },
    async find(uuid, secret, wanted) {
      const [row] = UUID.test(uuid)
        ? await db
            .select()
            .from(chatFiles)
            .where(and(eq(chatFiles.uuid, uuid), isNull(chatFiles.groupId)))
        : [];
      if (row === undefined) throw new ProviderError(404, "file_expired", "file_expired");
      if (!timingSafeEqual(hashOf(secret), Buffer.from(row.secretHash, "hex"))) {
        throw new ProviderError(403, "forbidden_op", "chatfile no permission");
      }
      const { name, thumbHash, thumbType } = row;
      const hasSmall = thumbHash !== null && thumbType !== null;
      if (wanted === "frame" && !hasSmall) {
        throw new ProviderError(404, "file_expired", "the film has no picture");
      }
      if (wanted === "file" || !hasSmall) {
        return { name, contentType: row.contentType, size: row.size, hash: row.contentHash };
      }
      const size = await blobs.sizeOf(thumbHash);
      return { name, contentType: thumbType, size, hash: thumbHash };
    },
    async sweep() {
      await resumable.sweep();
      const before = new Date(clock.now() - CHAT_LIMITS.fileMs);
      const old = and(lt(chatFiles.createdAt, before), isNull(chatFiles.groupId));
      return countOf(db.delete(chatFiles).where(old));
    },
  };
}
