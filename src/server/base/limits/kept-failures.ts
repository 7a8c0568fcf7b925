/**
 * Failed guesses in the database, so that the limits of attempts.ts hold over all server processes and restarts
 * (docs/server.md#rest). Only failures write.
 */
import { createHmac } from "node:crypto";
import { eq, lt, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { failedGuesses } from "../database/schema/failed-guesses.ts";
import { countOf } from "../tasks/index.ts";

/** ms for which a failure is kept. */
const KEPT_MS = 24 * 60 * 60_000;
/** Most failures of a key that are read, the newest ones. More make no wait longer. */
const READ = 200;

/** What slows down. */
export type GuessKind =
  | "login"
  | "login-address"
  | "chat-token"
  | "chat-token-address"
  | "second-factor"
  | "own-password"
  | "conference"
  | "conference-account";
export interface GuessKey {
  readonly kind: GuessKind;
  readonly key: string;
}

export interface KeptFailures {
  /** The times of the failures, oldest first, in ms since the epoch. One query for all keys. */
  times(keys: readonly GuessKey[]): Promise<(readonly number[])[]>;
  add(key: GuessKey, at: number): Promise<void>;
  clear(key: GuessKey): Promise<void>;
  /** @returns how many failures it removed */
  sweep(now: number): Promise<number>;
}

/** @param deps.secret the key of the HMAC, so that names and addresses cannot be guessed from the stored digests */
export function createKeptFailures(deps: {
  readonly db: NodePgDatabase;
  readonly secret: string;
}): KeptFailures {
  const { db, secret } = deps;
  const hashOf = ({ kind, key }: GuessKey): string =>
    createHmac("sha256", secret).update(`failed-guess\n${kind}\n${key}`).digest("base64url");
  return {
    async times(keys) {
      const { rows } = await db.execute<{ times: number[] }>(sql`
        SELECT ARRAY(
            SELECT (extract(epoch FROM g.failed_at) * 1000)::float8 FROM (
              SELECT failed_at FROM failed_guesses WHERE key_hash = k.hash ORDER BY failed_at DESC LIMIT ${READ}
            ) g ORDER BY g.failed_at
          ) AS times
        FROM unnest(${sql.param(keys.map(hashOf))}::text[]) WITH ORDINALITY AS k (hash, place)
        ORDER BY k.place`);
      return rows.map(({ times }) => times);
    },
    async add(key, at) {
      await db.insert(failedGuesses).values({ keyHash: hashOf(key), failedAt: new Date(at) });
    },
    async clear(key) {
      await db.delete(failedGuesses).where(eq(failedGuesses.keyHash, hashOf(key)));
    },
    sweep: (now) =>
      countOf(db.delete(failedGuesses).where(lt(failedGuesses.failedAt, new Date(now - KEPT_MS)))),
  };
}
