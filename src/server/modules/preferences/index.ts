/** What people set up for their own use of the console (docs/session.md#preferences). */
import { and, asc, count, eq, ne, sql } from "drizzle-orm";
import { pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { AppError } from "../../../shared/errors.ts";
import {
  PREFERENCE_LIMITS,
  preferencesCall,
  preferenceSetCall,
} from "../../../shared/protocol/rest/preferences.ts";
import { idColumn } from "../../base/database/ids.ts";
import { route } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule, StandaloneModule } from "../../base/module.ts";

/** See 0210_preferences.sql. */
export const preferences = pgTable(
  "preferences",
  {
    accountId: idColumn("account_id").notNull(),
    key: text("key").notNull(),
    value: text("value").notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.key] })],
);

function createPreferencesModule(deps: ServerDeps): ServerModule {
  const { db, clock } = deps;
  return {
    name: "preferences",
    routes(app) {
      route(app, preferencesCall, deps, async ({ principal }) => ({
        preferences: await db
          .select({ key: preferences.key, value: preferences.value })
          .from(preferences)
          .where(eq(preferences.accountId, principal.accountId))
          .orderBy(asc(preferences.key)),
      }));

      route(app, preferenceSetCall, deps, async ({ body: { key, value }, principal }) => {
        const { accountId } = principal;
        const ownRows = eq(preferences.accountId, accountId);
        if (value === null) {
          await db.delete(preferences).where(and(ownRows, eq(preferences.key, key)));
          return null;
        }
        const updatedAt = new Date(clock.now());
        await db.transaction(async (tx) => {
          // Two requests of one person must not pass the limit together.
          await tx.execute(sql`SELECT 1 FROM accounts WHERE id = ${accountId}::bigint FOR UPDATE`);
          const [others] = await tx
            .select({ n: count() })
            .from(preferences)
            .where(and(ownRows, ne(preferences.key, key)));
          if ((others?.n ?? 0) >= PREFERENCE_LIMITS.count) {
            throw new AppError("request.invalid", {
              message: `最多保存 ${PREFERENCE_LIMITS.count} 项偏好设置`,
            });
          }
          await tx
            .insert(preferences)
            .values({ accountId, key, value, updatedAt })
            .onConflictDoUpdate({
              target: [preferences.accountId, preferences.key],
              set: { value, updatedAt },
            });
        });
        return null;
      });
    },
  };
}

export const standalone: StandaloneModule = { area: "accounts", create: createPreferencesModule };
