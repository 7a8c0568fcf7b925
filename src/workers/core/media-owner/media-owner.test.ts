import { describe, expect, it } from "vitest";
import { createConferenceWorld, joined } from "../conferences/conferences.harness.ts";
import { CALL_CONFIG } from "../calls/config.ts";
import { createOwner } from "./index.ts";

/** Two owners over the same tabs, as calls and conferences are. */
function two() {
  const world = createConferenceWorld();
  const { env, tabs } = world.deps;
  let epoch = 0;
  const events: string[] = [];
  const ownerOf = (callId: string, needsDevices = false) =>
    createOwner({
      env,
      tabs,
      config: CALL_CONFIG,
      needsDevices,
      nextEpoch: (last) => (epoch = Math.max(epoch, last) + 1),
      request: () => ({
        callId,
        media: "video",
        audioMuted: false,
        videoOff: false,
        rtcCfg: { iceServers: [] },
        engine: { kind: "conference" },
      }),
      onChange: () => undefined,
      onAsked: () => undefined,
      onEvent: () => undefined,
      onReady: () => events.push("ready"),
      onFailed: ({ code }) => events.push(code),
      onAbandoned: () => events.push("abandoned"),
    });
  return {
    tab: world.openTab("t1"),
    world,
    call: ownerOf("call"),
    conference: ownerOf("conference"),
    devicesOf: () => ownerOf("call", true),
    events,
  };
}

it("A conference continues the epochs of the calls before it, and a call those of the conference", async () => {
  const { tab, world, call, conference } = two();
  const epochs: number[] = [];
  for (const owner of [call, call, conference, call, conference]) {
    owner.acquire("t1");
    epochs.push(tab.epoch ?? 0);
    await world.run();
    owner.release();
  }
  expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
  expect(epochs[0]).toBe(1);
});

it("An owner of an earlier core does not make epochs go back", () => {
  const { tab, conference } = two();
  conference.seed(7);
  conference.acquire("t1");
  expect(tab.epoch).toBe(8);
});

it("A conference asks its owner tab with the epoch of the shared sequence", async () => {
  const { tab } = await joined({ nextEpoch: (last) => Math.max(41, last) + 1 });
  expect(tab.epoch).toBe(42);
});

describe("A tab whose thread is busy", () => {
  it("gets the media of a conference however late it answers, where no other tab is there", async () => {
    const { tab, world, conference, events } = two();
    tab.frozen = true;
    conference.acquire("t1");
    await world.run(60_000);
    expect(events).toEqual([]);
    tab.thaw();
    await world.run();
    expect(events).toEqual(["ready"]);
    expect(conference.info).toEqual({ tabId: "t1", epoch: 1, ready: true });
  });

  it("gives way at once to a tab that the person opens meanwhile", async () => {
    const { tab, world, conference, events } = two();
    tab.frozen = true;
    conference.acquire("t1");
    await world.run(2_999);
    const early = world.openTab("t2");
    expect(conference.info?.tabId).toBe("t1");
    early.frozen = true;
    await world.run(10_000);
    world.openTab("t3");
    await world.run();
    expect(events).toEqual(["ready"]);
    expect(conference.info?.tabId).toBe("t3");
  });

  it("is asked once, because a second request would make it begin again", async () => {
    const { tab, world, conference } = two();
    tab.frozen = true;
    conference.acquire("t1");
    await world.run(60_000);
    expect(conference.epoch).toBe(1);
  });

  it("gives way to another tab after 3 s, and each round over all of them doubles the time", async () => {
    const { tab, world, conference, events } = two();
    const other = world.openTab("t2");
    tab.frozen = true;
    other.frozen = true;
    conference.acquire("t1");
    const asked = [conference.info?.tabId];
    for (const time of [3_000, 3_000, 6_000, 6_000, 12_000, 12_000]) {
      await world.run(time - 1);
      expect(conference.info?.tabId).toBe(asked.at(-1));
      await world.run(1);
      asked.push(conference.info?.tabId);
    }
    // The second had the focus last, so each further round begins with it.
    expect(asked).toEqual(["t1", "t2", "t2", "t1", "t2", "t1", "t2"]);
    tab.thaw();
    await world.run();
    // Its answers belong to older epochs.
    expect(events).toEqual([]);
    other.thaw();
    await world.run();
    expect(new Set(events)).toEqual(new Set(["ready"]));
    expect(conference.info?.tabId).toBe("t2");
  });

  it("fails a call that no tab has answered for 25 s", async () => {
    const { tab, world, devicesOf, events } = two();
    tab.frozen = true;
    devicesOf().acquire("t1");
    await world.run(24_999);
    expect(events).toEqual([]);
    await world.run(1);
    expect(events).toEqual(["media.open-failed"]);
  });
});
