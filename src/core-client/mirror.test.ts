import { snapshot } from "valtio/vanilla";
import { expect, test } from "vitest";
import { initialSlices } from "../shared/protocol/initial-state.ts";
import type { Op, Slices } from "../shared/protocol/state.ts";
import { createMirror, type StatePort } from "./mirror.ts";

function setUp() {
  const said: unknown[] = [];
  const notices: string[] = [];
  const retired: (string | null)[] = [];
  const mirror = createMirror({
    build: "b",
    now: () => 1,
    onNotice: (notice) => void notices.push(notice.text),
    onRetired: (build) => void retired.push(build),
  });
  const port: StatePort = { onmessage: null, postMessage: (message) => void said.push(message) };
  mirror.use(port);
  const hear = (data: unknown): void => port.onmessage?.({ data } as MessageEvent);
  const whole = (seq = 1, epoch = "c1", change: (slices: Slices) => void = () => {}): void => {
    const slices = initialSlices({ coreId: epoch, build: "b", now: 1 });
    change(slices);
    hear({ t: "snapshot", epoch, seq, slices });
  };
  const ops = (seq: number, list: Op[], epoch = "c1"): void =>
    hear({ t: "ops", epoch, seq, ops: list, at: 100 + seq });
  return { mirror, state: mirror.state, said, notices, retired, hear, whole, ops };
}

test("a snapshot fills the proxies in place and ops change them; each message is acknowledged", () => {
  const { state, said, whole, ops } = setUp();
  const { chat, session } = state;
  whole(1, "c1", (slices) => {
    slices.session.status = "anonymous";
    slices.chat.online["x"] = true;
  });
  expect(state.chat).toBe(chat);
  expect(session.status).toBe("anonymous");
  const before = snapshot(chat);
  ops(2, [
    ["set", ["chat", "online", "y"], false],
    ["del", ["chat", "online", "x"]],
    ["set", ["worker", "errors"], [{ at: 1, message: "m" }]],
    ["set", ["worker", "errors", 0, "message"], "n"],
  ]);
  expect(chat.online).toEqual({ y: false });
  expect(state.worker.errors).toEqual([{ at: 1, message: "n" }]);
  expect(before.online).toEqual({ x: true });
  expect(said).toEqual([{ t: "ack", seq: 2, at: 102 }]);
});

test("an op of a whole slice keeps the proxy and drops missing keys", () => {
  const { state, whole, ops } = setUp();
  const { tabs } = state;
  whole(1, "c1", (slices) => {
    slices.tabs.byId["a"] = { tabId: "a" } as never;
  });
  ops(2, [["set", ["tabs"], { byId: { b: { tabId: "b" } } }]]);
  expect(state.tabs).toBe(tabs);
  expect(Object.keys(tabs.byId)).toEqual(["b"]);
});

test("a known seq is dropped; a gap asks once for a resync and ops wait for it", () => {
  const { state, said, whole, ops } = setUp();
  whole();
  ops(2, [["set", ["chat", "online", "a"], true]]);
  ops(2, [["set", ["chat", "online", "a"], false]]);
  expect(state.chat.online).toEqual({ a: true });
  ops(4, [["set", ["chat", "online", "c"], true]]);
  ops(5, [["set", ["chat", "online", "d"], true]]);
  expect(said.filter((m) => (m as { t: string }).t === "resync")).toHaveLength(1);
  expect(state.chat.online).toEqual({ a: true });
  whole(6);
  expect(state.chat.online).toEqual({});
  ops(7, [["set", ["chat", "online", "e"], true]]);
  expect(state.chat.online).toEqual({ e: true });
});

test("another epoch, an op with an unknown path, or an unreadable message asks for a resync", () => {
  for (const strange of [
    { t: "ops", epoch: "c2", seq: 2, ops: [], at: 1 },
    {
      t: "ops",
      epoch: "c1",
      seq: 2,
      ops: [["set", ["chat", "conversations", "no", "unread"], 1]],
      at: 1,
    },
    { t: "ops", epoch: "c1", seq: 2, ops: [["set", ["chat", "__proto__", "x"], 1]], at: 1 },
    { t: "unheard-of" },
    { t: "snapshot", epoch: "c1", seq: 9, slices: { chat: {} } },
  ]) {
    const { said, whole, hear } = setUp();
    whole();
    hear(strange);
    expect(said, JSON.stringify(strange)).toEqual([{ t: "resync" }]);
  }
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

test("a snapshot of some slices leaves the other slices unchanged", () => {
  const { state, said, whole, hear, ops } = setUp();
  whole();
  ops(2, [["set", ["call", "gestureTab"], "t"]]);
  const chat = { ...initialSlices({ coreId: "", build: "", now: 1 }).chat, online: { z: true } };
  hear({ t: "snapshot", epoch: "c1", seq: 3, slices: { chat } });
  ops(4, [["set", ["call", "connection"], "connected"]]);
  expect(state.chat.online).toEqual({ z: true });
  expect(state.call).toMatchObject({ gestureTab: "t", connection: "connected" });
  expect(said).toEqual([
    { t: "ack", seq: 2, at: 102 },
    { t: "ack", seq: 4, at: 104 },
  ]);
});

test("a new port starts with a snapshot, and the former state is shown until the snapshot arrives", () => {
  const { mirror, state, whole } = setUp();
  whole(1, "c1", (slices) => {
    slices.session.name = "张伟";
  });
  const next: StatePort = { onmessage: null, postMessage: () => {} };
  mirror.use(next);
  expect(state.session.name).toBe("张伟");
  const slices = initialSlices({ coreId: "c2", build: "b", now: 1 });
  next.onmessage?.({ data: { t: "snapshot", epoch: "c2", seq: 1, slices } } as MessageEvent);
  expect(state.session.name).toBe("");
  expect(state.worker.coreId).toBe("c2");
});

test("notices and newer builds are passed on", () => {
  const { hear, notices, retired } = setUp();
  hear({ t: "notice", notice: { id: "1", style: "info", text: "甲", key: "a" } });
  hear({ t: "retired", build: "b2" });
  expect(notices).toEqual(["甲"]);
  expect(retired).toEqual(["b2"]);
});
