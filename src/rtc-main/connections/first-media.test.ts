import { expect, it } from "vitest";
import { FakeClock, settle } from "../clock.fake.ts";
import { FakeTrack } from "../media/devices.fake.ts";
import { createTally } from "../tally.ts";
import { watchFirstMedia } from "./first-media.ts";

function world(parts: Record<string, unknown> = {}) {
  const clock = new FakeClock();
  const tally = createTally();
  const found: number[] = [];
  const counts = { sources: 0, readings: 0 };
  const state = { transport: "connected", delivered: false, packets: 0 };
  const receiver = {
    track: new FakeTrack("audio"),
    transport: {
      get state() {
        return state.transport;
      },
    },
    getSynchronizationSources() {
      counts.sources += 1;
      return state.delivered ? [{}] : [];
    },
    getStats() {
      counts.readings += 1;
      const stat = { type: "inbound-rtp", kind: "audio", packetsReceived: state.packets };
      return Promise.resolve(new Map([["a", stat]]));
    },
    ...parts,
  };
  const deps = { clock, tally, createProbeElement: () => null, createStream: () => null as never };
  const stop = watchFirstMedia(deps, receiver as never, "audio", (at) => found.push(at));
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 50) {
      clock.pass(50);
      await settle();
    }
  };
  return { clock, found, counts, state, pass, stop, track: receiver.track };
}

it("Nothing is asked before the connection is up", async () => {
  const { counts, state, pass, found } = world();
  state.transport = "connecting";
  await pass(10_000);
  expect([counts, found]).toEqual([{ sources: 0, readings: 0 }, []]);
});

it("A delivered packet is noticed within 50 ms, and a minute without one costs at most 37 readings of the statistics", async () => {
  const { clock, counts, state, pass, found } = world();
  await pass(1000);
  state.delivered = true;
  const { time } = clock;
  await pass(50);
  expect(found).toEqual([time + 50]);
  const other = world();
  await other.pass(60_000);
  expect(other.counts.readings).toBeLessThanOrEqual(37);
  expect(other.counts.readings).toBeGreaterThanOrEqual(30);
  expect(counts.readings).toBeLessThanOrEqual(2);
});

it("The statistics notice a sound that nobody plays, within a second, or at once when the track is no longer muted", async () => {
  const played = world();
  played.state.packets = 3;
  await played.pass(1000);
  expect(played.found).toHaveLength(1);
  const unmuted = world();
  await unmuted.pass(100);
  unmuted.state.packets = 3;
  unmuted.track.dispatchEvent(new Event("unmute"));
  await settle();
  expect(unmuted.found).toHaveLength(1);
});

it("A browser that does not say what was delivered is asked for statistics as often as sources would be", async () => {
  const { counts, state, pass, found } = world({ getSynchronizationSources: undefined });
  await pass(1000);
  expect(counts.readings).toBeGreaterThanOrEqual(19);
  state.packets = 1;
  await pass(50);
  expect(found).toHaveLength(1);
});
