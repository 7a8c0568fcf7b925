import { expect, test } from "vitest";
import { initialSlices } from "../../../shared/protocol/initial-state.ts";
import { PORT_PROTOCOL, tabLock, type Claim } from "../../../shared/protocol/tab-port.ts";
import { createStore, type PortLike } from "../store/index.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import { createTabs } from "./index.ts";

interface TestPort extends PortLike {
  readonly sent: unknown[];
  closed: boolean;
}
const createPort = (): TestPort => {
  const port: TestPort = {
    sent: [],
    closed: false,
    onmessage: null,
    postMessage: (message) => void port.sent.push(message),
    close: () => {
      port.closed = true;
    },
  };
  return port;
};

function setUp() {
  const env = createFakeEnv();
  const errors: unknown[] = [];
  const store = createStore({
    clock: env.clock,
    epoch: "core-1",
    newId: env.newId,
    slices: initialSlices({ coreId: "core-1", build: "b", now: env.clock.now() }),
  });
  const exposed: string[] = [];
  const tabs = createTabs({
    env,
    store,
    startedAt: 5,
    stats: { error: (error) => void errors.push(error) },
    expose: (tabId) => void exposed.push(tabId),
  });
  const joined: string[] = [];
  const left: string[] = [];
  tabs.onJoin((tab, claim) => void joined.push(`${tab.tabId} ${claim?.callId ?? "-"}`));
  tabs.onLeave((tabId) => void left.push(tabId));
  /** A tab as the client makes it: first its lock, then the hello. */
  const open = async (tabId: string, more: Record<string, unknown> = {}, hello = createPort()) => {
    const held = await env.locks.held(tabLock(tabId));
    const lock = held ? null : await env.locks.acquire(tabLock(tabId));
    const ports = [createPort(), createPort(), createPort()] as const;
    if (hello.onmessage === null) tabs.connect(hello);
    const data = {
      t: "hello",
      protocol: PORT_PROTOCOL,
      build: "b",
      tabId,
      visible: true,
      focusedAt: 0,
      path: "/",
      claim: null,
      ...more,
    };
    hello.onmessage?.({ data, ports } as unknown as MessageEvent);
    const [rpc, state, media] = ports;
    return { hello, rpc, state, media, close: () => lock?.release() };
  };
  return { env, store, tabs, exposed, joined, left, errors, open };
}

test("a hello is welcomed, the snapshot follows, and the tab is shown", async () => {
  const { open, joined, exposed, store } = setUp();
  const claim: Claim = { callId: "c1", ownerEpoch: 2, rtcIds: [] };
  const tab = await open("a", { claim, path: "/chat" });
  expect(tab.hello.sent).toEqual([{ t: "welcome", coreId: "core-1", startedAt: 5 }]);
  expect(tab.state.sent[0]).toMatchObject({ t: "snapshot", epoch: "core-1" });
  expect(joined).toEqual(["a c1"]);
  expect(exposed).toEqual(["a"]);
  expect(store.get("tabs").byId["a"]).toMatchObject({ path: "/chat", visible: true, unacked: 0 });
});

test("a hello of another shape or protocol, or without its ports, is refused with the field", async () => {
  const { tabs, open, joined } = setUp();
  const port = createPort();
  tabs.connect(port);
  port.onmessage?.({ data: { t: "hello" }, ports: [] } as unknown as MessageEvent);
  expect(port.sent[0]).toMatchObject({ t: "refused", error: { code: "core.bad-message" } });
  const old = await open("a", { protocol: 99 });
  expect(old.hello.sent[0]).toMatchObject({ error: { details: { field: "protocol" } } });
  const bare = createPort();
  tabs.connect(bare);
  const data = { t: "hello", protocol: PORT_PROTOCOL, build: "b", tabId: "x", visible: true };
  bare.onmessage?.({
    data: { ...data, focusedAt: 0, path: "", claim: null },
    ports: [],
  } as unknown as MessageEvent);
  expect(bare.sent[0]).toMatchObject({ error: { details: { field: "ports" } } });
  expect(joined).toEqual([]);
});

test("a tab whose lock becomes free has left: its ports close, its entry goes, and handlers run once", async () => {
  const { open, left, store, tabs } = setUp();
  const a = await open("a");
  const b = await open("b");
  await settle();
  expect(left).toEqual([]);
  a.close();
  await settle();
  expect(left).toEqual(["a"]);
  expect([a.hello, a.rpc, a.state, a.media].every((port) => port.closed)).toBe(true);
  expect(b.state.closed).toBe(false);
  expect(Object.keys(store.get("tabs").byId)).toEqual(["b"]);
  expect(tabs.media("a")).toBe(null);
});

test("a tab that says hello again gets new ports for its old ones, keeps its media port, and leaves once", async () => {
  const { open, left, joined, tabs } = setUp();
  const first = await open("a");
  const mediaPort = tabs.media("a");
  const events: unknown[] = [];
  mediaPort?.onEvent((event) => void events.push(event));
  const second = await open("a", { path: "/again" }, first.hello);
  expect([first.rpc, first.state, first.media].every((port) => port.closed)).toBe(true);
  expect(first.hello.closed).toBe(false);
  expect(tabs.media("a")).toBe(mediaPort);
  second.media.onmessage?.({ data: { t: "owned", epoch: 3 } } as MessageEvent);
  expect(events).toEqual([{ t: "owned", epoch: 3 }]);
  mediaPort?.send({ t: "release", epoch: 3 });
  expect(second.media.sent).toEqual([{ t: "release", epoch: 3 }]);
  expect(joined).toEqual(["a -", "a -"]);
  expect(tabs.list()).toHaveLength(1);
  first.close();
  await settle();
  expect(left).toEqual(["a"]);
});

test("a media event of another shape is reported and dropped", async () => {
  const { open, tabs, errors } = setUp();
  const tab = await open("a");
  const events: unknown[] = [];
  tabs.media("a")?.onEvent((event) => void events.push(event));
  tab.media.onmessage?.({ data: { t: "owned", epoch: "x" } } as MessageEvent);
  expect(events).toEqual([]);
  expect(errors).toMatchObject([{ code: "core.bad-message", details: { field: "epoch" } }]);
});

test("the best tab is the visible one focused last, else the one focused last", async () => {
  const { open, tabs, store, env } = setUp();
  expect(tabs.best()).toBe(null);
  const a = await open("a", { visible: false, focusedAt: 30 });
  await open("b", { focusedAt: 10 });
  await open("c", { focusedAt: 20 });
  expect(tabs.best()?.tabId).toBe("c");
  expect(tabs.best("c")?.tabId).toBe("b");
  const post = (data: unknown): void => a.state.onmessage?.({ data } as MessageEvent);
  post({ t: "presence", visible: true, focusedAt: 31, path: "/x" });
  expect(tabs.best()?.tabId).toBe("a");
  expect(tabs.path()).toBe("/x");
  env.clock.advance(16);
  expect(store.get("tabs").byId["a"]).toMatchObject({ visible: true, focusedAt: 31, path: "/x" });
});

test("the language is that of the best tab, also after it changed, and unknown where no tab names one", async () => {
  const { open, tabs } = setUp();
  expect(tabs.language()).toBe(null);
  await open("a", { focusedAt: 1, language: "zh-CN" });
  const b = await open("b", { focusedAt: 2 });
  expect(tabs.language()).toBe(null);
  const presence = { t: "presence", visible: true, focusedAt: 2, path: "/", language: "en" };
  b.state.onmessage?.({ data: presence } as MessageEvent);
  expect(tabs.language()).toBe("en");
  b.state.onmessage?.({ data: { ...presence, visible: false } } as MessageEvent);
  expect(tabs.language()).toBe("zh-CN");
});

test("a module created later learns of the present tabs and their claims", async () => {
  const { open, tabs } = setUp();
  await open("a", { claim: { callId: "c1", ownerEpoch: 2, rtcIds: ["r"] } });
  const heard: string[] = [];
  tabs.replaying().onJoin((tab, claim) => void heard.push(`${tab.tabId} ${claim?.callId ?? "-"}`));
  expect(heard).toEqual(["a c1"]);
  await open("b");
  expect(heard).toEqual(["a c1", "b -"]);
});

test("a module that throws when a tab joins does not keep the tab out", async () => {
  const { open, tabs, joined, errors } = setUp();
  tabs.onJoin(() => {
    throw new Error("handler");
  });
  const late: string[] = [];
  tabs.onJoin((tab) => void late.push(tab.tabId));
  await open("a");
  expect([joined.length, late.length, errors.length]).toEqual([1, 1, 1]);
});
