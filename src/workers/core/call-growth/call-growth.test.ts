/** Two sides of a call that becomes a group call: who says what when, and what stays when something fails. */
import { describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { GrowthMessage } from "../../../shared/protocol/call-growth.ts";
import { initialSlices, noConference } from "../../../shared/protocol/initial-state.ts";
import { createFakeClock, settle } from "../core.fake.ts";
import { createStore } from "../store/index.ts";
import { createCallGrowth, type CallGrowth } from "./index.ts";

const member = (memName: string) => ({
  memId: memName,
  memName,
  nickName: memName,
  role: 3 as const,
  ext: "",
});

function world() {
  const clock = createFakeClock();
  /** What happened, in order. */
  const log: string[] = [];
  const inside = new Set<string>();
  const sides: Record<string, ReturnType<typeof side>> = {};

  function side(name: string, peer: string) {
    const store = createStore({
      clock,
      epoch: "e",
      newId: () => "id",
      slices: initialSlices({ coreId: "c", build: "b", now: clock.now() }),
    });
    store.set(["call"], {
      ...store.get("call"),
      status: "chat",
      direction: name === "ann" ? "out" : "in",
      info: {
        confrName: "",
        channel: "two",
        callId: "two",
        type: 1,
        media: "video",
        fromUser: "ann",
        toUser: "bob",
      },
      peer: { userName: peer, name: peer.toUpperCase() },
      owner: { tabId: `${name}-tab`, epoch: 1, ready: true },
    });
    const watchers = new Set<() => void>();
    const me = {
      name,
      store,
      /** The client is of an earlier build and knows nothing of this. */
      old: false,
      /** The other side is not reached. */
      lost: false,
      receives: false,
      shows: true,
      /** The conference does not let this side in, and does not say so. */
      stuck: false,
      refuses: null as AppError | null,
      texts: [] as string[],
      entered: [] as unknown[],
      local: [] as unknown[],
      growth: null as unknown as CallGrowth,
      changed: () => {
        for (const watcher of watchers) watcher();
      },
      status: () => `${store.get("call").status} ${store.get("groupCall").status}`,
      endCall() {
        store.set(["call", "status"], "idle");
        me.growth.callClosed();
      },
    };
    const setConference = (on: boolean): void => {
      if (on) inside.add(name);
      else inside.delete(name);
      store.set(["groupCall", "status"], on ? "inCall" : "idle");
      for (const one of Object.values(sides)) {
        if (one.store.get("groupCall").status === "idle")
          one.store.set(["conference"], noConference());
        else {
          one.store.set(["conference"], {
            ...one.store.get("conference"),
            status: "joined",
            info: { confrId: "conference", name: "", type: 10, isCreator: false },
            members: Object.fromEntries([...inside].map((each) => [each, member(each)])),
          });
        }
        one.changed();
      }
    };
    me.growth = createCallGrowth({
      env: { clock },
      store: { get: store.get, notice: ({ text }) => void me.texts.push(text) },
      call: {
        ready: Promise.resolve(),
        codecs: () => ({ receive: ["VP8"], send: ["VP8"] }),
        async tellGrowth(message: GrowthMessage) {
          await settle(2);
          if (me.lost) return false;
          log.push(`${name}: ${message.step}`);
          const other = sides[peer];
          if (other?.old === false) other.growth.received(structuredClone(message));
          return true;
        },
        grown() {
          log.push(`${name} closes the call of two`);
          me.endCall();
        },
      },
      group: {
        ready: Promise.resolve(),
        async grow(growing, tabId, from) {
          me.entered.push({ ...growing, tabId, peer: from.peer, audioMuted: from.audioMuted });
          if (me.refuses !== null) throw me.refuses;
          if (me.stuck) await new Promise(() => undefined);
          store.set(["groupCall", "status"], "entering");
          store.set(["groupCall", "info"], {
            channel: "conference",
            callId: "group",
            media: "video",
            groupId: null,
            fromUser: name,
            fromName: name,
          });
          await settle(2);
          if ("people" in growing) from.made({ channel: "conference", callId: "group" });
          setConference(true);
        },
        leave: () => {
          log.push(`${name} leaves the conference`);
          setConference(false);
        },
      },
      conference: {
        receives: () => me.receives,
        shows: () => me.shows,
        setLocal: async (local) => {
          me.local.push(local);
          const before = store.get("conference").local;
          store.set(["conference", "local"], { ...before, ...local });
        },
        onChange(handler) {
          watchers.add(handler);
          return () => watchers.delete(handler);
        },
      },
    });
    sides[name] = me;
    return me;
  }
  const ann = side("ann", "bob");
  const bob = side("bob", "ann");
  const run = async (ms = 0): Promise<void> => {
    await settle(60);
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(Math.min(500, left));
      await settle(40);
    }
  };
  const up = (one: typeof ann): void => {
    one.receives = true;
    one.changed();
  };
  const context = { tabId: "t", id: "i" };
  const add = (one: typeof ann, people = ["cid"]) => {
    const outcome = { done: null as string | null };
    one.growth.grow({ people }, context).then(
      () => (outcome.done = "ok"),
      (error: unknown) => (outcome.done = AppError.from(error, "server.internal").code),
    );
    return outcome;
  };
  return { ann, bob, log, run, up, add };
}

const MOVE = ["ann: ask", "bob: agree", "ann: room"];

describe("A call of two becomes a group call", () => {
  it("closes the call of two only after both sides have sound and picture by way of the conference", async () => {
    const { ann, bob, log, run, up, add } = world();
    await run();
    log.length = 0;
    const outcome = add(ann);
    await run();
    expect(log).toEqual(MOVE);
    expect([ann.status(), bob.status()]).toEqual(["chat inCall", "chat inCall"]);
    expect(ann.entered).toEqual([
      {
        people: ["cid"],
        codecs: { receive: ["VP8"], send: ["VP8"] },
        media: "video",
        tabId: "ann-tab",
        peer: "bob",
        audioMuted: false,
      },
    ]);
    expect(bob.entered).toMatchObject([
      {
        channel: "conference",
        callId: "group",
        by: "ann",
        tabId: "bob-tab",
        codecs: { send: ["VP8"] },
      },
    ]);
    up(bob);
    await run();
    expect([ann.status(), bob.status()]).toEqual(["chat inCall", "chat inCall"]);
    expect(outcome.done).toBeNull();
    up(ann);
    await run();
    expect(log.slice(0, 5)).toEqual([...MOVE, "bob: up", "ann: up"]);
    expect(log.slice(5).toSorted()).toEqual([
      "ann closes the call of two",
      "bob closes the call of two",
    ]);
    expect([ann.status(), bob.status()]).toEqual(["idle inCall", "idle inCall"]);
    expect(outcome.done).toBe("ok");
    expect([ann.texts, bob.texts]).toEqual([[], ["ANN添加了成员，已转为群通话"]]);
    expect([ann.growth.running, bob.growth.running]).toEqual([false, false]);
  });

  it("leaves the call of two as it is when the other side's client does not know it, and says so", async () => {
    const { ann, bob, run, add } = world();
    await run();
    bob.old = true;
    const outcome = add(ann);
    await run(4_500);
    expect(outcome.done).toBeNull();
    await run(1_000);
    expect(outcome.done).toBe("call.peer-old");
    expect([ann.status(), ann.entered]).toEqual(["chat idle", []]);
  });

  it("leaves it as it is when the other side is not reached, refuses, or the conference fails", async () => {
    const { ann, bob, run, add } = world();
    await run();
    ann.lost = true;
    const lost = add(ann);
    await run();
    ann.lost = false;
    bob.store.set(["groupCall", "status"], "ringing");
    const refused = add(ann);
    await run();
    bob.store.set(["groupCall", "status"], "idle");
    ann.refuses = new AppError("call.not-allowed");
    const failed = add(ann);
    await run();
    expect([lost, refused, failed].map(({ done }) => done)).toEqual([
      "call.growth-failed",
      "call.growth-failed",
      "call.not-allowed",
    ]);
    expect([ann.status(), bob.status()]).toEqual(["chat idle", "chat idle"]);
    expect([ann.growth.running, bob.growth.running]).toEqual([false, false]);
  });

  it("gives up after 30 s without sound and picture, on both sides", async () => {
    const { ann, bob, run, add } = world();
    await run();
    bob.stuck = true;
    const outcome = add(ann);
    await run(29_000);
    expect([outcome.done, ann.status()]).toEqual([null, "chat inCall"]);
    await run(2_000);
    expect(outcome.done).toBe("call.growth-failed");
    expect([ann.status(), bob.status()]).toEqual(["chat idle", "chat idle"]);
  });

  it("does not wait for somebody without devices", async () => {
    const { ann, bob, run, add } = world();
    await run();
    add(ann);
    await run(5_500);
    expect([ann.status(), bob.status()]).toEqual(["idle inCall", "idle inCall"]);
  });

  it("waits a moment for the tile that shows the picture, and no longer where no tile does", async () => {
    const { ann, bob, run, add, up } = world();
    await run();
    ann.shows = false;
    add(ann);
    await run();
    up(ann);
    up(bob);
    await run(1_000);
    expect([ann.status(), bob.status()]).toEqual(["chat inCall", "chat inCall"]);
    await run(1_000);
    expect([ann.status(), bob.status()]).toEqual(["idle inCall", "idle inCall"]);
  });

  it("says again what did not arrive", async () => {
    const { ann, bob, run, add, up } = world();
    await run();
    add(ann);
    await run();
    bob.lost = true;
    up(bob);
    up(ann);
    await run();
    expect(ann.status()).toBe("chat inCall");
    bob.lost = false;
    await run(1_500);
    expect([ann.status(), bob.status()]).toEqual(["idle inCall", "idle inCall"]);
  });

  it("goes on once when both add people at the same moment: the caller's people", async () => {
    const { ann, bob, run, add, up } = world();
    await run();
    const outcomes = [add(ann), add(bob, ["dan"])];
    await run();
    up(ann);
    up(bob);
    await run();
    expect(outcomes.map(({ done }) => done)).toEqual(["ok", "call.growth-running"]);
    expect([ann.status(), bob.status()]).toEqual(["idle inCall", "idle inCall"]);
    expect(ann.entered).toHaveLength(1);
    expect(bob.entered).toMatchObject([{ channel: "conference", by: "ann" }]);
  });

  it("ends with the call when a person hangs up meanwhile, and keeps the conference when the call is lost with both inside", async () => {
    const first = world();
    await first.run();
    const outcome = first.add(first.ann);
    await first.run();
    first.bob.growth.hangup();
    first.bob.endCall();
    await first.run();
    first.ann.endCall();
    expect([first.ann.status(), first.bob.status()]).toEqual(["idle idle", "idle idle"]);
    expect(outcome.done).toBe("call.growth-failed");

    const second = world();
    await second.run();
    const kept = second.add(second.ann);
    await second.run();
    second.ann.endCall();
    second.bob.endCall();
    await second.run();
    expect([second.ann.status(), second.bob.status()]).toEqual(["idle inCall", "idle inCall"]);
    expect(kept.done).toBe("ok");
  });

  it("keeps muted in the conference what is muted in the call", async () => {
    const { ann, bob, run, add } = world();
    await run();
    add(ann);
    await run();
    bob.local.length = 0;
    bob.store.set(["call", "local"], { ...bob.store.get("call").local, audioMuted: true });
    bob.growth.localChanged();
    await run();
    expect(bob.local).toEqual([{ audioMuted: true, videoOff: false }]);
  });

  it("refuses without a call, with the other side among the people, and a second time", async () => {
    const { ann, run, add } = world();
    await run();
    const self = add(ann, ["bob"]);
    const one = add(ann);
    await run();
    const two = add(ann);
    await run();
    ann.store.set(["call", "status"], "idle");
    const none = add(ann);
    await run();
    expect([self.done, one.done, two.done, none.done]).toEqual([
      "call.self",
      null,
      "call.growth-running",
      "call.not-active",
    ]);
  });

  it("leaves the conference when a new core finds a call of two that had not moved", async () => {
    const { ann, log, run } = world();
    ann.store.set(["groupCall", "status"], "inCall");
    await run();
    expect(log).toContain("ann leaves the conference");
    expect(ann.status()).toBe("chat idle");
  });
});
