import { expect, test } from "vitest";
import { PORT_PROTOCOL, SOCKETS_LOCK, tabLock } from "../../shared/protocol/tab-port.ts";
import type { CoreEnv } from "./contracts.ts";
import { createCore, type CoreDeps } from "./core.ts";
import type { PortLike } from "./store/index.ts";
import type { Channel } from "./sockets-lease.ts";
import { createFakeEnv, settle, type FakeEnv } from "./core.fake.ts";

/** BroadcastChannel between the cores of one test. */
function createAir() {
  const channels = new Set<Channel>();
  return (): Channel => {
    const ownChannel: Channel = {
      onmessage: null,
      close: () => void channels.delete(ownChannel),
      postMessage(data) {
        for (const other of channels) {
          if (other !== ownChannel)
            other.onmessage?.({ data: structuredClone(data) } as MessageEvent);
        }
      },
    };
    channels.add(ownChannel);
    return ownChannel;
  };
}
const port = (): PortLike & { sent: unknown[] } => {
  const sent: unknown[] = [];
  return { sent, onmessage: null, close: () => {}, postMessage: (m) => void sent.push(m) };
};

function start(
  env: FakeEnv,
  air: () => Channel,
  over: Partial<CoreEnv> = {},
  stopped: Promise<void> = Promise.resolve(),
) {
  const log: string[] = [];
  let deps: Parameters<CoreDeps["createModules"]>[0] | null = null;
  const core = createCore({
    env: { ...env, ...over },
    channel: air(),
    expose: () => {},
    transport: () => Promise.reject(new Error("no wire")),
    createModules(given) {
      deps = given;
      log.push("start");
      return {
        handlers: {} as never,
        readGroupFile: () => Promise.reject(new Error("no chat")),
        met: () => {},
        changed: () => {},
        stop() {
          log.push("stop");
          return stopped;
        },
      };
    },
  });
  const open = async (tabId: string) => {
    const lock = (await env.locks.held(tabLock(tabId)))
      ? null
      : await env.locks.acquire(tabLock(tabId));
    const hello = port();
    const ports = [port(), port(), port()] as const;
    core.connect(hello);
    hello.onmessage?.({
      data: {
        t: "hello",
        protocol: PORT_PROTOCOL,
        build: over.build ?? env.build,
        tabId,
        visible: true,
        focusedAt: 0,
        path: "/",
        claim: null,
      },
      ports,
    } as unknown as MessageEvent);
    await settle();
    return { hello, state: ports[1], close: () => lock?.release() };
  };
  const modules = () => {
    if (deps === null) throw new Error("the modules were not made");
    return deps;
  };
  return { core, log, open, modules };
}

test("sockets are held while there are tabs and 30 s after; a tab that returns in time keeps them", async () => {
  const env = createFakeEnv();
  const { open, log } = start(env, createAir());
  expect(log).toEqual([]);
  const first = await open("a");
  expect(log).toEqual(["start"]);
  first.close();
  await settle();
  env.clock.advance(29_000);
  const second = await open("b");
  env.clock.advance(60_000);
  expect(log).toEqual(["start"]);
  second.close();
  await settle();
  env.clock.advance(30_000);
  expect(log).toEqual(["start", "stop"]);
  await settle();
  expect(await env.locks.held(SOCKETS_LOCK)).toBe(false);
  await open("c");
  expect(log).toEqual(["start", "stop", "start"]);
});

test("the next core waits until the older one has stored its last changes, but no longer than two seconds", async () => {
  const env = createFakeEnv();
  const air = createAir();
  let stored = (): void => {};
  const older = start(env, air, { build: "b1" }, new Promise((resolve) => (stored = resolve)));
  await older.open("a");
  const newer = start(env, air, { build: "b2", coreId: "core-2" });
  await newer.open("n");
  await settle();
  expect([older.log, newer.log]).toEqual([["start", "stop"], []]);
  stored();
  await settle();
  expect(newer.log).toEqual(["start"]);

  const slow = start(env, air, { build: "b3", coreId: "core-3" }, new Promise(() => {}));
  await slow.open("s");
  await settle();
  const last = start(env, air, { build: "b4", coreId: "core-4" });
  await last.open("l");
  await settle();
  expect([slow.log, last.log]).toEqual([["start", "stop"], []]);
  env.clock.advance(2_000);
  await settle();
  expect(last.log).toEqual(["start"]);
});

test("the older core releases the sockets to a newer build, informs its tabs, and queues behind", async () => {
  const env = createFakeEnv();
  const air = createAir();
  const older = start(env, air, { build: "b1" });
  const tab = await older.open("a");
  const newer = start(env, air, { build: "b2", coreId: "core-2" });
  const newTab = await newer.open("n");
  await settle();
  expect(older.log).toEqual(["start", "stop"]);
  expect(newer.log).toEqual(["start"]);
  expect(tab.state.sent.at(-1)).toEqual({ t: "retired", build: "b2" });
  const late = await older.open("late");
  expect(late.state.sent[1]).toEqual({ t: "retired", build: "b2" });
  env.clock.advance(2_000);
  await settle();
  expect(older.log).toEqual(["start", "stop"]);
  newTab.close();
  await settle();
  env.clock.advance(30_000);
  await settle();
  expect(newer.log).toEqual(["start", "stop"]);
  expect(older.log).toEqual(["start", "stop", "start"]);
});

test("a newer build gets the sockets only after a running call has ended", async () => {
  const env = createFakeEnv();
  const air = createAir();
  const older = start(env, air, { build: "b1" });
  await older.open("a");
  const { store } = older.modules();
  store.set(["call", "status"], "chat");
  const newer = start(env, air, { build: "b2", coreId: "core-2" });
  await newer.open("n");
  env.clock.advance(600_000);
  await settle();
  expect([older.log, newer.log]).toEqual([["start"], []]);
  store.set(["call", "status"], "idle");
  env.clock.advance(1_000);
  await settle();
  expect([older.log, newer.log]).toEqual([["start", "stop"], ["start"]]);
});

test("a restart is counted only when tabs of the former core are alive", async () => {
  const env = createFakeEnv();
  const first = start(env, createAir());
  const tab = await first.open("a");
  const second = start(env, createAir(), { coreId: "core-2" });
  await settle();
  await second.open("a");
  expect(second.modules).toThrow();
  const seen = port();
  second.core.connect(seen);
  tab.close();
  await settle();
  const snapshot = await start(env, createAir(), { coreId: "core-3" }).open("b");
  await settle();
  env.clock.advance(1_000);
  const worker = (snapshot.state.sent as { slices?: { worker: { restarts: number } } }[])[0];
  expect(worker?.slices?.worker.restarts).toBe(1);
});
