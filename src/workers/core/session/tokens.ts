/**
 * The two tokens of the login: kept in memory and in storage, refreshed by one request for all tabs (docs/session.md#refresh).
 *
 * Two cores of different builds may share the storage for a while, and a refresh token is valid once. So a refresh holds a Web Lock
 * and first checks whether the other core has refreshed already.
 */
import { z } from "../../../shared/zod.ts";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { systemNameSchema, type SystemName } from "../../../shared/protocol/config.ts";
import { tokenGrantSchema, type TokenGrant } from "../../../shared/protocol/rest/index.ts";
import type { CoreEnv, Timer } from "../contracts.ts";

const STORAGE_KEY = "session.tokens";
const REFRESH_LOCK = "session-refresh";
/** Time before its expiry at which a token is renewed; a tenth of its lifetime when that is shorter. */
const MARGIN_MS = 10_000;
/** ms between attempts after a network failure. */
const RETRY_MS = [1_000, 3_000, 6_000] as const;

const storedSchema = z.object({ systemName: systemNameSchema, grant: tokenGrantSchema });
type Stored = z.infer<typeof storedSchema>;

/** Errors of a refresh that do not end the session: the platform was too busy, or a proxy answered in its place. */
const NOT_A_REFUSAL: ReadonlySet<ErrorCode> = new Set([
  "network.offline",
  "network.timeout",
  "network.intercepted",
  "server.unavailable",
  "request.rate-limited",
  "request.too-large",
]);

/** Whether the platform itself refused the token: it answered, and neither with a server error nor with a request to try later. */
function isRefusal(error: AppError): boolean {
  if (error.code === "auth.refresh-refused") return true;
  const status = error.details?.["status"];
  if (NOT_A_REFUSAL.has(error.code) || typeof status !== "number") return false;
  // status 200 with a code other than 0 is how a platform may refuse
  return status < 500;
}

export interface TokensDeps {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "locks" | "log">;
  /** Server time minus local time, ms. */
  readonly offset: () => number;
  readonly refresh: (refreshToken: string, systemName: SystemName) => Promise<TokenGrant>;
  /** The server refused the refresh, so the session has ended. The tokens are deleted already. */
  readonly onRefused: (error: AppError) => void;
  readonly onRefreshed: () => void;
  /** The tokens changed without a login. */
  readonly onTokens: () => void;
}

export interface Tokens {
  /** Loads the tokens that an earlier core stored; null when there are none. Rejects when the storage cannot be read. */
  restore(): Promise<SystemName | null>;
  put(grant: TokenGrant, systemName: SystemName): Promise<void>;
  clear(): Promise<void>;
  /** The current access token, even if it has expired; null without a login. */
  peek(): string | null;
  /** Issued-at plus expires_in, seconds since the epoch; null without a token. */
  expiresAt(): number | null;
  expired(): boolean;
  /** A valid token; see Session in contracts.ts. */
  access(): Promise<string>;
  /** See Authority in http/index.ts. */
  renewAfter401(token: string, error: AppError): Promise<boolean>;
  /** The network is back: repeats a refresh that waits for its answer, and retries one that failed. */
  retry(): void;
  /** Idempotent. */
  stop(): void;
}

export function createTokens(deps: TokensDeps): Tokens {
  const { clock, kv, locks, log } = deps.env;
  let held: Stored | null = null;
  let running: Promise<void> | null = null;
  /** Repeats the running refresh request; null while none is waiting. */
  let askAgain: (() => void) | null = null;
  /** Raised by login and logout, so that the result of an older refresh is dropped. */
  let generation = 0;
  /** Number of network failures of a refresh. The server may have answered it, so the same token is retried within the server's grace time. */
  let broken = 0;
  /** The access token from a refresh after a 401. Another 401 on it does not cause another refresh. */
  let disputed: string | null = null;
  let stopped = false;
  let retryTimer: Timer | null = null;

  const save = async (): Promise<void> => {
    try {
      if (held === null) await kv.del(STORAGE_KEY);
      else await kv.set(STORAGE_KEY, held);
    } catch {
      log("session", "error", "the storage could not be written");
    }
  };
  const load = async (): Promise<Stored | null> => {
    const parsed = storedSchema.safeParse(await kv.get(STORAGE_KEY));
    return parsed.success ? parsed.data : null;
  };
  const expired = (): boolean => {
    if (held === null) return true;
    const { iat, expires_in: life } = held.grant;
    const margin = Math.min(MARGIN_MS, life * 100);
    return clock.now() + deps.offset() >= (iat + life) * 1000 - margin;
  };

  /** The first successful answer wins; a failure counts only for the newest request. */
  const ask = async ({ grant, systemName }: Stored): Promise<TokenGrant> => {
    try {
      return await new Promise<TokenGrant>((resolve, reject) => {
        let newest = 0;
        const send = (): void => {
          const ownAttempt = ++newest;
          deps.refresh(grant.refresh_token, systemName).then(resolve, (error: unknown) => {
            if (ownAttempt === newest) reject(AppError.from(error));
          });
        };
        askAgain = send;
        send();
      });
    } finally {
      askAgain = null;
    }
  };
  const refused = async (error: AppError): Promise<void> => {
    generation += 1;
    held = null;
    await save();
    deps.onRefused(error);
  };
  const refreshNow = async (): Promise<void> => {
    const ownGeneration = generation;
    const lock = await locks.acquire(REFRESH_LOCK);
    try {
      if (ownGeneration !== generation || held === null) return;
      const stored = await load().catch(() => held);
      if (ownGeneration !== generation || held === null) return;
      if (stored === null) return await refused(new AppError("auth.refresh-refused"));
      if (stored.grant.refresh_token !== held.grant.refresh_token) {
        held = stored;
        deps.onTokens();
        if (!expired()) return;
      }
      const { systemName } = held;
      const grant = await ask(held);
      if (ownGeneration !== generation) return;
      held = { systemName, grant };
      deps.onRefreshed();
      deps.onTokens();
      await save();
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (ownGeneration !== generation) return;
      if (!isRefusal(error)) throw error;
      await refused(error);
    } finally {
      lock.release();
    }
  };
  const settled = (): void => {
    broken = 0;
    retryTimer?.cancel();
    retryTimer = null;
  };
  const retry = (): void => {
    if (askAgain !== null) return askAgain();
    if (broken === 0) return;
    retryTimer?.cancel();
    retryTimer = null;
    // a failure is thrown to the next caller who needs a token
    refresh().catch(() => {});
  };
  const refresh = (): Promise<void> => {
    running ??= refreshNow()
      .then(settled, (error: unknown) => {
        const wait = RETRY_MS[broken];
        broken += 1;
        retryTimer?.cancel();
        retryTimer = wait === undefined || stopped ? null : clock.after(wait, retry);
        throw error;
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  const access = async (): Promise<string> => {
    if (held !== null && expired()) await refresh();
    if (held === null) throw new AppError("auth.required");
    return held.grant.access_token;
  };

  return {
    async restore() {
      // Rejects while the storage cannot be read: what is held then stays.
      const ownGeneration = generation;
      const stored = await load();
      // somebody logged in or out meanwhile, which is newer than what was read
      if (ownGeneration !== generation) return held?.systemName ?? null;
      if (stored?.grant.refresh_token !== held?.grant.refresh_token) {
        generation += 1;
        held = stored;
      }
      return held?.systemName ?? null;
    },
    async put(grant, systemName) {
      generation += 1;
      settled();
      held = { grant, systemName };
      await save();
    },
    async clear() {
      generation += 1;
      settled();
      held = null;
      await save();
    },
    retry,
    stop() {
      stopped = true;
      settled();
    },
    peek: () => held?.grant.access_token ?? null,
    expiresAt: () => (held === null ? null : held.grant.iat + held.grant.expires_in),
    expired,
    access,
    async renewAfter401(token, error) {
      if (held === null) return false;
      if (held.grant.access_token !== token) return true;
      const mayBeStale = error.code === "auth.expired" || expired();
      if (!mayBeStale && disputed === token) return false;
      await refresh();
      const next = (held as Stored | null)?.grant.access_token ?? null;
      if (!mayBeStale) disputed = next;
      return next !== null;
    },
  };
}
