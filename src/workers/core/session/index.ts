/**
 * The one session of all tabs (docs/session.md): login, who is logged in and where, company switch, logout, and tokens that never
 * leave the core. Tabs see the session slice; other modules of the core see the `Session` of contracts.ts.
 */
import { AppError } from "../../../shared/errors.ts";
import type { SystemName } from "../../../shared/protocol/config.ts";
import { logoutCall, refreshCall, type TokenGrant } from "../../../shared/protocol/rest/index.ts";
import type { SessionSlice } from "../../../shared/protocol/state.ts";
import type { Timer } from "../contracts.ts";
import { createHttp, type HttpClient } from "../http/index.ts";
import { emptySession } from "../store/index.ts";
import type { SessionDeps, SessionModule } from "./contracts.ts";
import { endedBy } from "./ended.ts";
import { createExpiredQuestion } from "./expired.ts";
import { createFarewell } from "./farewell.ts";
import { createSessionHandlers } from "./handlers.ts";
import { createKept } from "./kept.ts";
import { createLoading } from "./loading.ts";
import { createLock } from "./lock.ts";
import { createMemberships } from "./memberships.ts";
import { menuIdOf } from "./menu-id.ts";
import { createRights } from "./rights.ts";
import { createTokens } from "./tokens.ts";
import { createWho } from "./who.ts";

/** ms that a logout waits for the platform. After that the person is logged out and the platform is informed later. */
const LOGOUT_TIMEOUT = 8_000;
/** ms between attempts to read a login that could not be read, and how many there are. */
const RESTORE_MS = 5_000;
const RESTORES = 12;

export function createSession(deps: SessionDeps): SessionModule {
  const { env, store, stats } = deps;
  const kept = createKept(env);
  const question = createExpiredQuestion({
    clock: env.clock,
    store,
    tabs: deps.tabs,
    busy: deps.busy,
  });
  const who = createWho(store, stats);
  const { slice, put } = who;
  /** Raised by login, logout and refusal, so that answers to older requests are dropped. */
  let generation = 0;
  let restoring: Promise<void> = Promise.resolve();
  let restores = 0;
  let restoreTimer: Timer | null = null;

  const leave = (left: SessionSlice["left"] = null): void => {
    generation += 1;
    loading.forget();
    question.clear();
    put({ ...emptySession("anonymous", deps.offset()), left });
    who.setUser(null);
  };
  const forget = async (left: SessionSlice["left"]): Promise<void> => {
    leave(left);
    await Promise.all([kept.forget(), lock.forget()]);
    deps.onChanged();
  };

  const tokens = createTokens({
    env,
    offset: deps.offset,
    refresh: (refreshToken, systemName) =>
      http.call(
        refreshCall,
        { body: { refresh_token: refreshToken, grant_type: "refresh_token" } },
        { systemName },
      ),
    onRefreshed: () => stats.refreshed(),
    onTokens: () => store.set(["session", "expiresAt"], tokens.expiresAt()),
    onRefused: ({ code }) => {
      // no page is shown yet, so there is nothing to ask; nor is there when somebody ended the login on purpose
      const left = endedBy(code) ?? (slice().infoLoaded ? null : "expired");
      if (left !== null) {
        void forget(left);
        return;
      }
      // pages with their input stay, and a call continues, until the person has answered
      void kept.forget();
      deps.onChanged();
      question.raise();
    },
  });
  const http: HttpClient = createHttp({
    env,
    transport: deps.transport,
    authority: {
      accessToken: () => tokens.access(),
      renewAfter401: (token, error) => tokens.renewAfter401(token, error),
      accepted: () => question.accepted(),
      rejected: () => {
        if (slice().status === "authenticated" && slice().infoLoaded) question.raise();
      },
      forbidden: () => rights.doubted(),
      supplierId: () => slice().supplierId,
      menuId: () => menuIdOf(slice().menus, deps.path()),
      language: deps.language,
    },
  });
  const lock = createLock({ http, kept, slice, put, onChanged: deps.onChanged });
  const farewell = createFarewell({
    env,
    logout: (token) =>
      http.call(logoutCall, {}, { token, supplierId: null, timeout: LOGOUT_TIMEOUT }),
  });

  const show = (info: SessionSlice): void => {
    put({
      ...info,
      left: null,
      outside: null,
      expired: slice().expired,
      expiresAt: tokens.expiresAt(),
    });
    void kept.keepInfo(info);
  };
  const applyInfo = (info: SessionSlice): void => {
    show(info);
    if (info.accountId === null || info.username === null) return;
    who.setUser({
      accountId: info.accountId,
      username: info.username,
      name: info.name,
      supplierId: info.supplierId,
    });
  };

  const memberships = createMemberships({
    http: () => http,
    kept,
    tokens,
    farewell,
    who,
    forget,
    generation: () => generation,
    running: () => loading.running(),
    loadInfo: () => loading.loadInfo(),
  });

  const rights = createRights({
    clock: env.clock,
    http: () => http,
    slice,
    showSlice: show,
    reload: () => loading.loadInfo().catch((error: unknown) => stats.error(AppError.from(error))),
  });

  const loading = createLoading({
    http,
    offset: deps.offset,
    kept,
    tokens,
    question,
    memberships,
    rights,
    slice,
    generation: () => generation,
    applyInfo,
    endLogin: forget,
  });

  /** The login could not be read: it shows as none, and is read again as long as nobody logs in. */
  const restoreLater = (): void => {
    if (restores >= RESTORES) return;
    restores += 1;
    restoreTimer?.cancel();
    restoreTimer = env.clock.after(RESTORE_MS, () => {
      if (tokens.peek() === null) restoring = restore();
    });
  };
  const restore = async (): Promise<void> => {
    const ownGeneration = generation;
    let systemNameLogin: SystemName | null = null;
    try {
      systemNameLogin = await tokens.restore();
    } catch {
      restoreLater();
    }
    farewell.retry();
    if (ownGeneration !== generation) return;
    if (systemNameLogin === null) {
      put(emptySession("anonymous", deps.offset()));
      return;
    }
    const [info, locked] = await Promise.all([
      kept.info(),
      // a console that may be locked stays locked
      kept.locked().catch(() => true),
    ]);
    if (ownGeneration !== generation) return;
    if (info !== null) {
      // use the stored info, so that a call can continue before the server has confirmed it
      applyInfo({ ...info, status: "authenticated", locked, serverTimeOffset: deps.offset() });
    } else {
      begin(systemNameLogin, (await kept.systemName()) ?? systemNameLogin, locked);
    }
    loading.loadInfo().catch((error: unknown) => stats.error(AppError.from(error)));
  };

  /** Logged in, but the account is not known yet. */
  const begin = (systemNameLogin: SystemName, systemName = systemNameLogin, locked = false): void =>
    put({
      ...emptySession("authenticated", deps.offset()),
      systemName,
      systemNameLogin,
      locked,
      expiresAt: tokens.expiresAt(),
    });
  const enter = async (grant: TokenGrant, systemName: SystemName): Promise<void> => {
    generation += 1;
    loading.forget();
    question.clear();
    await tokens.put(grant, systemName);
    if (who.user() !== null) who.setUser(null);
    await Promise.all([kept.forget(), lock.forget()]);
    begin(systemName);
    deps.onChanged();
  };
  const stopOnline = env.online.onChange((online) => {
    if (online) {
      tokens.retry();
      farewell.retry();
    }
    if (online && tokens.peek() !== null && !slice().infoLoaded) loading.loadInfo().catch(() => {});
  });

  return {
    http,
    session: {
      user: who.user,
      accessToken: () => tokens.access(),
      onUser: who.onUser,
    },

    restore() {
      restoring = restore();
      return restoring;
    },

    settled() {
      const known = (): boolean =>
        slice().status === "anonymous" ||
        (slice().status === "authenticated" && slice().infoLoaded);
      if (known()) return null;
      return restoring.then(async () => {
        if (!known()) await loading.running()?.catch(() => undefined);
      });
    },

    membershipsChanged(left) {
      memberships.check(left).catch(() => rights.changed(null));
    },
    rightsChanged: rights.changed,
    changesMissed() {
      rights.missed();
      // without an answer the next opening asks again
      memberships.missed().catch(() => undefined);
    },

    async reread() {
      await restoring;
      const before = tokens.peek();
      const systemName = await tokens.restore();
      if (tokens.peek() === before) return lock.reread();
      if (before !== null || who.user() !== null) leave();
      if (systemName !== null) {
        restoring = restore();
        await restoring;
      }
    },

    handlers: createSessionHandlers({
      env,
      http,
      notice: store.notice,
      tokens,
      question,
      farewell,
      lock,
      slice,
      restored: () => restoring,
      enter,
      loadInfo: loading.loadInfo,
      switchTo: loading.switchTo,
      forget,
    }),

    stop() {
      stopOnline();
      restoreTimer?.cancel();
      rights.stop();
      question.stop();
      farewell.stop();
      tokens.stop();
    },
  };
}
