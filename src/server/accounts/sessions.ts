/**
 * Sessions: a login begins a family of refresh tokens, each good once. An old one that comes again was stolen or lost, and
 * nobody can tell which side holds it: the whole family ends.
 *
 * The answer to a refresh can be lost on its way. So the token just rotated away stays good for a short grace, and is answered
 * with the very successor that it had: a successor's number and times follow from its predecessor and the session's row, so that
 * it can be made again and is kept nowhere.
 */
import { createHash, randomUUID } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import type { TokenGrant } from "../../shared/protocol/rest/auth.ts";
import type { ServerConfig } from "../config.ts";
import type { Bus, Clock } from "../module.ts";
import { createLoginGuard } from "../http/login-guard.ts";
import type { PasswordCheck } from "./passwords.ts";
import type { AccountStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";

export const SESSION_END_TOPIC = "session.end";

export interface SessionDeps {
  readonly config: Pick<ServerConfig, "ACCESS_TOKEN_TTL" | "REFRESH_TOKEN_TTL" | "REFRESH_GRACE">;
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly checkPassword: PasswordCheck;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(deps: SessionDeps) {
  const { config, store, tokens, clock, bus } = deps;
  const guard = createLoginGuard(clock);

  const signAccess = (accountId: string, sessionId: string, issued: number): Promise<string> =>
    tokens.sign("access", {
      accountId,
      sessionId,
      issued,
      jti: randomUUID(),
      expires: issued + config.ACCESS_TOKEN_TTL,
    });

  /** @param at when the session was refreshed; expires: its end. The same arguments give the same token. */
  const signRefresh = (
    accountId: string,
    sessionId: string,
    jti: string,
    at: Date,
    expires: Date,
  ): Promise<string> =>
    tokens.sign("refresh", {
      accountId,
      sessionId,
      jti,
      issued: Math.floor(at.getTime() / 1000),
      expires: Math.floor(expires.getTime() / 1000),
    });

  const grantOf = (access: string, refresh: string, issued: number): TokenGrant => ({
    access_token: access,
    refresh_token: refresh,
    iat: issued,
    expires_in: config.ACCESS_TOKEN_TTL,
  });

  /** A pair of tokens, with the times of the session that go with it. */
  async function issue(accountId: string, sessionId: string, jti: string) {
    const at = new Date(clock.now());
    const issued = Math.floor(at.getTime() / 1000);
    const expires = new Date((issued + config.REFRESH_TOKEN_TTL) * 1000);
    const [access, refresh] = await Promise.all([
      signAccess(accountId, sessionId, issued),
      signRefresh(accountId, sessionId, jti, at, expires),
    ]);
    return { grant: grantOf(access, refresh, issued), hash: sha256(refresh), at, expires };
  }

  /** The pair again whose answer was lost; null when the token is no predecessor of the present one, or too late. */
  async function repeat(
    accountId: string,
    sessionId: string,
    usedHash: string,
  ): Promise<TokenGrant | null> {
    const row = await store.session(sessionId);
    const now = clock.now();
    if (row === null || row.accountId !== accountId || row.expiresAt.getTime() <= now) return null;
    if (now - row.refreshedAt.getTime() > config.REFRESH_GRACE * 1000) return null;
    const refresh = await signRefresh(
      accountId,
      sessionId,
      usedHash,
      row.refreshedAt,
      row.expiresAt,
    );
    if (sha256(refresh) !== row.refreshHash) return null;
    const issued = Math.floor(now / 1000);
    return grantOf(await signAccess(accountId, sessionId, issued), refresh, issued);
  }

  async function end(sessionId: string): Promise<void> {
    const accountId = await store.revoke(sessionId, new Date(clock.now()));
    if (accountId !== null) await bus.publish(SESSION_END_TOPIC, { sessionId, accountId });
  }

  return {
    /**
     * @param input.address what limits count by
     * @throws AppError auth.invalid-credentials, auth.locked
     */
    async login(input: {
      username: string;
      password: string;
      address: string;
      systemName: string;
    }): Promise<{ grant: TokenGrant; accountId: string }> {
      const found = await store.byUsername(input.username);
      const account = found !== null && found.disabledAt === null ? found : null;
      const { username: name, address } = input;
      const good = await guard.run({ name, address }, () =>
        deps.checkPassword(account?.passwordHash ?? null, input.password),
      );
      if (!good || account === null) throw new AppError("auth.invalid-credentials");
      const sessionId = randomUUID();
      const { grant, hash, at, expires } = await issue(account.id, sessionId, randomUUID());
      await store.createSession({
        id: sessionId,
        accountId: account.id,
        systemName: input.systemName,
        refreshHash: hash,
        createdAt: at,
        refreshedAt: at,
        expiresAt: expires,
      });
      return { grant, accountId: account.id };
    },

    /** @throws AppError auth.refresh-refused */
    async refresh(token: string): Promise<{ grant: TokenGrant; accountId: string }> {
      const claims = await tokens.verify("refresh", token);
      if (claims === null || claims === "expired") throw new AppError("auth.refresh-refused");
      const { sub, sid } = claims;
      const used = sha256(token);
      const { grant, hash, at, expires } = await issue(sub, sid, used);
      if (!(await store.rotate(sid, used, hash, at, expires))) {
        const again = await repeat(sub, sid, used);
        if (again !== null) return { grant: again, accountId: sub };
        // signed by us and not the newest: it was used before (or the session has ended, which ending again does not change)
        await end(sid);
        throw new AppError("auth.refresh-refused");
      }
      return { grant, accountId: sub };
    },

    /** Idempotent. */
    end,
  };
}
