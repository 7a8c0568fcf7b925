import { describe, expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { withEffects } from "../effects/effects.fake.ts";
import { SILENT } from "../sound/reading.ts";
import { createTally } from "../tally.ts";
import { createPreview, type PreviewView } from "./preview.ts";

async function opened(refuse: Record<string, string> = {}) {
  const world = fakeWorld();
  world.devices.refuse = refuse;
  const tally = createTally();
  const views: PreviewView[] = [];
  const deps = {
    ...withEffects(world.deps, tally),
    createStream: (tracks: MediaStreamTrack[]) =>
      ({ getTracks: () => tracks }) as unknown as MediaStream,
    listen: () => ({
      level: () => 0.25,
      reading: () => SILENT,
      runs: () => true,
      close: () => undefined,
    }),
  };
  const preview = createPreview(deps, tally, { microphone: true, camera: true }, (view) =>
    views.push(view),
  );
  await settle();
  return { preview, tally, devices: world.devices, last: () => views.at(-1) };
}

describe("Preview of the own devices", () => {
  it("Shows the picture and the level of the devices that open", async () => {
    const { preview, devices, last } = await opened();
    expect(devices.asked).toEqual(["audio+video"]);
    expect(last()?.states).toEqual({ audio: "on", video: "on" });
    expect(last()?.picture?.getTracks()).toHaveLength(1);
    expect(preview.level()).toBe(0.25);
  });

  it("Closes what is not wanted and opens it again", async () => {
    const { preview, devices, last } = await opened();
    preview.want({ microphone: false, camera: false });
    await settle();
    expect(last()).toEqual({ picture: null, states: { audio: "off", video: "off" } });
    expect(preview.level()).toBe(0);
    expect(devices.tracks.every(({ stopped }) => stopped)).toBe(true);
    preview.want({ microphone: true, camera: false });
    await settle();
    expect(last()?.states).toEqual({ audio: "on", video: "off" });
  });

  it("Says which device was refused, and asks again when the person wants it", async () => {
    const refuse = { "audio+video": "NotFoundError", video: "NotFoundError" };
    const { preview, devices, last } = await opened(refuse);
    expect(last()).toEqual({ picture: null, states: { audio: "on", video: "missing" } });
    devices.refuse = {};
    preview.retry();
    await settle();
    expect(last()?.states).toEqual({ audio: "on", video: "on" });
  });

  it("Leaves nothing open", async () => {
    const { preview, tally, devices } = await opened();
    preview.close();
    preview.close();
    expect(devices.tracks.every(({ stopped }) => stopped)).toBe(true);
    expect(Object.values(tally.read()).every((count) => count === 0)).toBe(true);
  });
});
