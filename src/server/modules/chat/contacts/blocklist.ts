/** Whom a person blocks (docs/chat.md#contacts). */
import { and, eq, inArray, sql } from "drizzle-orm";
import { createBatches } from "../../../base/batches.ts";
import { chatBlock } from "../../../base/database/schema/chat.ts";
import type { ActDeps } from "../rest/acts.ts";
import { readPeople } from "../groups/facts.ts";
import { ProviderError } from "../rest/provider-app.ts";

/** People on one block list. */
const BLOCKED_MAX = 500;
/** ms for which it is remembered who blocks whom, and pairs that are remembered. */
const KNOWN_MS = 5000;
const KNOWN_MAX = 10_000;
/** Pairs of one question to the database. */
const ASKED_MAX = 500;

interface Pair {
  readonly by: string;
  readonly other: string;
}

export interface Blocklist {
  block(userName: string, others: readonly string[]): Promise<void>;
  unblock(userName: string, others: readonly string[]): Promise<void>;
  blocked(userName: string): Promise<string[]>;
  /** Whether `by` blocks the other. */
  blocks(by: string, other: string): Promise<boolean>;
}

export function createBlocklist(deps: Pick<ActDeps, "db" | "now">): Blocklist {
  const { db } = deps;
  /** Asked for each text, so an answer is kept for a few seconds; a change here takes effect at once. */
  const remembered = new Map<string, { readonly until: number; readonly answer: boolean }>();
  /** Grows with each change here: an answer from before it is not remembered. */
  let version = 0;
  const forget = (): void => {
    version += 1;
    remembered.clear();
  };
  const questions = createBatches<Pair, boolean>({
    limit: ASKED_MAX,
    async work(pairs) {
      const { rows } = await db.execute<{ blocked: boolean }>(sql`
        select exists (
          select from chat_block b where b.user_name = pair.by and b.blocked = pair.other
        ) as blocked
        from unnest(${sql.param(pairs.map(({ by }) => by))}::text[],
          ${sql.param(pairs.map(({ other }) => other))}::text[])
          with ordinality as pair (by, other, at)
        order by pair.at`);
      return rows.map(({ blocked }) => blocked);
    },
  });
  return {
    async blocks(by, other) {
      const key = `${by}|${other}`;
      const kept = remembered.get(key);
      if (kept !== undefined && kept.until > deps.now()) return kept.answer;
      const asked = version;
      const answer = await questions.add({ by, other });
      if (remembered.size >= KNOWN_MAX) remembered.clear();
      if (version === asked) remembered.set(key, { until: deps.now() + KNOWN_MS, answer });
      return answer;
    },
    async block(userName, others) {
      const known = (await readPeople(db, others)).map((p) => p.chatUserName);
      const names = known.filter((name) => name !== userName);
      if (names.length === 0) return;
      await db.transaction(async (tx) => {
        await tx
          .insert(chatBlock)
          .values(names.map((blocked) => ({ userName, blocked })))
          .onConflictDoNothing();
        const rows = await tx
          .select({ blocked: chatBlock.blocked })
          .from(chatBlock)
          .where(eq(chatBlock.userName, userName));
        if (rows.length > BLOCKED_MAX) {
          throw new ProviderError(403, "exceed_limit", "the block list is full");
        }
      });
      forget();
    },
    async unblock(userName, others) {
      await db
        .delete(chatBlock)
        .where(and(eq(chatBlock.userName, userName), inArray(chatBlock.blocked, [...others])));
      forget();
    },
    async blocked(userName) {
      const rows = await db
        .select({ blocked: chatBlock.blocked })
        .from(chatBlock)
        .where(eq(chatBlock.userName, userName))
        .orderBy(chatBlock.blocked);
      return rows.map(({ blocked }) => blocked);
    },
  };
}
