/** Accounts and sessions: login, refresh, logout, the account itself (docs/session.md#tokens), and the directory for other modules. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { AppError } from "../../../shared/errors.ts";
import {
  accountCall,
  loginCall,
  logoutCall,
  refreshCall,
  type TokenGrant,
} from "../../../shared/protocol/rest/auth.ts";
import { createKeptFailures } from "../../base/limits/kept-failures.ts";
import { openRoute, route } from "../../base/http/route.ts";
import type { Directory, HttpEnv, ServerDeps, ServerModule } from "../../base/module.ts";
import { clientOf } from "./clients.ts";
import { type Access, createAccess } from "./access.ts";
import { createDirectory } from "./directory.ts";
import { createMayTalk } from "./may-talk.ts";
import { createMissedEnds } from "./missed-ends.ts";
import type { Passwords } from "./passwords.ts";
import { type CheckCredentials, createSessions, type SecondFactorCheck } from "./sessions.ts";
import { AGENT_MAX, createSignIns } from "./sign-ins.ts";
import { accountStateRoutes } from "./state.ts";
import { type AccountStore, createAccountStore } from "./store.ts";
import { createTokens } from "./tokens.ts";

/** Milliseconds between two removals of sessions that expired a day ago. */
const SWEEP_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export interface Accounts {
  readonly module: ServerModule;
  readonly directory: Directory;
  readonly store: AccountStore;
  readonly access: Access;
  /** @throws AppError auth.invalid-credentials, auth.code-required, auth.code-wrong, auth.locked */
  readonly checkCredentials: CheckCredentials;
}

export interface AccountsDeps extends Omit<ServerDeps, "directory"> {
  readonly secondFactor: SecondFactorCheck;
  readonly passwords: Pick<Passwords, "check">;
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { config, db, clock, bus, log, secondFactor, passwords } = deps;
  const store = createAccountStore(db);
  const tokens = createTokens(config.APP_SECRET, clock);
  const access = createAccess(deps);
  const signIns = createSignIns(db, log);
  const failures = createKeptFailures({ db, secret: config.APP_SECRET });
  const sessions = createSessions({
    failures,
    config,
    store,
    tokens,
    clock,
    access,
    checkPassword: passwords.check,
    signIns,
    secondFactor,
  });
  const missedEnds = createMissedEnds({ store, bus, clock, log });
  const directory = createDirectory({
    missedEnds,
    store,
    tokens,
    bus,
    clock,
    mayTalk: createMayTalk(db),
  });
  /** Accepts an expired token, because an offline logout reaches the server late and must still end its session. */
  const leaving = { authenticate: directory.authenticateLate };
  deps.tasks.add({
    id: "sessions",
    every: SWEEP_MS,
    run: () => store.sweep(new Date(clock.now() - DAY_MS)),
  });
  deps.tasks.add({
    id: "sign-ins",
    every: SWEEP_MS,
    run: async () => (await signIns.sweep(clock.now())) + (await failures.sweep(clock.now())),
  });

  const cookiePath = config.BASE_PATH === "" ? "/" : config.BASE_PATH;

  /**
   * Copies the login into cookies (docs/session.md#cookies), for other programs of the platform that read only cookies. This server
   * does not authenticate by them, so that another site cannot make requests in the person's name. The console itself writes
   * supplier_id, because only the console knows the current company.
   */
  function setCookies(c: Context<HttpEnv>, grant: TokenGrant): void {
    // An untrusted proxy hides the scheme, so the Origin header decides. A client that forges it changes only its own cookies.
    const secure =
      c.var.client.secure || (c.req.header("origin") ?? "").toLowerCase().startsWith("https:");
    const options = {
      path: cookiePath,
      sameSite: "Strict",
      secure,
      maxAge: grant.expires_in,
    } as const;
    setCookie(c, "ACCESS_TOKEN", grant.access_token, { ...options, httpOnly: true });
    // expiry is issued-at plus expires_in; seconds since the epoch
    setCookie(c, "expires_in", String(grant.iat + grant.expires_in), options);
  }

  const module: ServerModule = {
    name: "accounts",
    routes(app) {
      openRoute(app, loginCall, async ({ body, c }) => {
        const systemName = clientOf(c.req.header("authorization"));
        const { key, address } = c.var.client;
        const userAgent = (c.req.header("user-agent") ?? "").slice(0, AGENT_MAX);
        const from = { key, address, userAgent };
        const { grant } = await sessions.login({ ...body, code: body.code, systemName, from });
        setCookies(c, grant);
        return grant;
      });
      openRoute(app, refreshCall, async ({ body, c }) => {
        clientOf(c.req.header("authorization"));
        const { grant } = await sessions.refresh(body.refresh_token);
        setCookies(c, grant);
        return grant;
      });
      route(app, logoutCall, { directory: leaving }, async ({ principal, c }) => {
        await sessions.end(principal.sessionId);
        // The logout of a previous person may arrive late, when the cookies already belong to the next person.
        const cookie = getCookie(c, "ACCESS_TOKEN");
        const own = c.req.header("authorization")?.replace(/^Bearer +/i, "");
        if (cookie === undefined || cookie === own) {
          for (const name of ["ACCESS_TOKEN", "expires_in", "supplier_id"]) {
            deleteCookie(c, name, { path: cookiePath });
          }
        }
        return null;
      });
      route(app, accountCall, { directory }, async ({ principal }) => {
        const account = await store.byId(principal.accountId);
        if (account === null) throw new AppError("auth.info-failed");
        const roles = await store.roles(account.id);
        return {
          id: account.id,
          username: account.username,
          nickname: account.nickname,
          avatar: account.avatar,
          introduction: account.introduction,
          roles: roles.map(({ roleId, supplierId, roleCode, roleName }) => ({
            roleId,
            supplierId,
            roleCode,
            roleName,
          })),
          // Permissions in the company of the supplier-id header; empty without it.
          permissions: [...principal.permissions],
        };
      });
      accountStateRoutes(app, { ...deps, directory, access });
    },
    async stop() {
      await missedEnds.stop();
      await signIns.settled();
    },
  };
  return { module, directory, store, access, checkCredentials: sessions.check };
}
