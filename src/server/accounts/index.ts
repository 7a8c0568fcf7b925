/** Accounts and sessions: login, refresh, logout, the account itself (console spec §7), and the directory for other modules. */
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { AppError } from "../../shared/errors.ts";
import {
  accountCall,
  loginCall,
  logoutCall,
  refreshCall,
  type TokenGrant,
} from "../../shared/protocol/rest/auth.ts";
import { openRoute, route } from "../http/route.ts";
import type { Directory, ServerDeps, ServerModule } from "../module.ts";
import { clientOf } from "./clients.ts";
import { createDirectory } from "./directory.ts";
import { areFriends } from "./friends.ts";
import { createPasswordCheck } from "./passwords.ts";
import { createSessions } from "./sessions.ts";
import { type AccountStore, createAccountStore } from "./store.ts";
import { createTokens } from "./tokens.ts";

/** ms between two removals of sessions that expired a day ago. */
const SWEEP_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export interface Accounts {
  readonly module: ServerModule;
  readonly directory: Directory;
  readonly store: AccountStore;
}

export function createAccounts(deps: Omit<ServerDeps, "directory">): Accounts {
  const { config, db, clock, bus, log } = deps;
  const store = createAccountStore(db);
  const tokens = createTokens(config.APP_SECRET, clock);
  const checkPassword = createPasswordCheck();
  const sessions = createSessions({ config, store, tokens, clock, bus, checkPassword });
  const directory = createDirectory({
    store,
    tokens,
    bus,
    clock,
    friends: (userA, userB) => areFriends(db, userA, userB),
  });
  let sweep: { cancel(): void } | null = null;

  const runSweep = (): void => {
    store
      .sweep(new Date(clock.now() - DAY_MS))
      .catch((error: unknown) => log.error({ err: error }, "old sessions could not be removed"));
    sweep = clock.setTimeout(runSweep, SWEEP_MS);
  };

  /**
   * The cookies that the spec names. They mirror the session for what only looks at cookies; nothing here reads them, so that
   * no other site can act by them.
   */
  async function setCookies(c: Context, grant: TokenGrant, accountId: string): Promise<void> {
    const options = {
      path: "/",
      sameSite: "Strict",
      secure: new URL(c.req.url).protocol === "https:",
      maxAge: grant.expires_in,
    } as const;
    setCookie(c, "ACCESS_TOKEN", grant.access_token, { ...options, httpOnly: true });
    // spec §3: expiry is issued-at plus expires_in; seconds since the epoch
    setCookie(c, "expires_in", String(grant.iat + grant.expires_in), options);
    const [supplierId] = await store.memberships(accountId);
    if (supplierId !== undefined) setCookie(c, "supplier_id", supplierId, options);
  }

  const module: ServerModule = {
    name: "accounts",
    routes(app) {
      openRoute(app, loginCall, async ({ body, c }) => {
        const systemName = clientOf(c.req.header("authorization"));
        const address = getConnInfo(c).remote.address ?? "";
        const { grant, accountId } = await sessions.login({ ...body, systemName, address });
        await setCookies(c, grant, accountId);
        return grant;
      });
      openRoute(app, refreshCall, async ({ body, c }) => {
        clientOf(c.req.header("authorization"));
        const { grant, accountId } = await sessions.refresh(body.refresh_token);
        await setCookies(c, grant, accountId);
        return grant;
      });
      route(app, logoutCall, { directory }, async ({ principal, c }) => {
        await sessions.end(principal.sessionId);
        for (const name of ["ACCESS_TOKEN", "expires_in", "supplier_id"]) {
          deleteCookie(c, name, { path: "/" });
        }
        return null;
      });
      route(app, accountCall, { directory }, async ({ principal }) => {
        const account = await store.byId(principal.accountId);
        if (account === null) throw new AppError("auth.info-failed");
        const roles = await store.roles(account.id);
        const here = roles.filter(
          (r) => principal.supplierId === null || r.supplierId === principal.supplierId,
        );
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
          permissions: [...new Set(here.flatMap((r) => r.permissions))],
        };
      });
    },
    start() {
      runSweep();
      return Promise.resolve();
    },
    stop() {
      sweep?.cancel();
      sweep = null;
      return Promise.resolve();
    },
  };
  return { module, directory, store };
}
