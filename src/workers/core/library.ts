/**
 * The core of the conferencing library: the modules of the console's core that a conference needs (tabs, store, rpc, http,
 * conferences), and a session made of what the host page says about the person. library-entry.ts passes the browser's environment.
 */
import { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../../shared/protocol/core-rpc.ts";
import { configWith } from "./conferences/config.ts";
import { createConferences, type Conferences } from "./conferences/index.ts";
import {
  type LibraryConfig,
  type LibrarySettings,
  nameForInstance,
} from "../../shared/protocol/library.ts";
import type { CoreEnv, Session, SessionUser } from "./contracts.ts";
import { createHttp, createTransport, type Transport } from "./http/index.ts";
import { createLibraryHosts } from "./library-hosts.ts";
import { createQoe } from "./qoe/index.ts";
import { createRpc } from "./rpc/index.ts";
import { createStats } from "./stats/index.ts";
import { createStore, emptySession, initialSlices } from "./store/index.ts";
import { createTabs, type HelloPort } from "./tabs/index.ts";

export interface LibraryCoreDeps {
  readonly env: CoreEnv;
  /** Where the platform is. Left out: at the gateway of the environment. */
  readonly hosts?: Pick<LibraryConfig, "dnsHosts" | "deployUrl">;
  readonly instance?: string | undefined;
  /** Left out: the defaults. */
  readonly settings?: LibrarySettings | undefined;
  /** Comlink.expose or a fake. */
  readonly expose: (facade: object, port: MessagePort) => void;
  /** Replaces the HTTP transport in tests. */
  readonly transport?: Transport;
}

export interface LibraryCore {
  connect(port: HelloPort): void;
  fault(error: AppError | Error | string): void;
  stop(): void;
}

/** Held by the one library core of its instance that has the sockets; the core of a newer build waits until the older one's tabs are gone. */
const LIBRARY_LOCK = "conference-library";

export function createLibraryCore({ expose, ...given }: LibraryCoreDeps): LibraryCore {
  const { clock } = given.env;
  const transport =
    given.transport ??
    createTransport({
      baseUrl: "",
      clock,
      online: given.env.online,
      onOffset: (ms) => store.set(["session", "serverTimeOffset"], ms),
    });
  const { config: settings } = given.env;
  const hosts = createLibraryHosts({
    config: {
      origin: settings.gatewayBaseUrl,
      provider: settings.rtcProvider,
      appkey: settings.easemob.appKey,
      ...given.hosts,
    },
    kv: given.env.kv,
    transport,
    log: given.env.log,
  });
  const env: CoreEnv = {
    ...given.env,
    config: {
      ...settings,
      // Read at each connection, because a name service may say another host later.
      get gatewayBaseUrl() {
        return hosts.origin();
      },
    },
    rewrites: () => hosts.rewrites(),
  };
  /** Finds the platform first, and once more after it did not answer. */
  const located: Transport = async (request) => {
    await hosts.locate();
    const base = hosts.origin() === "" ? env.home : hosts.origin();
    try {
      return await transport({ ...request, path: base + request.path });
    } catch (error) {
      const { code, details } = AppError.from(error);
      if (code === "server.unavailable" && details?.["status"] === undefined) hosts.lost();
      throw error;
    }
  };
  const startedAt = clock.now();
  const stats = createStats({
    clock,
    store: () => store,
    log: env.log,
    everySecond: () => tabs.measure(),
  });
  const store = createStore({
    clock,
    epoch: env.coreId,
    newId: env.newId,
    slices: initialSlices({ coreId: env.coreId, build: env.build, now: startedAt }),
    onSent: (ops) => stats.opsOut(ops),
    onLatency: (ms) => stats.fanOut(ms),
  });
  const tabs = createTabs({
    env,
    store,
    stats,
    startedAt,
    expose: (tabId, port) => expose(rpc.facadeFor(tabId), port),
  });

  let user: SessionUser | null = null;
  let token: string | null = null;
  const listeners = new Set<(user: SessionUser | null) => void>();
  const accessToken = (): Promise<string> =>
    token === null ? Promise.reject(new AppError("auth.required")) : Promise.resolve(token);
  const session: Session = {
    user: () => user,
    accessToken,
    onUser(handler) {
      listeners.add(handler);
      return () => listeners.delete(handler);
    },
  };
  const library: Handlers<"library"> = {
    async identify({ memName, token: next }) {
      const isAnother = user !== null && user.username !== memName;
      if (isAnother && conferences?.active() === true) {
        throw new AppError("conference.current-calling");
      }
      token = next;
      // A conference that is joined by ticket begins without a request.
      await hosts.locate().catch((error: unknown) => stats.error(AppError.from(error)));
      if (user?.username === memName) return null;
      user = { accountId: memName, username: memName, name: memName, supplierId: null };
      store.set(["session"], {
        ...emptySession("authenticated"),
        accountId: memName,
        username: memName,
        name: memName,
        chatUserName: memName,
      });
      store.flush();
      for (const listener of listeners) listener(user);
      return null;
    },
  };
  const http = createHttp({
    env,
    transport: located,
    authority: {
      accessToken,
      // the host page renews an expired token by setIdentity
      renewAfter401: () => Promise.resolve(false),
      accepted: () => {},
      rejected: () => {},
      supplierId: () => null,
      menuId: () => null,
      language: () => tabs.language(),
    },
  });

  const { statsSeconds, uploadStats = true, ...timings } = given.settings ?? {};
  const qoe = createQoe({
    env,
    store,
    session,
    stats,
    precise: () => performance.now(),
    recordMillis: statsSeconds === undefined ? undefined : statsSeconds * 1000,
  });
  let conferences: Conferences | null = null;
  let lock: { release(): void } | null = null;
  const lockName = nameForInstance(LIBRARY_LOCK, given.instance);
  const leaving = new AbortController();
  const held = env.locks.acquire(lockName, leaving.signal).then(
    async (got) => {
      lock = got;
      // Before the conference of an earlier core goes on.
      await hosts.restore();
      if (leaving.signal.aborted) return got.release();
      conferences = createConferences({
        env,
        store,
        tabs: tabs.replaying(),
        session,
        http,
        stats,
        nextEpoch: (last) => last + 1,
        busy: () => false,
        config: configWith(timings),
        ...(uploadStats ? { qoe } : {}),
      });
    },
    (error: unknown) => {
      if (!leaving.signal.aborted) stats.error(AppError.from(error));
    },
  );
  const rpc = createRpc({
    // the library has no companies
    company: () => null,
    clock,
    precise: () => performance.now(),
    stats,
    handlers: () => ({ library, conference: conferences?.handlers }),
  });
  tabs.onJoin(() => stats.start());
  tabs.onLeave(() => {
    if (tabs.list().length === 0) stats.stop();
  });

  return {
    // wait for the modules, because an earlier command would be answered core.gone
    connect: (port) => void held.then(() => tabs.connect(port)),
    fault: (error) => stats.error(error),
    stop() {
      leaving.abort();
      conferences?.stop();
      qoe.close();
      conferences = null;
      lock?.release();
      lock = null;
      stats.stop();
      tabs.stop();
    },
  };
}
