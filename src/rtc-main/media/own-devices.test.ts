import { describe, expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import type { Kind } from "../engine.ts";
import { withEffects } from "../effects/effects.fake.ts";
import { createTally } from "../tally.ts";
import { createOwnDevices } from "./own-devices.ts";

async function started(refuse: Record<string, string> = {}) {
  const world = fakeWorld();
  const { devices } = world;
  devices.refuse = refuse;
  const tally = createTally();
  const wanted = new Set<Kind>(["audio", "video"]);
  const log: string[] = [];
  const own = createOwnDevices(withEffects(world.deps, tally), tally, false, {
    isWanted: (kind) => wanted.has(kind),
    fallback: () => Promise.resolve({ alone: ["audio", "video"], one: false }),
    mayRetry: (kind) => kind === "audio",
    tracks: ({ audio, video }) => log.push(`tracks ${audio ? "a" : "-"}${video ? "v" : "-"}`),
    tried(attempts) {
      for (const { kind, cause, error } of attempts) {
        log.push(`${kind} ${cause} ${error?.code ?? "open"}`);
      }
    },
    switched: () => log.push("switched"),
    mutedVoice: (speaks) => log.push(`muted voice ${speaks}`),
  });
  own.start();
  await settle();
  return { own, devices, tally, wanted, log, world };
}

describe("opening", () => {
  it("shows one prompt at a time and ends in the last wanted state", async () => {
    const { own, devices, wanted, log } = await started();
    wanted.clear();
    own.look();
    let answer = (): void => undefined;
    devices.gate = new Promise((resolve) => (answer = resolve));
    wanted.add("audio");
    own.look();
    wanted.add("video");
    own.look();
    await settle();
    expect(devices.asked).toEqual(["audio+video", "audio"]);
    wanted.delete("audio");
    own.look();
    answer();
    await settle();
    expect(devices.asked).toEqual(["audio+video", "audio", "video"]);
    expect([own.tracks.audio, own.tracks.video?.kind]).toEqual([null, "video"]);
    expect(log.at(-1)).toBe("video wanted open");
  });

  it("says why a device was opened", async () => {
    const { devices, world, log } = await started({
      "audio+video": "NotFoundError",
      audio: "NotFoundError",
    });
    expect(log).toEqual(["tracks -v", "audio wanted media.no-device", "video wanted open"]);
    devices.refuse = {};
    devices.dispatchEvent(new Event("devicechange"));
    world.clock.pass(200);
    await settle();
    devices.tracks[0]?.end();
    await settle();
    expect(log.slice(3)).toEqual([
      "tracks av",
      "audio plugged open",
      "tracks a-",
      "tracks av",
      "video lost open",
    ]);
  });
});

describe("switching", () => {
  it("closes the former device first when only one can be open, and opens nothing else meanwhile", async () => {
    const { own, devices, log } = await started();
    devices.exclusive = true;
    const switched = own.use("video", { deviceId: "cam-2" });
    await settle();
    own.look();
    await switched;
    await settle();
    expect(own.tracks.video?.getSettings().deviceId).toBe("cam-2");
    expect(devices.asked).toEqual(["audio+video", "video", "video"]);
    expect(log.at(-1)).toBe("switched");
  });

  it("returns to the former device when the other one fails twice", async () => {
    const { own, devices } = await started();
    devices.exclusive = true;
    devices.refuse = { "cam-2": "NotReadableError" };
    await expect(own.use("video", { deviceId: "cam-2" })).rejects.toMatchObject({
      code: "media.device-busy",
    });
    expect(own.tracks.video?.getSettings().deviceId).toBe("video-1");
  });
});

it("A muted microphone is listened to by a copy, which ends with the mute, the device and the call", async () => {
  const { own, devices, log, world } = await started();
  const [microphone] = devices.tracks;
  expect(microphone?.clones).toEqual([]);
  own.mute(true);
  world.loudness = 0.2;
  world.clock.pass(600);
  expect([microphone?.enabled, log.at(-1)]).toEqual([false, "muted voice true"]);
  own.mute(false);
  expect(log.at(-1)).toBe("muted voice false");
  own.mute(true);
  microphone?.end();
  await settle();
  own.close();
  const copies = devices.tracks.flatMap(({ clones }) => clones);
  expect(copies.map(({ stopped }) => stopped)).toEqual([true, true, true]);
  expect(world.listening.size).toBe(0);
});

it("Closing stops every track, also one that opens too late, and removes every listener", async () => {
  const { own, devices, tally, world } = await started();
  let answer = (): void => undefined;
  devices.gate = new Promise((resolve) => (answer = resolve));
  devices.tracks[0]?.end();
  devices.dispatchEvent(new Event("devicechange"));
  own.close();
  own.close();
  answer();
  await settle();
  expect(devices.tracks.map(({ stopped }) => stopped)).toEqual([true, true, true]);
  expect(tally.read()).toMatchObject({ tracks: 0, listeners: 0 });
  expect(world.clock.pending).toBe(0);
});
