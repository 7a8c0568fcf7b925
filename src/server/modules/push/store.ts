/** Subscriptions of browsers in the database; see 0140_push.sql. */
import { and, desc, eq, gt, inArray, isNull, ne } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { accounts, sessions } from "../../base/database/schema/base.ts";
import { pushSubscriptions } from "../../base/database/schema/push.ts";
import {
  parseQuietCalls,
  QUIET_CALLS,
  type QuietCalls,
} from "../../../shared/protocol/quiet-calls.ts";
import { preferences } from "../preferences/index.ts";

/** Browsers of one account. The oldest go first. */
export const MAX_SUBSCRIPTIONS = 20;

export type Subscription = Pick<
  typeof pushSubscriptions.$inferSelect,
  "id" | "sessionId" | "endpoint" | "p256dh" | "auth" | "language"
>;
type NewSubscription = Omit<Subscription, "id"> & { readonly accountId: string };

export function createPushStore(db: NodePgDatabase, now: () => number) {
  const remove = async (id: string): Promise<void> => {
    await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));
  };
  return {
    /** Adds or renews a subscription. A login has one; an address belongs to the person who logged in there last. */
    async add(subscription: NewSubscription): Promise<void> {
      const { accountId, sessionId, endpoint } = subscription;
      const values = { ...subscription, createdAt: new Date(now()) };
      await db.transaction(async (tx) => {
        await tx
          .delete(pushSubscriptions)
          .where(
            and(
              eq(pushSubscriptions.sessionId, sessionId),
              ne(pushSubscriptions.endpoint, endpoint),
            ),
          );
        await tx
          .insert(pushSubscriptions)
          .values(values)
          .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: values });
        const old = await tx
          .select({ id: pushSubscriptions.id })
          .from(pushSubscriptions)
          .where(eq(pushSubscriptions.accountId, accountId))
          .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
          .offset(MAX_SUBSCRIPTIONS);
        if (old.length === 0) return;
        await tx.delete(pushSubscriptions).where(
          inArray(
            pushSubscriptions.id,
            old.map(({ id }) => id),
          ),
        );
      });
    },

    /** Removes a subscription of this account; one of another account stays. */
    async removeOwn(accountId: string, endpoint: string): Promise<void> {
      await db
        .delete(pushSubscriptions)
        .where(
          and(eq(pushSubscriptions.accountId, accountId), eq(pushSubscriptions.endpoint, endpoint)),
        );
    },

    remove,

    /** Subscriptions of the person whose login still holds. */
    async subscriptionsOf(chatUserName: string): Promise<Subscription[]> {
      return db
        .select({
          id: pushSubscriptions.id,
          sessionId: pushSubscriptions.sessionId,
          endpoint: pushSubscriptions.endpoint,
          p256dh: pushSubscriptions.p256dh,
          auth: pushSubscriptions.auth,
          language: pushSubscriptions.language,
        })
        .from(pushSubscriptions)
        .innerJoin(accounts, eq(accounts.id, pushSubscriptions.accountId))
        .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
        .where(
          and(
            eq(accounts.chatUserName, chatUserName),
            isNull(accounts.disabledAt),
            isNull(sessions.revokedAt),
            gt(sessions.expiresAt, new Date(now())),
          ),
        );
    },

    /** What the person has chosen for calls (docs/calls.md#do-not-disturb). */
    async quietOf(chatUserName: string): Promise<QuietCalls> {
      const [row] = await db
        .select({ value: preferences.value })
        .from(preferences)
        .innerJoin(accounts, eq(accounts.id, preferences.accountId))
        .where(and(eq(accounts.chatUserName, chatUserName), eq(preferences.key, QUIET_CALLS)));
      return parseQuietCalls(row?.value);
    },

    async succeeded(id: string): Promise<void> {
      await db
        .update(pushSubscriptions)
        .set({ succeededAt: new Date(now()) })
        .where(eq(pushSubscriptions.id, id));
    },
  };
}

export type PushStore = ReturnType<typeof createPushStore>;
