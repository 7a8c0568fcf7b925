import { expect, it } from "vitest";
import { createConferenceWorld, joined } from "../conferences/conferences.harness.ts";
import { CALL_CONFIG } from "../calls/config.ts";
import { createOwner } from "./index.ts";

/** Two owners over the same tabs, as calls and conferences are. */
function two() {
  const world = createConferenceWorld();
  const { env, tabs } = world.deps;
  let epoch = 0;
  const ownerOf = (callId: string) =>
    createOwner({
      env,
      tabs,
      config: CALL_CONFIG,
      needsDevices: false,
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
      onFailed: () => undefined,
      onAbandoned: () => undefined,
    });
  return {
    tab: world.openTab("t1"),
    world,
    call: ownerOf("call"),
    conference: ownerOf("conference"),
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
