/**
 * Sessions. A login starts a family of refresh tokens, each valid once. An old token that is used again was stolen or lost, and
 * the server cannot tell which side holds it, so the whole family ends.
 *
 * The answer to a refresh can be lost. So the token just replaced stays valid for a short grace time, and using it returns the
 * same successor as before. The successor's id and times derive from its predecessor and the session's row, so it can be
 * recreated and need not be stored.
 */
import { createHash, randomUUID } from "node:crypto";
import { AppError } from "../../../shared/errors.ts";
import type { TokenGrant } from "../../../shared/protocol/rest/auth.ts";
import type { ServerConfig } from "../../base/config.ts";
import type { Clock } from "../../base/module.ts";
import { createLoginGuard } from "../../base/http/login-guard.ts";
import type { KeptFailures } from "../../base/limits/kept-failures.ts";
import type { Access } from "./access.ts";
import { endCode } from "./directory.ts";
import type { PasswordCheck } from "./passwords.ts";
import type { SignIns } from "./sign-ins.ts";
import type { AccountRow, AccountStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";

export interface SecondFactorCheck {
  /**
   * Runs once the password was right.
   *
   * @returns false for a wrong code
   * @throws AppError auth.code-required without a code where the account needs one, auth.locked
   */
  admits(accountId: string, code: string | undefined): Promise<boolean>;
}

export interface SessionDeps {
  readonly config: Pick<ServerConfig, "ACCESS_TOKEN_TTL" | "REFRESH_TOKEN_TTL" | "REFRESH_GRACE">;
  readonly store: AccountStore;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly access: Pick<Access, "endLogin">;
  readonly checkPassword: PasswordCheck;
  readonly signIns: Pick<SignIns, "add">;
  readonly secondFactor: SecondFactorCheck;
  readonly failures: KeptFailures;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What a person shows of an account. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Of the second factor. */
  readonly code: string | undefined;
  readonly from: { readonly key: string; readonly address: string; readonly userAgent: string };
  readonly systemName: string;
}
export type CheckCredentials = (given: Credentials) => Promise<AccountRow>;
const lockedError = ({ company, reason }: { company: string; reason: string }): AppError =>
  new AppError("auth.company-locked", {
    message: `企业“${company}”已被平台锁定：${reason}。如有疑问，请联系平台管理员`,
    details: {
      en: `“${company}” was locked by the platform: ${reason}. Ask the platform's administrator`,
    },
  });

export function createSessions(deps: SessionDeps) {
  const { config, store, tokens, clock, access } = deps;
  const guard = createLoginGuard(clock, deps.failures);

  const signAccess = (accountId: string, sessionId: string, issued: number): Promise<string> =>
    tokens.sign("access", {
      accountId,
      sessionId,
      issued,
      jti: randomUUID(),
      expires: issued + config.ACCESS_TOKEN_TTL,
    });

  /**
   * Signs a refresh token. The same arguments give the same token.
   *
   * @param at when the session was refreshed
   * @param expires when the session ends
   */
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

  /** Creates a token pair and the session's times that belong to it. */
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

  /**
   * Recreates the pair whose answer was lost. Null when the token is not the predecessor of the current one, or the grace time
   * is over.
   */
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

  async function check(input: Credentials): Promise<AccountRow> {
    const found = await store.byUsername(input.username);
    const account = found !== null && found.disabledAt === null ? found : null;
    const { username: name, systemName } = input;
    const { key, address, userAgent } = input.from;
    let knowsPassword = false;
    const good = await guard.run({ name, address: key }, async () => {
      knowsPassword = await deps.checkPassword(account?.passwordHash ?? null, input.password);
      if (!knowsPassword || account === null) return false;
      return deps.secondFactor.admits(account.id, input.code);
    });
    if (found !== null) {
      deps.signIns.add({
        accountId: found.id,
        success: good,
        systemName,
        address,
        userAgent,
        createdAt: new Date(clock.now()),
      });
    }
    if (!good || account === null) {
      throw new AppError(knowsPassword ? "auth.code-wrong" : "auth.invalid-credentials");
    }
    return account;
  }

  return {
    /**
     * Whose account it is, without a login: an unknown name, a disabled account and a wrong password are answered alike.
     *
     * @param input.from where the attempt comes from; failed ones are limited by its key
     * @throws AppError auth.invalid-credentials, auth.code-required, auth.code-wrong, auth.locked
     */
    check,

    /** @throws AppError as `check`; auth.company-locked for who knows the password */
    async login(input: Credentials): Promise<{ grant: TokenGrant; accountId: string }> {
      const account = await check(input);
      const lock = await store.lockedOut(account.id);
      if (lock !== null) throw lockedError(lock);
      const { systemName } = input;
      const { address, userAgent } = input.from;
      const sessionId = randomUUID();
      const { grant, hash, at, expires } = await issue(account.id, sessionId, randomUUID());
      await store.createSession({
        id: sessionId,
        accountId: account.id,
        systemName,
        address,
        userAgent,
        refreshHash: hash,
        createdAt: at,
        refreshedAt: at,
        expiresAt: expires,
      });
      return { grant, accountId: account.id };
    },

    /** @throws AppError auth.refresh-refused, or why the login ended: auth.signed-out, auth.dismissed, auth.account-disabled */
    async refresh(token: string): Promise<{ grant: TokenGrant; accountId: string }> {
      const claims = await tokens.verify("refresh", token);
      if (claims === null || claims === "expired") throw new AppError("auth.refresh-refused");
      const { sub, sid } = claims;
      const used = sha256(token);
      const { grant, hash, at, expires } = await issue(sub, sid, used);
      if (!(await store.rotate(sid, used, hash, at, expires))) {
        const again = await repeat(sub, sid, used);
        if (again !== null) return { grant: again, accountId: sub };
        // The token has our signature but is not the newest: it was used before. (If the session has already ended, ending it
        // again changes nothing.)
        await access.endLogin({ sessionId: sid }, "stolen");
        throw new AppError(endCode(await store.endOf(sid)) ?? "auth.refresh-refused");
      }
      return { grant, accountId: sub };
    },

    /** The person logs out. Idempotent. */
    async end(sessionId: string): Promise<void> {
      await access.endLogin({ sessionId }, "logout");
    },
  };
}
