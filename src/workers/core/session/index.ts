/**
 * The one session of all tabs (console spec §4.1): login, who is logged in and where, company switch, logout, and tokens that never
 * leave the core. What a person may know of it is the session slice; other rooms see the `Session` of contracts.ts.
 */
import { z } from "zod";
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { loginCall, logoutCall, refreshCall } from "../../../shared/protocol/rest/index.ts";
import { sessionSliceSchema, type SessionSlice } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Http, Session, SessionUser, Stats, Store } from "../contracts.ts";
import { createHttp, type HttpClient, type Transport } from "../http/index.ts";
import { emptySession } from "../store/index.ts";
import { fetchInfo, type Info } from "./info.ts";
import { menuIdOf } from "./menu-id.ts";
import { createTokens, REFRESH_TIMEOUT } from "./tokens.ts";

const CHOICE_KEY = "session.company";
const INFO_KEY = "session.info";
const choiceSchema = z.object({ accountId: z.string(), employeeId: z.string() });

export interface SessionDeps {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "locks" | "online" | "config" | "report">;
  readonly store: Store;
  readonly stats: Pick<Stats, "refreshed" | "error">;
  readonly transport: Transport;
  /** Server time minus local time, ms. */
  readonly offset: () => number;
  /** Login, logout or refusal: cores of other builds share the storage. */
  readonly onChanged: () => void;
  /** Page that the person looks at: the menu-id header names its menu entry. */
  readonly path: () => string | null;
}

export interface SessionRoom {
  readonly session: Session;
  readonly http: Http;
  readonly handlers: Handlers<"session">;
  /** Reads storage and shows what it holds; the info is then fetched anew. Commands wait for it. */
  restore(): Promise<void>;
  /** Another core has changed the storage: follows it. */
  reread(): Promise<void>;
  stop(): void;
}

export function createSession(deps: SessionDeps): SessionRoom {
  const { env, store, stats } = deps;
  const listeners = new Set<(user: SessionUser | null) => void>();
  let user: SessionUser | null = null;
  /** Raised by login, logout and refusal: what an older request brings is dropped. */
  let generation = 0;
  let loading: { generation: number; promise: Promise<Info> } | null = null;
  let restoring: Promise<void> = Promise.resolve();

  const slice = (): Readonly<SessionSlice> => store.get("session");
  const put = (next: SessionSlice): void => {
    store.set(["session"], next);
    store.flush();
  };
  const tellUser = (next: SessionUser | null): void => {
    user = next;
    for (const listener of listeners) {
      try {
        listener(next);
      } catch (error) {
        stats.error(AppError.from(error));
      }
    }
  };
  const keep = async (key: string, value: unknown): Promise<void> => {
    try {
      if (value === null) await env.kv.del(key);
      else await env.kv.set(key, value);
    } catch {
      env.report("session: the storage could not be written");
    }
  };

  const leave = (): void => {
    generation += 1;
    loading = null;
    put(emptySession("anonymous", deps.offset()));
    tellUser(null);
  };
  const forget = async (): Promise<void> => {
    leave();
    await Promise.all([keep(CHOICE_KEY, null), keep(INFO_KEY, null)]);
    deps.onChanged();
  };

  const tokens = createTokens({
    env,
    offset: deps.offset,
    refresh: (refreshToken, systemName) =>
      http.call(
        refreshCall,
        { body: { refresh_token: refreshToken, grant_type: "refresh_token" } },
        { systemName, timeout: REFRESH_TIMEOUT },
      ),
    onRefreshed: () => stats.refreshed(),
    onRefused: () => {
      void forget();
      const error = new AppError("auth.refresh-refused");
      store.notice({ style: "error", text: error.message, key: error.code, code: error.code });
    },
  });
  const http: HttpClient = createHttp({
    env,
    transport: deps.transport,
    authority: {
      accessToken: () => tokens.access(),
      renewAfter401: (token, error) => tokens.renewAfter401(token, error),
      supplierId: () => slice().supplierId,
      menuId: () => menuIdOf(slice().menus, deps.path()),
    },
  });

  const take = (info: SessionSlice): void => {
    put(info);
    void keep(INFO_KEY, info);
    if (info.accountId === null || info.username === null) return;
    tellUser({
      accountId: info.accountId,
      username: info.username,
      name: info.name,
      supplierId: info.supplierId,
    });
  };

  const chosenEmployee = async (): Promise<string | null> => {
    const stored = choiceSchema.safeParse(await env.kv.get(CHOICE_KEY).catch(() => null));
    return stored.success ? stored.data.employeeId : null;
  };

  /** @param employeeId the company to go to; left out: the one chosen last */
  const fetchAndTake = async (employeeId?: string): Promise<Info> => {
    const mine = generation;
    if (tokens.peek() === null) throw new AppError("auth.required");
    let info: Info;
    try {
      const chosen = employeeId ?? (await chosenEmployee());
      info = await fetchInfo(http, slice().systemName, chosen);
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (mine === generation && error.code === "auth.info-failed") {
        await tokens.clear();
        await forget();
      }
      throw error;
    }
    if (mine !== generation) throw new AppError("auth.required");
    const before = slice();
    take({
      ...info.slice,
      status: "authenticated",
      chatUserName:
        before.accountId === info.slice.accountId
          ? before.chatUserName
          : (info.slice.employee?.userName ?? null),
      serverTimeOffset: deps.offset(),
    });
    return info;
  };
  /** One at a time: every tab's guard asks for it. */
  const loadInfo = (): Promise<Info> => {
    if (loading === null || loading.generation !== generation) {
      const promise = fetchAndTake().finally(() => {
        if (loading?.promise === promise) loading = null;
      });
      loading = { generation, promise };
    }
    return loading.promise;
  };

  const restore = async (): Promise<void> => {
    const systemName = await tokens.restore();
    if (systemName === null) {
      put(emptySession("anonymous", deps.offset()));
      return;
    }
    const kept = sessionSliceSchema.safeParse(await env.kv.get(INFO_KEY).catch(() => null));
    if (kept.success) {
      // what was true a moment ago: a call can go on before the server has said it again
      take({ ...kept.data, status: "authenticated", serverTimeOffset: deps.offset() });
    } else {
      put({ ...emptySession("authenticated", deps.offset()), systemName });
    }
    loadInfo().catch((error: unknown) => stats.error(AppError.from(error)));
  };

  const stopOnline = env.online.onChange((online) => {
    if (online) tokens.retry();
    if (online && tokens.peek() !== null && !slice().infoLoaded) loadInfo().catch(() => {});
  });

  return {
    http,
    session: {
      user: () => user,
      accessToken: () => tokens.access(),
      onUser(handler) {
        listeners.add(handler);
        return () => listeners.delete(handler);
      },
    },

    restore() {
      restoring = restore();
      return restoring;
    },

    async reread() {
      await restoring;
      const before = tokens.peek();
      const systemName = await tokens.restore();
      if (tokens.peek() === before) return;
      if (before !== null) leave();
      if (systemName !== null) {
        restoring = restore();
        await restoring;
      }
    },

    handlers: {
      async login({ username, password, systemName }) {
        await restoring;
        const body = { username: username.trim(), password, grant_type: "password" as const };
        const grant = await http.call(loginCall, { body }, { systemName });
        generation += 1;
        loading = null;
        await tokens.put(grant, systemName);
        if (user !== null) tellUser(null);
        await Promise.all([keep(CHOICE_KEY, null), keep(INFO_KEY, null)]);
        put({
          ...emptySession("authenticated", deps.offset()),
          systemName,
        });
        deps.onChanged();
        return null;
      },

      async loadInfo() {
        await restoring;
        const info = await loadInfo();
        if (info.noRoles) throw new AppError("auth.no-roles");
        return null;
      },

      async logout() {
        await restoring;
        const token = tokens.peek();
        await tokens.clear();
        await forget();
        if (token === null || !env.online.online) return null;
        try {
          await http.call(logoutCall, {}, { token, supplierId: null });
        } catch (thrown) {
          const error = AppError.from(thrown);
          // a token that is no longer good, or a server that is not there, has no message to show
          const status = error.details?.["status"];
          if (typeof status === "number" && status !== 401) throw error;
          env.report(`logout: ${error.code}`);
        }
        return null;
      },

      async switchCompany({ employeeId }) {
        const { employees, accountId } = slice();
        const known = employees.some((employee) => employee.id === employeeId);
        if (!known || accountId === null) {
          throw new AppError("request.not-found", { details: { field: "employeeId" } });
        }
        const info = await fetchAndTake(employeeId);
        if (info.slice.employee?.id !== employeeId) throw new AppError("request.not-found");
        await keep(CHOICE_KEY, { accountId, employeeId });
        return null;
      },
    },

    stop() {
      stopOnline();
      tokens.stop();
    },
  };
}
