/** The key pair of this server (VAPID, RFC 8292): made once, kept in the database, the same for all processes. */
import { eq } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import webPush from "web-push";
import { pushKeys } from "../../base/database/schema/push.ts";

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** @returns a function that reads the keys once, and makes them if there are none */
export function createPushKeys(db: NodePgDatabase): () => Promise<PushKeys> {
  let known: Promise<PushKeys> | null = null;

  async function read(): Promise<PushKeys> {
    // Of two processes that start at the same time, one row wins and both read it.
    await db
      .insert(pushKeys)
      .values({ id: 1, ...webPush.generateVAPIDKeys() })
      .onConflictDoNothing();
    const [row] = await db.select().from(pushKeys).where(eq(pushKeys.id, 1));
    if (row === undefined) throw new Error("the database kept no keys for pushes");
    return row;
  }

  return () => {
    known ??= read().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}
