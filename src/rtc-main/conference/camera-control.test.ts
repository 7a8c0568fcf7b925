/** The tab whose camera another member controls: what the device does, what is made of its picture, what is refused. */
import { expect } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import type { FakeTrack } from "../media/devices.fake.ts";
import { conference } from "./engine.harness.ts";

/** A tab that publishes its camera. @param capabilities what the camera can beyond sending a picture */
async function publishing(capabilities: Record<string, unknown> = {}) {
  const one = await conference();
  const { world, sendCommand, eventsOfType, pass, publish } = one;
  const camera = world.devices.tracks.findLast(({ kind }) => kind === "video")!;
  camera.capabilities = capabilities;
  const pc = await publish("r1");
  let asks = 0;
  const ask = async (action: object) => {
    asks += 1;
    const id = `q${asks}`;
    sendCommand({ t: "camera", id, action });
    await pass(0);
    const answer = eventsOfType("camera-done").find((event) => event["id"] === id);
    const { t: _t, id: _id, ...rest } = answer ?? {};
    return rest;
  };
  const state = () => {
    const { t: _t, ...rest } = eventsOfType("camera-state").at(-1) ?? {};
    return rest;
  };
  /** The picture that is sent in the high layer. */
  const sent = () =>
    pc
      .getTransceivers()
      .map(({ sender }) => sender.track as unknown as FakeTrack | null)
      .find((track) => track?.kind === "video");
  return { ...one, camera, ask, state, sent };
}
const CANNOT = { result: -507 };
const REST = { torch: false, freezeFrame: false, zoom: 1 };

export const checks = rowChecks({
  "camera.torch: the device's own light, or -507": async () => {
    const dark = await publishing();
    expect(await dark.ask({ kind: "torch", on: true })).toEqual(CANNOT);
    expect(dark.camera.constraints).toEqual([]);
    for (const torch of [true, [false, true]]) {
      const { camera, ask, state } = await publishing({ torch });
      expect(await ask({ kind: "torch", on: true })).toEqual({ result: 0 });
      expect(camera.constraints).toEqual([{ advanced: [{ torch: true }] }]);
      expect(state()).toEqual({ ...REST, torch: true });
      camera.refuses = "OverconstrainedError";
      expect(await ask({ kind: "torch", on: false })).toEqual({ result: -203 });
      expect(state()).toEqual({ ...REST, torch: true });
    }
  },

  "camera.native-zoom: the device zooms as far as it can, and its picture the rest": async () => {
    const { world, camera, ask, state, sent } = await publishing({ zoom: { min: 100, max: 400 } });
    expect(await ask({ kind: "zoom", zoom: 3 })).toEqual({ result: 0, zoom: 3 });
    expect(camera.constraints).toEqual([{ advanced: [{ zoom: 300 }] }]);
    expect([world.pictures.made.length, sent()]).toEqual([0, camera]);
    expect(await ask({ kind: "zoom", zoom: 6 })).toEqual({ result: 0, zoom: 6 });
    expect(camera.constraints.at(-1)).toEqual({ advanced: [{ zoom: 400 }] });
    expect(world.pictures.made[0]?.settings).toEqual({ zoom: 1.5, frozen: false });
    expect(sent()).toBe(world.pictures.made[0]?.track);
    expect(await ask({ kind: "zoom", zoom: 100 })).toEqual({ result: 0, zoom: 8 });
    expect(await ask({ kind: "zoom", zoom: 1 })).toEqual({ result: 0, zoom: 1 });
    expect(state()).toEqual(REST);
    expect([world.pictures.made[0]?.closed, sent()]).toEqual([true, camera]);
  },

  "camera.digital-zoom: a device without zoom shows the middle of its picture": async () => {
    const { world, camera, ask, sent } = await publishing();
    await ask({ kind: "zoom", zoom: 2 });
    await ask({ kind: "zoom", zoom: 2.5 });
    expect(world.pictures.made).toHaveLength(1);
    expect(world.pictures.made[0]).toMatchObject({
      source: camera,
      settings: { zoom: 2.5, frozen: false },
    });
    expect(sent()).toBe(world.pictures.made[0]?.track);
  },

  "camera.freeze: the picture that is sent and shown stands still until it goes on": async () => {
    const { world, bind, shown, camera, ask, state, sent } = await publishing();
    const { element } = bind("self");
    expect(await ask({ kind: "freeze", on: true })).toEqual({ result: 0 });
    expect(world.pictures.made[0]?.settings).toEqual({ zoom: 1, frozen: true });
    expect(state()).toEqual({ ...REST, freezeFrame: true });
    expect([sent(), shown(element)]).toEqual(Array(2).fill(world.pictures.made[0]?.track));
    expect(await ask({ kind: "freeze", on: false })).toEqual({ result: 0 });
    expect([sent(), shown(element)]).toEqual([camera, camera]);
  },

  "camera.focus: the point is the device's, whatever the digital zoom, or -507": async () => {
    const blind = await publishing({ focusMode: ["manual"] });
    const at = { kind: "focus", x: 0.25, y: 1, focus: true, expo: true };
    expect(await blind.ask(at)).toEqual(CANNOT);
    const { camera, ask } = await publishing({
      focusMode: ["continuous", "single-shot"],
      exposureMode: ["continuous", "manual"],
    });
    expect(await ask(at)).toEqual({ result: 0 });
    const modes = { focusMode: "single-shot", exposureMode: "continuous" };
    expect(camera.constraints).toEqual([
      { advanced: [{ pointsOfInterest: [{ x: 0.25, y: 1 }], ...modes }] },
    ]);
    await ask({ kind: "zoom", zoom: 2 });
    await ask({ ...at, expo: false });
    expect(camera.constraints.at(-1)).toEqual({
      advanced: [{ pointsOfInterest: [{ x: 0.375, y: 0.75 }], focusMode: "single-shot" }],
    });
  },

  "camera.picture: a photo of the device, but of the picture that is sent where it differs":
    async () => {
      const { world, camera, ask } = await publishing();
      const pic = "data:image/jpeg;base64,/9j/AA==";
      expect(await ask({ kind: "capture" })).toEqual({ result: 0, pic });
      await ask({ kind: "freeze", on: true });
      await ask({ kind: "capture" });
      expect(world.pictures.taken).toEqual([
        { track: camera, photo: true },
        { track: world.pictures.made[0]?.track, photo: false },
      ]);
    },

  "camera.blurred: a picture never shows what an effect hides": async () => {
    const { world, host, pass, ask } = await publishing();
    host.wantEffects({ background: true, noise: false });
    await pass(0);
    const effect = world.effects.started.find(({ kind }) => kind === "background")!;
    effect.running();
    await pass(0);
    await ask({ kind: "capture" });
    expect(world.pictures.taken).toEqual([{ track: effect.track, photo: false }]);
  },

  "camera.next: the next camera, whose light is off and whose zoom stays; -507 with one camera":
    async () => {
      const { world, camera, ask, state, sent } = await publishing({ torch: true });
      world.devices.list = [{ kind: "videoinput", deviceId: "video-1", label: "" }];
      expect(await ask({ kind: "switch" })).toEqual(CANNOT);
      world.devices.list.push({ kind: "videoinput", deviceId: "video-2", label: "" });
      await ask({ kind: "torch", on: true });
      await ask({ kind: "zoom", zoom: 2 });
      expect(await ask({ kind: "switch" })).toEqual({ result: 0 });
      const next = world.devices.tracks.at(-1)!;
      expect([camera.stopped, next.settings.deviceId]).toEqual([true, "video-2"]);
      expect(state()).toEqual({ ...REST, zoom: 2 });
      expect(world.pictures.made.map(({ closed }) => closed)).toEqual([true, false]);
      expect(sent()).toBe(world.pictures.made[1]?.track);
    },

  "camera.rest: a camera that is turned off refuses with -405 and is at rest afterwards; nothing stays open":
    async () => {
      const { world, host, port, pass, ask, state } = await publishing({ torch: true });
      await ask({ kind: "torch", on: true });
      await ask({ kind: "freeze", on: true });
      port.send({ t: "local", epoch: 1, audioMuted: false, audioOff: false, videoOff: true });
      await pass(0);
      expect(state()).toEqual(REST);
      expect(await ask({ kind: "zoom", zoom: 2 })).toEqual({ result: -405 });
      expect(world.pictures.made.every(({ closed }) => closed)).toBe(true);
      port.send({ t: "release", epoch: 1 });
      await pass(0);
      expect(host.debugCounts()).toMatchObject({ tracks: 0, peers: 0, timers: 0, workers: 0 });
    },

  "camera.restore: the person ends all of it": async () => {
    const { world, camera, ask, state, sent } = await publishing({
      torch: true,
      zoom: { min: 1, max: 4 },
    });
    await ask({ kind: "torch", on: true });
    await ask({ kind: "zoom", zoom: 2 });
    await ask({ kind: "freeze", on: true });
    expect(await ask({ kind: "restore" })).toEqual({ result: 0 });
    expect(camera.constraints.slice(-2)).toEqual([
      { advanced: [{ torch: false }] },
      { advanced: [{ zoom: 1 }] },
    ]);
    expect([state(), sent()]).toEqual([REST, camera]);
    expect(world.pictures.made.every(({ closed }) => closed)).toBe(true);
  },
});
