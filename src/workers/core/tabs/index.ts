/**
 * Who is there: one record a tab, from its hello to the moment its Web Lock falls free. MessagePorts tell nobody that they closed
 * (it has no close event), so the core waits in the queue of `tab:<id>`, and having it means the tab is gone for sure.
 */
import { AppError } from "../../../shared/errors.ts";
import {
  helloSchema,
  PORT_PROTOCOL,
  tabLock,
  type Claim,
  type Hello,
  type HelloAnswer,
} from "../../../shared/protocol/tab-port.ts";
import type { CoreEnv, Stats, TabInfo, Tabs } from "../contracts.ts";
import type { CoreStore, PortLike, Subscription } from "../store/index.ts";
import { createMediaPort, type TabMediaPort } from "./media-port.ts";

export interface HelloPort extends PortLike {
  onmessage: ((event: MessageEvent) => void) | null;
}

export interface TabsDeps {
  readonly env: Pick<CoreEnv, "clock" | "locks" | "coreId">;
  readonly store: CoreStore;
  readonly stats: Pick<Stats, "error">;
  readonly startedAt: number;
  /** Exposes the core's commands to the tab on the port. */
  readonly expose: (tabId: string, port: MessagePort) => void;
}

export interface TabsModule extends Tabs {
  /** Takes a port of the SharedWorker, whose first message is a hello. */
  connect(port: HelloPort): void;
  /** For modules created after tabs joined: its onJoin is also called for the present tabs. */
  replaying(): Tabs;
  /** Updates each tab's number of unacknowledged ops in the tabs slice. */
  measure(): void;
  /** Path of the page that the person looks at; null without tabs. */
  path(): string | null;
  /** Language of the page that the person looks at; null without tabs. */
  language(): string | null;
  stop(): void;
}

interface Tab {
  info: { tabId: string; visible: boolean; focusedAt: number; connectedAt: number };
  path: string;
  language: string | null;
  readonly media: TabMediaPort;
  subscription: Subscription;
  hello: HelloPort;
  rpc: PortLike;
  claim: Claim | null;
  readonly leave: AbortController;
}

const better = (a: TabInfo, b: TabInfo): number =>
  Number(b.visible) - Number(a.visible) ||
  b.focusedAt - a.focusedAt ||
  b.connectedAt - a.connectedAt;

export function createTabs(deps: TabsDeps): TabsModule {
  const { env, store, stats } = deps;
  const tabs = new Map<string, Tab>();
  const joins = new Set<(tab: TabInfo, claim: Claim | null) => void>();
  const leaves = new Set<(tabId: string) => void>();

  /** Isolates handlers: an error in one module must not keep the others from running. */
  const runIsolated = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      stats.error(AppError.from(error));
    }
  };
  const show = (tab: Tab): void => {
    store.set(["tabs", "byId", tab.info.tabId], {
      ...tab.info,
      path: tab.path,
      unacked: tab.subscription.unacked,
    });
  };
  const closePorts = (tab: Tab): void => {
    tab.subscription.close();
    tab.rpc.close();
  };
  const gone = (tab: Tab): void => {
    const { tabId } = tab.info;
    if (tabs.get(tabId) !== tab) return;
    tabs.delete(tabId);
    closePorts(tab);
    tab.media.close();
    tab.hello.onmessage = null;
    tab.hello.close();
    store.del(["tabs", "byId", tabId]);
    for (const handler of leaves) runIsolated(() => handler(tabId));
  };
  const watch = (tab: Tab): void => {
    env.locks.acquire(tabLock(tab.info.tabId), tab.leave.signal).then(
      (lock) => {
        lock.release();
        gone(tab);
      },
      (error: unknown) => {
        if (!tab.leave.signal.aborted) stats.error(AppError.from(error));
      },
    );
  };

  const present = (
    tab: Tab,
    {
      visible,
      focusedAt,
      path,
      language,
    }: Pick<Hello, "visible" | "focusedAt" | "path" | "language">,
  ): void => {
    tab.info = { ...tab.info, visible, focusedAt };
    tab.path = path;
    tab.language = language ?? null;
    tab.subscription.setVisible(visible);
    show(tab);
  };
  const attach = (tabId: string, port: PortLike, visible: boolean): Subscription =>
    store.attach({
      port,
      visible,
      onPresence: (presence) => {
        const tab = tabs.get(tabId);
        if (tab !== undefined) present(tab, presence);
      },
      onBad: (error) => stats.error(error),
    });

  const join = (hello: Hello, helloPort: HelloPort, ports: readonly MessagePort[]): void => {
    const [rpc, state, media] = ports as [MessagePort, MessagePort, MessagePort];
    const { tabId, visible, focusedAt, path } = hello;
    deps.expose(tabId, rpc);
    let tab = tabs.get(tabId);
    if (tab === undefined) {
      tab = {
        info: { tabId, visible, focusedAt, connectedAt: env.clock.now() },
        path,
        language: hello.language ?? null,
        media: createMediaPort((error) => stats.error(error)),
        subscription: attach(tabId, state as PortLike, visible),
        hello: helloPort,
        rpc: rpc as PortLike,
        claim: hello.claim,
        leave: new AbortController(),
      };
      tabs.set(tabId, tab);
      watch(tab);
    } else {
      // the tab returned from the bfcache, or lost its ports
      closePorts(tab);
      if (tab.hello !== helloPort) {
        tab.hello.onmessage = null;
        tab.hello.close();
      }
      tab.info = { ...tab.info, visible, focusedAt };
      tab.path = path;
      tab.language = hello.language ?? null;
      tab.subscription = attach(tabId, state as PortLike, visible);
      tab.hello = helloPort;
      tab.rpc = rpc as PortLike;
      tab.claim = hello.claim;
    }
    tab.media.use(media as PortLike);
    show(tab);
    const joined = tab;
    for (const handler of joins) runIsolated(() => handler(joined.info, hello.claim));
  };

  const answer = (port: HelloPort, message: HelloAnswer): void => port.postMessage(message);
  const refuse = (port: HelloPort, field: string): void => {
    const error = new AppError("core.bad-message", { details: { port: "hello", field } });
    stats.error(error);
    answer(port, { t: "refused", error: error.toWire() });
  };

  const tabsModule: TabsModule = {
    list: () => [...tabs.values()].map((tab) => tab.info).sort(better),
    best: (except) => tabsModule.list().find((tab) => tab.tabId !== except) ?? null,
    media: (tabId) => tabs.get(tabId)?.media ?? null,
    onJoin(handler) {
      joins.add(handler);
      return () => joins.delete(handler);
    },
    onLeave(handler) {
      leaves.add(handler);
      return () => leaves.delete(handler);
    },
    connect(port) {
      port.onmessage = (event) => {
        const hello = helloSchema.safeParse(event.data);
        if (!hello.success) {
          refuse(port, hello.error.issues[0]?.path.join(".") ?? "");
        } else if (hello.data.protocol !== PORT_PROTOCOL) {
          refuse(port, "protocol");
        } else if (event.ports.length !== 3) {
          refuse(port, "ports");
        } else {
          const { coreId } = env;
          answer(port, { t: "welcome", coreId, startedAt: deps.startedAt });
          join(hello.data, port, event.ports);
        }
      };
    },
    replaying: () => ({
      ...tabsModule,
      onJoin(handler) {
        const stop = tabsModule.onJoin(handler);
        for (const { info, claim } of tabs.values()) runIsolated(() => handler(info, claim));
        return stop;
      },
    }),
    measure() {
      for (const tab of tabs.values()) {
        store.set(["tabs", "byId", tab.info.tabId, "unacked"], tab.subscription.unacked);
      }
    },
    path() {
      const best = tabsModule.best();
      return best === null ? null : (tabs.get(best.tabId)?.path ?? null);
    },
    language() {
      const best = tabsModule.best();
      return best === null ? null : (tabs.get(best.tabId)?.language ?? null);
    },
    stop() {
      for (const tab of tabs.values()) {
        tab.leave.abort();
        closePorts(tab);
        tab.media.close();
      }
      tabs.clear();
    },
  };
  return tabsModule;
}
