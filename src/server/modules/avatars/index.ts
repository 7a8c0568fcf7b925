/** Pictures of people (docs/session.md#avatars): one for each account, which those may see who meet the person here. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import {
  AVATAR_LIMITS,
  avatarNamesCall,
  avatarReadCall,
  avatarRemoveCall,
  avatarSetCall,
} from "../../../shared/protocol/rest/avatars.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { accountAvatars } from "../../base/database/schema/files.ts";
import { route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";
import { createBlobs } from "../../base/storage/blobs.ts";
import { disposition } from "../../base/storage/names.ts";
import { createUploadQuota } from "../../base/storage/quota.ts";
import { CONTENT_TYPES } from "../files/content.ts";
import { type Received, receiveFiles } from "../files/receive.ts";

const MEGABYTE = 1024 * 1024;
/** Most bytes of pictures that an account sends within an hour, and parallel uploads. */
const LIMITS = {
  company: Number.POSITIVE_INFINITY,
  hourly: 20 * MEGABYTE,
  perAccount: 2,
  total: 20,
};

/** Whether the viewer may see the picture of `accounts`: it is the viewer's own, or the two meet in a company, in a group, or as friends. */
const seenBy = (viewer: string): SQL => {
  const me = sql`${viewer}::bigint`;
  return sql`(${accounts.id} = ${me}
    OR EXISTS (SELECT FROM employees m JOIN employees o ON o.company_id = m.company_id
      WHERE m.account_id = ${me} AND m.dimission_at IS NULL
        AND o.account_id = ${accounts.id} AND o.dimission_at IS NULL)
    OR EXISTS (SELECT FROM im_friends f WHERE f.account_id = ${accounts.id} AND f.friend_id = ${me})
    OR EXISTS (SELECT FROM im_group_members m JOIN im_group_members o ON o.group_id = m.group_id
      WHERE m.account_id = ${me} AND o.account_id = ${accounts.id}))`;
};

function createAvatarsModule(deps: ServerDeps): ServerModule {
  const { db, clock, config } = deps;
  const blobs = createBlobs({
    folder: join(config.DATA_DIR, "files"),
    db,
    now: () => clock.now(),
  });
  const quota = createUploadQuota(clock, LIMITS);

  /** @param received null removes the picture */
  async function put(accountId: string, received: Received | null): Promise<string> {
    const name =
      received === null ? "" : `${randomBytes(16).toString("base64url")}.${received.type}`;
    await db.transaction(async (tx) => {
      const [was] = await tx
        .select({ avatar: accounts.avatar })
        .from(accounts)
        .where(eq(accounts.id, accountId))
        .for("update");
      if (was === undefined) throw new AppError("request.not-found");
      await tx.delete(accountAvatars).where(eq(accountAvatars.accountId, accountId));
      if (received !== null) {
        await tx.insert(accountAvatars).values({
          accountId,
          name,
          contentType: CONTENT_TYPES[received.type],
          contentHash: received.hash,
          size: received.size,
        });
      }
      if (was.avatar === name) return;
      await tx.update(accounts).set({ avatar: name }).where(eq(accounts.id, accountId));
      await auditPlatform(
        tx,
        { accountId },
        {
          action: "update",
          entity: "account",
          entityId: accountId,
          before: { avatar: was.avatar },
          after: { avatar: name },
        },
      );
    });
    return name;
  }

  return {
    name: "avatars",
    routes(app) {
      route(app, avatarSetCall, deps, async ({ c, principal }) => {
        const release = await quota.admit({
          company: "",
          account: principal.accountId,
          size: AVATAR_LIMITS.megabytes * MEGABYTE,
          used: () => Promise.resolve(0),
        });
        let received: readonly Received[] = [];
        try {
          received = await receiveFiles(
            c.req.raw.body as ReadableStream | null,
            c.req.header("content-type") ?? "",
            blobs,
            AVATAR_LIMITS,
          );
          const [picture] = received;
          if (picture === undefined) throw new Error("no file was received");
          await blobs.keep(picture);
          return { avatar: await put(principal.accountId, picture) };
        } finally {
          release();
          await Promise.all(received.map((file) => blobs.discard(file)));
        }
      });

      route(app, avatarRemoveCall, deps, async ({ principal }) => {
        await put(principal.accountId, null);
        return null;
      });

      route(app, avatarNamesCall, deps, ({ query, principal }) =>
        db
          .select({ userName: accounts.chatUserName, avatar: accountAvatars.name })
          .from(accounts)
          .innerJoin(accountAvatars, eq(accountAvatars.accountId, accounts.id))
          .where(
            and(
              inArray(accounts.chatUserName, query.userNames.split(",")),
              seenBy(principal.accountId),
            ),
          ),
      );

      route(app, avatarReadCall, deps, async ({ query, principal }) => {
        const [picture] = await db
          .select({
            contentType: accountAvatars.contentType,
            hash: accountAvatars.contentHash,
            size: accountAvatars.size,
          })
          .from(accountAvatars)
          .innerJoin(accounts, eq(accounts.id, accountAvatars.accountId))
          .where(and(eq(accountAvatars.name, query.name), seenBy(principal.accountId)));
        if (picture === undefined) throw new AppError("request.not-found");
        const content = await blobs.open(picture.hash);
        return new Response(Readable.toWeb(content.stream()) as globalThis.ReadableStream, {
          headers: {
            "content-type": picture.contentType,
            "content-length": String(picture.size),
            "content-disposition": disposition(query.name, query.name),
            "cache-control": "private, no-store",
          },
        });
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "files", create: createAvatarsModule };
