/** Files that members share with their group (docs/chat.md#shared-files): everybody in it reads them; who shared one, and who rules the group, deletes it. */
import { and, count, desc, eq } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { chatFiles } from "../../../base/database/schema/chat-files.ts";
import { type ChatFiles, type ReadableFile, UUID } from "../files/chat-files.ts";
import { ProviderError } from "../rest/provider-app.ts";
import { MUC } from "../wire/wire.ts";
import { ALL_MEMBERS, type Actor } from "./events.ts";
import { forbidden, silenced } from "./refusal.ts";
import { inside, mayWrite, rules, type Scene, type Stage } from "./scene.ts";

/** Files of a group. */
const SHARED = 500;

export interface SharedFile {
  readonly id: string;
  readonly name: string;
  /** Chat user name of who shared it. */
  readonly owner: string;
  /** bytes */
  readonly size: number;
  readonly createdAt: Date;
}

export interface SharedFiles {
  /** A page, the newest first. The caller has checked the membership. */
  list(groupId: string, offset: number, limit: number): Promise<SharedFile[]>;
  /** Stores the file that a request uploads, and notifies the members. @throws GroupRefusal or ProviderError */
  share(
    actor: Actor,
    groupId: string,
    upload: Pick<Parameters<ChatFiles["store"]>[0], "announced" | "body" | "contentType">,
  ): Promise<SharedFile>;
  /** The caller has checked the membership. @throws ProviderError when it is not there */
  read(groupId: string, id: string): Promise<ReadableFile>;
  /** @throws GroupRefusal or ProviderError */
  remove(actor: Actor, groupId: string, id: string): Promise<void>;
}

const missing = (): ProviderError => new ProviderError(404, "file_expired", "file_expired");

export function createSharedFiles(deps: {
  readonly db: NodePgDatabase;
  readonly stage: Pick<Stage, "act">;
  readonly files: Pick<ChatFiles, "store">;
  readonly now: () => number;
}): SharedFiles {
  const { db, stage, files, now } = deps;
  const oneOf = (groupId: string, id: string) =>
    and(eq(chatFiles.groupId, groupId), eq(chatFiles.uuid, id));
  const find = async (
    reader: Pick<NodePgDatabase, "select">,
    groupId: string,
    id: string,
  ): Promise<typeof chatFiles.$inferSelect> => {
    const [row] = UUID.test(id)
      ? await reader.select().from(chatFiles).where(oneOf(groupId, id))
      : [];
    if (row === undefined) throw missing();
    return row;
  };
  const shown = (row: typeof chatFiles.$inferSelect): SharedFile => ({
    id: row.uuid,
    name: row.name,
    owner: row.owner,
    size: row.size,
    createdAt: row.createdAt,
  });
  /** @throws GroupRefusal for a person who is no member, or may not write: members read the names of files */
  const writing = (scene: Scene): void => {
    if (!mayWrite(scene.group, inside(scene), now())) throw silenced();
  };
  /** Whether the actor may share now. @throws GroupRefusal */
  const admit = (actor: Actor, groupId: string): Promise<void> =>
    stage.act(actor, groupId, async (scene) => {
      writing(scene);
      const [row] = await scene.tx
        .select({ n: count() })
        .from(chatFiles)
        .where(eq(chatFiles.groupId, groupId));
      if ((row?.n ?? 0) >= SHARED) {
        throw new ProviderError(413, "file_quota", "the group has too many files");
      }
      return { result: undefined };
    });

  return {
    async list(groupId, offset, limit) {
      const rows = await db
        .select()
        .from(chatFiles)
        .where(eq(chatFiles.groupId, groupId))
        .orderBy(desc(chatFiles.createdAt), desc(chatFiles.uuid))
        .offset(offset)
        .limit(limit);
      return rows.map(shown);
    },
    async share(actor, groupId, upload) {
      await admit(actor, groupId);
      const { uuid } = await files.store({
        ...upload,
        owner: actor.userName,
        target: null,
        groupId,
      });
      try {
        return await stage.act(actor, groupId, async (scene) => {
          // the upload took its time: the person may have left or been muted meanwhile
          writing(scene);
          const row = await find(scene.tx, groupId, uuid);
          return {
            result: shown(row),
            events: [{ operation: MUC.uploadFile, audience: ALL_MEMBERS }],
            change: { action: "share-file", after: { file: row.name } },
          };
        });
      } catch (error) {
        await db.delete(chatFiles).where(oneOf(groupId, uuid));
        throw error;
      }
    },
    async read(groupId, id) {
      const { name, contentType, size, contentHash } = await find(db, groupId, id);
      return { name, contentType, size, hash: contentHash };
    },
    remove: (actor, groupId, id) =>
      stage.act(actor, groupId, async (scene) => {
        const me = inside(scene);
        const row = await find(scene.tx, groupId, id);
        if (row.owner !== actor.userName && !rules(me)) {
          throw forbidden("只有上传者、群主和管理员可以删除文件");
        }
        await scene.tx.delete(chatFiles).where(oneOf(groupId, id));
        return {
          result: undefined,
          events: [{ operation: MUC.deleteFile, audience: ALL_MEMBERS }],
          change: { action: "delete-file", before: { file: row.name } },
        };
      }),
  };
}
