/**
 * Ends one login of an account, or all of them, for example after a password change. The bus notifies every process, which then closes the
 * sockets of these logins.
 */
import { and, eq, isNull, ne } from "drizzle-orm";
import { sessions } from "../../base/database/schema/base.ts";
import type { ServerDeps } from "../../base/module.ts";
import { SESSION_END_TOPIC } from "./sessions.ts";

/** @returns whether this call ended the login; false when it had ended before, or is not the account's */
export type EndSession = (accountId: string, sessionId: string) => Promise<boolean>;

export const createEndSession =
  ({ db, bus, clock }: Pick<ServerDeps, "db" | "bus" | "clock">): EndSession =>
  async (accountId, sessionId) => {
    const ended = await db
      .update(sessions)
      .set({ revokedAt: new Date(clock.now()) })
      .where(
        and(
          eq(sessions.id, sessionId),
          eq(sessions.accountId, accountId),
          isNull(sessions.revokedAt),
        ),
      )
      .returning({ sessionId: sessions.id });
    if (ended.length === 0) return false;
    await bus.publish(SESSION_END_TOPIC, { sessionId, accountId });
    return true;
  };

/** @param except id of the session that continues; null ends all */
export type EndSessions = (accountId: string, except: string | null) => Promise<void>;

export const createEndSessions =
  ({ db, bus, clock }: Pick<ServerDeps, "db" | "bus" | "clock">): EndSessions =>
  async (accountId, except) => {
    const ended = await db
      .update(sessions)
      .set({ revokedAt: new Date(clock.now()) })
      .where(
        and(
          eq(sessions.accountId, accountId),
          isNull(sessions.revokedAt),
          except === null ? undefined : ne(sessions.id, except),
        ),
      )
      .returning({ sessionId: sessions.id });
    for (const { sessionId } of ended) {
      await bus.publish(SESSION_END_TOPIC, { sessionId, accountId });
    }
  };
