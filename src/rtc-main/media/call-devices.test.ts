import { describe, expect, it } from "vitest";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { withEffects } from "../effects/effects.fake.ts";
import { createTally } from "../tally.ts";
import { createCallDevices, type CallDeviceSettings } from "./call-devices.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";

async function open(
  refuse: Record<string, string> = {},
  settings: CallDeviceSettings = { audioMuted: false, videoOff: false },
  media: CallMedia = "video",
) {
  const world = fakeWorld();
  world.devices.refuse = refuse;
  const tally = createTally();
  const heard: string[] = [];
  const local = createCallDevices(withEffects(world.deps, tally), tally, media, settings, {
    tracks: (tracks) => heard.push(`tracks ${tracks.audio ? "a" : "-"}${tracks.video ? "v" : "-"}`),
    opened: ({ hasAudio, hasVideo, notice }) =>
      heard.push(`opened ${hasAudio} ${hasVideo}${notice ? ` ${notice.code}` : ""}`),
    failed: (error) => heard.push(`failed ${error.code}`),
    devices: (text) => heard.push(text),
    mutedVoice: (speaks) => heard.push(`muted voice ${speaks}`),
  });
  local.open();
  await settle();
  return { world, devices: world.devices, tally, heard, local };
}
const on = { audioMuted: false, videoOff: false };
const off = { audioMuted: false, videoOff: true };

describe("the states of the devices", () => {
  async function outcomeOf(refuse: Record<string, string>, media: CallMedia = "video") {
    const { world, local } = await open(refuse, on, media);
    const states: string[] = [];
    const tally = createTally();
    const again = createCallDevices(withEffects(world.deps, tally), tally, media, on, {
      tracks: () => undefined,
      opened: ({ microphone, camera }) => states.push(`${microphone} ${camera}`),
      failed: () => undefined,
      devices: () => undefined,
      mutedVoice: () => undefined,
    });
    local.close();
    again.open();
    await settle();
    return { world, again, states };
  }

  it("say why a device does not open", async () => {
    expect((await outcomeOf({})).states).toEqual(["on on"]);
    expect((await outcomeOf({}, "voice")).states).toEqual(["on off"]);
    const both = { "audio+video": "NotFoundError" };
    expect((await outcomeOf({ ...both, audio: "NotFoundError" })).states).toEqual(["missing on"]);
    expect((await outcomeOf({ ...both, audio: "NotReadableError" })).states).toEqual(["busy on"]);
    expect((await outcomeOf({ "audio+video": "TypeError" })).states).toEqual(["on failed"]);
  });

  it("follow the permission: what was refused opens as soon as the person allows it", async () => {
    const { world, again, states } = await outcomeOf({
      "audio+video": "NotAllowedError",
      audio: "NotAllowedError",
    });
    world.devices.refuse = {};
    world.permission.allow("audio");
    await settle();
    expect(states).toEqual(["denied on", "on on"]);
    again.close();
    expect(world.permission.handlers.size).toBe(0);
  });

  it("name the same cause as the message: a permission that was taken away is no missing device", async () => {
    const { world, again, states } = await outcomeOf({});
    world.devices.refuse = { audio: "NotAllowedError" };
    world.devices.tracks.findLast(({ kind }) => kind === "audio")?.end();
    await settle();
    expect(states.at(-1)).toBe("revoked on");
    // A change of the devices opens no prompt and reports nothing else.
    world.devices.dispatchEvent(new Event("devicechange"));
    world.clock.pass(200);
    await settle();
    expect(states).toEqual(["on on", "revoked on"]);
    world.devices.refuse = {};
    again.set(on, ["audio"]);
    await settle();
    expect(states.at(-1)).toBe("on on");
  });

  it("stay unplugged while other devices come and go, until the person asks again", async () => {
    const { world, again, states } = await outcomeOf({});
    world.devices.refuse = { audio: "NotFoundError" };
    world.devices.tracks.findLast(({ kind }) => kind === "audio")?.end();
    await settle();
    world.devices.dispatchEvent(new Event("devicechange"));
    world.clock.pass(200);
    await settle();
    again.replay();
    expect(states.at(-1)).toBe("unplugged on");
    again.set(on, ["audio"]);
    await settle();
    expect(states.at(-1)).toBe("missing on");
  });

  it("say that the system silences a device, and no longer does; a mute of a moment is none", async () => {
    const { world, again, states } = await outcomeOf({});
    const microphone = world.devices.tracks.findLast(({ kind }) => kind === "audio");
    microphone?.silence(true);
    world.clock.pass(100);
    microphone?.silence(false);
    world.clock.pass(5000);
    expect(states).toEqual(["on on"]);
    microphone?.silence(true);
    world.clock.pass(600);
    expect(states.at(-1)).toBe("system-muted on");
    microphone?.silence(false);
    expect(states.at(-1)).toBe("on on");
    microphone?.silence(true);
    again.close();
    expect(world.clock.pending).toBe(0);
  });

  it("follow a microphone that is unplugged", async () => {
    const { world, states } = await outcomeOf({});
    world.devices.refuse = { audio: "NotFoundError" };
    world.devices.tracks.findLast(({ kind }) => kind === "audio")?.end();
    await settle();
    expect(states).toEqual(["on on", "unplugged on"]);
  });
});

describe("the camera", () => {
  it("stops when it is switched off and opens again when it is switched on", async () => {
    const { devices, heard, local } = await open();
    local.set(off);
    await settle();
    expect(devices.tracks.map((track) => [track.kind, track.stopped])).toEqual([
      ["audio", false],
      ["video", true],
    ]);
    local.set(on);
    await settle();
    expect(devices.asked).toEqual(["audio+video", "video"]);
    expect(heard).toEqual(["tracks av", "opened true true", "tracks a-", "tracks av"]);
  });

  it("is not opened when the call begins without it", async () => {
    const { devices, heard } = await open({}, off);
    expect(devices.asked).toEqual(["audio"]);
    expect(heard).toEqual(["tracks a-", "opened true true"]);
  });

  it("ends in the state of the last of several quick clicks", async () => {
    const { devices, local } = await open({}, off);
    local.set(on);
    local.set(off);
    local.set(on);
    local.set(off);
    await settle();
    expect(local.tracks.video).toBeNull();
    expect(devices.tracks.filter((t) => t.kind === "video" && !t.stopped)).toEqual([]);
  });
});

describe("mute", () => {
  it("applies to the open track and to the next one", async () => {
    const { devices, local } = await open({}, { audioMuted: true, videoOff: true });
    expect(devices.tracks[0]?.enabled).toBe(false);
    local.set({ audioMuted: false, videoOff: true });
    expect(devices.tracks[0]?.enabled).toBe(true);
    local.set({ audioMuted: true, videoOff: true });
    devices.tracks[0]?.dispatchEvent(new Event("ended"));
    await settle();
    expect(devices.tracks[1]?.enabled).toBe(false);
  });
});

describe("devices that come and go", () => {
  it("switch to the next microphone when one is unplugged", async () => {
    const { devices, heard } = await open();
    devices.tracks[0]?.dispatchEvent(new Event("ended"));
    await settle();
    expect(heard.slice(2)).toEqual([
      "tracks -v",
      "tracks av",
      "麦克风已切换到“fake audio”",
      "opened true true",
    ]);
  });

  it("are reported when none is left, and a later one is opened", async () => {
    const { devices, heard, world } = await open();
    devices.refuse = { video: "NotFoundError" };
    devices.tracks[1]?.dispatchEvent(new Event("ended"));
    await settle();
    expect(heard.slice(2)).toEqual([
      "tracks a-",
      "摄像头已断开，请重新连接，连接后会自动启用，或更换设备",
      "opened true false media.no-device",
    ]);
    devices.refuse = {};
    devices.dispatchEvent(new Event("devicechange"));
    devices.dispatchEvent(new Event("devicechange"));
    world.clock.pass(200);
    await settle();
    expect(devices.asked).toEqual(["audio+video", "video", "video"]);
    expect(heard.slice(5)).toEqual(["tracks av", "摄像头已恢复：“fake video”", "opened true true"]);
  });

  it("do not cause a new prompt after a refusal", async () => {
    const { devices, world } = await open({
      "audio+video": "NotAllowedError",
      video: "NotAllowedError",
    });
    devices.dispatchEvent(new Event("devicechange"));
    world.clock.pass(200);
    await settle();
    expect(devices.asked).toEqual(["audio+video", "audio"]);
  });

  it("leave no listener and no track open", async () => {
    const { devices, local, tally } = await open();
    local.close();
    local.close();
    expect(devices.tracks.map((track) => track.stopped)).toEqual([true, true]);
    expect(tally.read()).toMatchObject({ tracks: 0, listeners: 0 });
  });
});

it("A voice call without a microphone fails and does not open the camera", async () => {
  const { devices, heard } = await open({ audio: "NotFoundError" }, on, "voice");
  expect(heard).toEqual(["failed media.no-device"]);
  expect(devices.asked).toEqual(["audio"]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "stream.video-on: The camera rolls back when it does not come on, and tries again when meant again":
    async () => {
      const { devices, heard, local } = await open({ video: "NotReadableError" }, off);
      local.set(on);
      await settle();
      expect(heard.at(-1)).toBe("opened true false media.device-busy");
      local.set({ audioMuted: true, videoOff: false }); // a mute does not ask for the camera
      await settle();
      expect(devices.asked).toEqual(["audio", "video"]);
      devices.refuse = {};
      local.set({ audioMuted: true, videoOff: false }, ["video"]);
      await settle();
      expect(heard.slice(-2)).toEqual(["tracks av", "opened true true"]);
    },
});
