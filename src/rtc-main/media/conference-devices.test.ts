import { describe, expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { withEffects } from "../effects/effects.fake.ts";
import { createTally } from "../tally.ts";
import { createConferenceDevices } from "./conference-devices.ts";

const BOTH = { audioMuted: false, audioOff: false, videoOff: false };
const NONE = { audioMuted: false, audioOff: true, videoOff: true };

async function capture(refuse: Record<string, string> = {}, settings = BOTH) {
  const world = fakeWorld();
  const { devices, permission } = world;
  devices.refuse = refuse;
  const tally = createTally();
  const states: string[] = [];
  let tracks = "";
  const made = createConferenceDevices(withEffects(world.deps, tally), tally, settings, {
    tracks: ({ audio, video }) => (tracks = `${audio ? "a" : "-"}${video ? "v" : "-"}`),
    states: ({ audio, video }) => states.push(`${audio} ${video}`),
    mutedVoice: () => undefined,
  });
  return {
    made,
    world,
    devices,
    permission,
    tally,
    states,
    sent: () => tracks,
    open: async () => {
      made.open();
      await settle();
    },
    plug: async () => {
      devices.dispatchEvent(new Event("devicechange"));
      world.clock.pass(200);
      await settle();
    },
  };
}

describe("opening", () => {
  it("shows one prompt for both devices and reports the state", async () => {
    const { open, states, devices, sent } = await capture();
    await open();
    expect([devices.asked, states, sent()]).toEqual([
      ["audio+video"],
      ["asking asking", "on on"],
      "av",
    ]);
  });

  it("opens no unwanted device", async () => {
    const { open, states, devices } = await capture({}, NONE);
    await open();
    expect([devices.asked, states]).toEqual([[], ["off off"]]);
  });

  it("continues with the microphone alone, the camera alone, or neither", async () => {
    const all = { "audio+video": "NotFoundError" };
    for (const [refuse, state] of [
      [{ ...all, video: "NotFoundError" }, "on missing"],
      [{ ...all, audio: "NotReadableError" }, "busy on"],
      [{ ...all, audio: "NotFoundError", video: "NotFoundError" }, "missing missing"],
    ] as const) {
      const { open, states } = await capture(refuse);
      await open();
      expect(states.at(-1)).toBe(state);
    }
  });

  it("does not prompt for each device after the person refused both together", async () => {
    const { open, states, devices, permission } = await capture({
      "audio+video": "NotAllowedError",
    });
    Object.assign(permission.states, { audio: "prompt", video: "prompt" });
    await open();
    expect([devices.asked, states.at(-1)]).toEqual([["audio+video"], "denied denied"]);
  });

  it("prompts for one device when only the other one is denied permanently", async () => {
    const { open, states, devices, permission } = await capture({
      "audio+video": "NotAllowedError",
    });
    Object.assign(permission.states, { audio: "prompt", video: "denied" });
    await open();
    expect([devices.asked, states.at(-1)]).toEqual([["audio+video", "audio"], "on denied"]);
  });
});

describe("an open prompt", () => {
  it("has no deadline, and a device that is no longer wanted is stopped when it opens", async () => {
    const { made, open, states, devices, world, sent } = await capture();
    let answer = (): void => undefined;
    devices.gate = new Promise((resolve) => (answer = resolve));
    await open();
    world.clock.pass(3_600_000);
    await settle();
    expect(states).toEqual(["asking asking"]);
    made.set({ ...BOTH, videoOff: true }, []);
    answer();
    await settle();
    expect([states.at(-1), sent()]).toEqual(["on off", "a-"]);
    expect(devices.tracks.map(({ kind, stopped }) => [kind, stopped])).toEqual([
      ["audio", false],
      ["video", true],
    ]);
  });
});

describe("a failed device", () => {
  const refused = {
    "audio+video": "NotAllowedError",
    audio: "NotAllowedError",
    video: "NotAllowedError",
  };

  it("opens when the person allows it, independently of the other device", async () => {
    const { open, states, devices, permission } = await capture(refused);
    await open();
    devices.refuse = { video: "NotAllowedError" };
    permission.allow("audio");
    await settle();
    expect(states.at(-1)).toBe("on denied");
    devices.refuse = {};
    permission.allow("video");
    await settle();
    expect(states.at(-1)).toBe("on on");
  });

  it("opens when it is plugged in, unless the person refused it", async () => {
    const missing = {
      "audio+video": "NotFoundError",
      audio: "NotAllowedError",
      video: "NotFoundError",
    };
    const { open, states, devices, plug } = await capture(missing);
    await open();
    devices.refuse = {};
    await plug();
    expect(states.at(-1)).toBe("denied on");
    expect(devices.asked.at(-1)).toBe("video");
  });

  it("opens when the person asks for it again, and by no other command", async () => {
    const { made, open, states, devices } = await capture(refused);
    await open();
    const asked = devices.asked.length;
    devices.refuse = {};
    made.set({ ...BOTH, audioMuted: true }, []);
    await settle();
    expect(devices.asked).toHaveLength(asked);
    made.set(BOTH, ["audio"]);
    await settle();
    expect([states.at(-1), devices.asked.at(-1)]).toEqual(["on denied", "audio"]);
    made.set(BOTH, ["audio", "video"]);
    await settle();
    expect(states.at(-1)).toBe("on on");
  });

  it("is reported again to a new core", async () => {
    const { made, open, states } = await capture(refused);
    await open();
    made.replay();
    expect(states.slice(-2)).toEqual(["denied denied", "denied denied"]);
  });
});

it("What the system silences is open, and is reported; a permission that is taken away is reported as such", async () => {
  const { open, states, devices, world } = await capture();
  await open();
  devices.tracks[0]?.silence(true);
  world.clock.pass(600);
  expect(states.at(-1)).toBe("system-muted on");
  devices.tracks[0]?.silence(false);
  expect(states.at(-1)).toBe("on on");
  devices.refuse = { audio: "NotAllowedError" };
  devices.tracks[0]?.end();
  await settle();
  expect(states.at(-1)).toBe("revoked on");
});

it("Capture switches to another device when one is unplugged, and leaves nothing open", async () => {
  const { made, open, states, devices, permission, tally } = await capture();
  await open();
  devices.tracks[0]?.end();
  await settle();
  expect([states.at(-1), devices.tracks.length]).toEqual(["on on", 3]);
  made.close();
  expect(devices.tracks.slice(1).every(({ stopped }) => stopped)).toBe(true);
  expect(tally.read()).toMatchObject({ tracks: 0, listeners: 0 });
  expect(permission.handlers.size).toBe(0);
});
