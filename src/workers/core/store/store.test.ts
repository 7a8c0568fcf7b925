import { expect, test } from "vitest";
import { deleteAt, setAt } from "../../../shared/domain/ops.ts";
import type { CoreToTab } from "../../../shared/protocol/state.ts";
import { createFakeClock, settle } from "../core.fake.ts";
import {
  createStore,
  initialSlices,
  type CoreStore,
  type PortLike,
  type Presence,
} from "./index.ts";

interface Mirror {
  port: PortLike;
  log: CoreToTab[];
  state: Record<string, unknown>;
  ackAll(): void;
}
/** A tab's side: clones and applies what it receives. */
function createMirror(): Mirror {
  const log: CoreToTab[] = [];
  const state: Record<string, unknown> = {};
  const port: PortLike = {
    onmessage: null,
    close: () => {},
    postMessage(message) {
      const got = structuredClone(message) as CoreToTab;
      log.push(got);
      if (got.t === "snapshot") Object.assign(state, got.slices);
      if (got.t !== "ops") return;
      for (const op of got.ops) {
        const path = op[1] as (string | number)[];
        if (op[0] === "set") setAt(state, path, op[2]);
        else deleteAt(state, path);
      }
    },
  };
  return {
    port,
    log,
    state,
    ackAll() {
      const last = log.findLast((m) => m.t === "ops");
      if (last?.t === "ops") post(port, { t: "ack", seq: last.seq, at: last.at });
    },
  };
}
const post = (port: PortLike, data: unknown): void => port.onmessage?.({ data } as MessageEvent);

function setUp() {
  const clock = createFakeClock();
  let ids = 0;
  const slices = initialSlices({ coreId: "c1", build: "b", now: clock.now() });
  const latencies: number[] = [];
  const store = createStore({
    clock,
    slices,
    epoch: "c1",
    newId: () => `n${(ids += 1)}`,
    onLatency: (ms) => void latencies.push(ms),
  });
  const presence: Presence[] = [];
  const bad: string[] = [];
  const join = (mirror: Mirror, visible = true) =>
    store.attach({
      port: mirror.port,
      visible,
      onPresence: (p) => void presence.push(p),
      onBad: (e) => void bad.push(e.code),
    });
  return { clock, store, slices, join, presence, bad, latencies };
}
const conversation = (name: string) => ({
  chatId: name,
  name,
  unread: 0,
  order: [] as string[],
  messages: {} as Record<string, unknown>,
  historyLoaded: false,
  historyEnd: false,
});
const same = (mirror: Mirror, store: CoreStore): void => {
  for (const name of ["session", "tabs", "chat", "call", "quality", "worker"] as const) {
    expect(mirror.state[name], name).toEqual(store.get(name));
  }
};

test("changes of a slice are merged: one op per path with the last value, and none below a new entity", async () => {
  const { clock, store, join } = setUp();
  const tab = createMirror();
  join(tab);
  store.set(["chat", "conversations", "a"], conversation("a"));
  store.set(["chat", "conversations", "a", "unread"], 1);
  store.set(["chat", "conversations", "a", "unread"], 2);
  store.set(["chat", "connection"], "connecting");
  store.set(["chat", "connection"], "open");
  store.set(["chat", "online", "x"], true);
  store.del(["chat", "online", "x"]);
  expect(tab.log).toHaveLength(1);
  clock.advance(16);
  const sent = tab.log[1];
  expect(sent).toMatchObject({ t: "ops", epoch: "c1", seq: 2 });
  expect(sent?.t === "ops" && sent.ops).toEqual([
    ["set", ["chat", "conversations", "a"], { ...conversation("a"), unread: 2 }],
    ["set", ["chat", "connection"], "open"],
    ["del", ["chat", "online", "x"]],
  ]);
  same(tab, store);
});

test("changes of call and session are sent at the end of the turn, those of the worker slice after a second, and flush sends at once", async () => {
  const { clock, store, join } = setUp();
  const tab = createMirror();
  join(tab);
  store.set(["worker", "restarts"], 1);
  store.set(["call", "connection"], "connected");
  expect(tab.log).toHaveLength(1);
  await settle();
  expect(tab.log).toHaveLength(2);
  clock.advance(999);
  expect(tab.log).toHaveLength(2);
  clock.advance(1);
  expect(tab.log).toHaveLength(3);
  store.set(["call", "connection"], "weak");
  store.flush();
  expect(tab.log).toHaveLength(4);
  await settle();
  expect(tab.log).toHaveLength(4);
});

test("setting an equal value sends nothing, and later changes to the caller's object have no effect", () => {
  const { clock, store, join } = setUp();
  const tab = createMirror();
  join(tab);
  const original = conversation("a");
  store.set(["chat", "conversations", "a"], original);
  store.set(["chat", "conversations", "a", "unread"], 5);
  original.name = "changed behind the store's back";
  expect(original.unread).toBe(0);
  expect(store.get("chat").conversations["a"]?.name).toBe("a");
  clock.advance(16);
  store.set(["chat", "conversations", "a", "unread"], 5);
  clock.advance(16);
  expect(tab.log).toHaveLength(2);
});

test("removing an element of an array keeps the mirror equal, whatever else changes", () => {
  const { clock, store, join } = setUp();
  const tab = createMirror();
  store.set(["chat", "conversations", "a"], { ...conversation("a"), order: ["1", "2", "3"] });
  join(tab);
  store.set(["chat", "conversations", "a", "order", 1], "B");
  store.del(["chat", "conversations", "a", "order", 0]);
  store.set(["chat", "conversations", "a", "order", 1], "C");
  store.set(["chat", "conversations", "a", "order", 2], "D");
  clock.advance(16);
  expect(store.get("chat").conversations["a"]?.order).toEqual(["B", "C", "D"]);
  same(tab, store);
});

test("random changes leave every mirror equal, early or late, visible or not", () => {
  const { clock, store, join } = setUp();
  let seed = 7;
  const random = (n: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % n;
  };
  const early = createMirror();
  join(early);
  const flicker = createMirror();
  const flickering = join(flicker);
  for (let i = 0; i < 3_000; i += 1) {
    const id = `c${random(5)}`;
    const there = store.get("chat").conversations[id] !== undefined;
    if (!there || random(20) === 0) store.set(["chat", "conversations", id], conversation(id));
    else if (random(15) === 0) store.del(["chat", "conversations", id]);
    else if (random(2) === 0) {
      const message = `m${random(6)}`;
      if (random(3) === 0) store.del(["chat", "conversations", id, "messages", message]);
      else store.set(["chat", "conversations", id, "messages", message], { id: message, i });
    } else {
      const order = store.get("chat").conversations[id]?.order ?? [];
      const at = random(order.length + 1);
      if (random(3) === 0) store.del(["chat", "conversations", id, "order", at]);
      else store.set(["chat", "conversations", id, "order", at], `o${i}`);
    }
    if (random(10) === 0) clock.advance(16);
    if (random(10) === 0) early.ackAll();
    if (random(50) === 0) flickering.setVisible(random(2) === 0);
    if (random(10) === 0) flicker.ackAll();
  }
  flickering.setVisible(true);
  const late = createMirror();
  join(late);
  clock.advance(1_000);
  for (let i = 0; i < 2; i += 1) {
    early.ackAll();
    flicker.ackAll();
  }
  same(early, store);
  same(flicker, store);
  same(late, store);
});

test("a late tab has pending changes in its snapshot, and the next op continues it", () => {
  const { clock, store, join } = setUp();
  const first = createMirror();
  join(first);
  store.set(["chat", "online", "x"], true);
  const late = createMirror();
  join(late);
  expect(first.log).toHaveLength(2);
  expect(late.log).toHaveLength(1);
  expect(late.state["chat"]).toMatchObject({ online: { x: true } });
  store.set(["chat", "online", "y"], true);
  clock.advance(16);
  expect(late.log[1]).toMatchObject({ t: "ops", seq: 2 });
  same(late, store);
});

test("a hidden tab gets only ops of the urgent slices, and one snapshot of the rest when it becomes visible", async () => {
  const { clock, store, join } = setUp();
  const tab = createMirror();
  const subscription = join(tab, false);
  store.set(["chat", "online", "x"], true);
  clock.advance(16);
  store.set(["tabs", "byId", "t"], { tabId: "t" });
  clock.advance(16);
  expect(tab.log).toHaveLength(1);
  store.set(["call", "status"], "confirmRing");
  await settle();
  expect(tab.log).toHaveLength(2);
  subscription.setVisible(true);
  expect(tab.log).toHaveLength(3);
  const healed = tab.log[2];
  expect(healed?.t === "snapshot" && Object.keys(healed.slices).sort()).toEqual(["chat", "tabs"]);
  expect(healed).toMatchObject({ seq: 3 });
  same(tab, store);
});

test("a tab with more than 200 unacknowledged ops gets nothing until it acknowledges", () => {
  const { clock, store, join, latencies } = setUp();
  const tab = createMirror();
  const subscription = join(tab);
  for (let i = 0; i < 201; i += 1) {
    store.set(["call", "deadline"], i);
    store.flush();
  }
  expect(subscription.unacked).toBe(201);
  store.set(["call", "deadline"], 999);
  store.flush();
  store.set(["chat", "online", "x"], true);
  store.flush();
  expect(tab.log).toHaveLength(202);
  clock.advance(40);
  tab.ackAll();
  expect(latencies).toEqual([40]);
  expect(subscription.unacked).toBe(0);
  expect(tab.log).toHaveLength(203);
  same(tab, store);
});

test("a resync is answered with all slices; an unknown message is reported and ignored", () => {
  const { store, join, bad, presence } = setUp();
  const tab = createMirror();
  join(tab);
  post(tab.port, { t: "resync" });
  expect(tab.log[1]).toMatchObject({ t: "snapshot", seq: 2 });
  post(tab.port, { t: "ack", seq: "x" });
  post(tab.port, null);
  expect(bad).toEqual(["core.bad-message", "core.bad-message"]);
  post(tab.port, { t: "presence", visible: true, focusedAt: 3, path: "/chat" });
  expect(presence).toEqual([{ t: "presence", visible: true, focusedAt: 3, path: "/chat" }]);
  same(tab, store);
});

test("notices go to visible tabs; without one a notice waits for a limited time", () => {
  const { clock, store, join } = setUp();
  const seen = createMirror();
  const hidden = createMirror();
  join(seen);
  const subscription = join(hidden, false);
  store.notice({ style: "error", text: "甲", key: "a" });
  expect(seen.log.at(-1)).toMatchObject({ t: "notice", notice: { text: "甲", duration: 5000 } });
  expect(hidden.log).toHaveLength(1);
  subscription.setVisible(true);
  expect(hidden.log).toHaveLength(1);

  const other = setUp();
  const tab = createMirror();
  const later = other.join(tab, false);
  other.store.notice({ style: "info", text: "old", key: "a" });
  other.clock.advance(61_000);
  other.store.notice({ style: "info", text: "new", key: "a" });
  later.setVisible(true);
  expect(
    tab.log.filter((m) => m.t === "notice").map((m) => m.t === "notice" && m.notice.text),
  ).toEqual(["new"]);
  void clock;
});

test("the key __proto__ is refused, keys that only look similar are data", () => {
  const { store } = setUp();
  expect(() => store.set(["chat", "online", "__proto__"], true)).toThrow(/__proto__/);
  store.set(["chat", "online", "constructor"], true);
  expect(Object.hasOwn(store.get("chat").online, "constructor")).toBe(true);
  expect(() => store.set(["chat", "conversations", "nobody", "unread"], 1)).toThrow(/nobody/);
});

test("present and future tabs learn of a newer build", () => {
  const { store, join } = setUp();
  const first = createMirror();
  join(first);
  store.retire("b2");
  const second = createMirror();
  join(second);
  expect(first.log.at(-1)).toEqual({ t: "retired", build: "b2" });
  expect(second.log.at(-1)).toEqual({ t: "retired", build: "b2" });
});

test("replacing an entity discards pending changes below it", () => {
  const { clock, store, join } = setUp();
  store.set(["chat", "conversations", "a"], conversation("a"));
  const tab = createMirror();
  join(tab);
  store.set(["chat", "conversations", "a", "unread"], 4);
  store.set(["chat", "conversations", "a"], conversation("b"));
  store.set(["chat", "conversations", "a", "unread"], 7);
  clock.advance(16);
  const sent = tab.log[1];
  expect(sent?.t === "ops" && sent.ops).toEqual([
    ["set", ["chat", "conversations", "a"], { ...conversation("b"), unread: 7 }],
  ]);
});

test("a lagging tab gets no snapshot, not even when it becomes visible", () => {
  const { store, join } = setUp();
  const tab = createMirror();
  const subscription = join(tab, false);
  for (let i = 0; i < 202; i += 1) {
    store.set(["call", "deadline"], i);
    store.flush();
  }
  const before = tab.log.length;
  subscription.setVisible(true);
  expect(tab.log).toHaveLength(before);
  tab.ackAll();
  expect(tab.log).toHaveLength(before + 1);
  same(tab, store);
});
