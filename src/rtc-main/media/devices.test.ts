import { expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { FakePort } from "../owner/port.fake.ts";
import { createMediaHost } from "../owner/host.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";

async function carrying() {
  const world = fakeWorld();
  const host = createMediaHost(world.deps);
  const port = new FakePort();
  host.connect(port as unknown as MessagePort);
  const own = async (more: Record<string, unknown> = {}): Promise<void> => {
    port.send({
      t: "own",
      epoch: 1,
      callId: "c1",
      media: "video",
      audioMuted: false,
      videoOff: false,
      rtcCfg: { iceServers: [] },
      engine: { kind: "conference" },
      ...more,
    });
    await settle();
  };
  world.devices.list = [
    { kind: "audioinput", deviceId: "audio-1", label: "Built in" },
    { kind: "videoinput", deviceId: "video-1", label: "Front" },
    { kind: "videoinput", deviceId: "video-2", label: "Back" },
  ];
  const open = () => world.devices.tracks.filter(({ stopped }) => !stopped);
  return { world, host, port, own, open };
}

it("The list has the devices of a kind and marks the one in use", async () => {
  const { host, own } = await carrying();
  await own();
  expect(await host.mediaDevices("videoinput")).toEqual([
    { deviceId: "video-1", label: "Front", current: true },
    { deviceId: "video-2", label: "Back", current: false },
  ]);
  await host.changeDevice("videoinput", "video-2");
  expect((await host.mediaDevices("videoinput")).map(({ current }) => current)).toEqual([
    false,
    true,
  ]);
});

it("When only one camera can be open, the former one is closed first and reopened if the new one fails", async () => {
  const { world, host, own, open } = await carrying();
  await own();
  world.devices.exclusive = true;
  await host.changeDevice("videoinput", "video-2");
  const video = () => open().filter(({ kind }) => kind === "video");
  expect(video().map(({ settings }) => settings.deviceId)).toEqual(["video-2"]);
  world.devices.refuse = { "video-3": "NotReadableError" };
  await expect(host.changeDevice("videoinput", "video-3")).rejects.toMatchObject({
    code: "media.device-busy",
  });
  expect(video().map(({ settings }) => settings.deviceId)).toEqual(["video-2"]);
});

it("A camera that is off stays off and later opens as the chosen one", async () => {
  const { world, host, port, own, open } = await carrying();
  await own({ videoOff: true });
  await host.changeDevice("videoinput", "video-2");
  expect(open().map(({ kind }) => kind)).toEqual(["audio"]);
  port.send({ t: "local", epoch: 1, audioMuted: false, videoOff: false });
  await settle();
  expect(world.devices.constraints.at(-1)?.video).toMatchObject({
    deviceId: { ideal: "video-2" },
  });
});

it("A device that was chosen before the tab owns media is opened later", async () => {
  const { world, host, own } = await carrying();
  await host.changeDevice("audioinput", "audio-9");
  await host.changeCameraTo("environment");
  await own();
  expect(world.devices.constraints[0]).toMatchObject({
    audio: { deviceId: { ideal: "audio-9" } },
    video: { facingMode: { ideal: "environment" } },
  });
});

it("A phone's other camera is requested by its side", async () => {
  const { world, host, own } = await carrying();
  await own();
  await host.changeCameraTo("environment");
  expect(world.devices.constraints.at(-1)?.video).toMatchObject({
    facingMode: { exact: "environment" },
  });
});

it("Devices that cannot be listed are reported, and the caller gets the error", async () => {
  const { world, host } = await carrying();
  world.devices.enumerateDevices = () => Promise.reject(new Error("no list"));
  await expect(host.mediaDevices("videoinput")).rejects.toMatchObject({
    code: "media.open-failed",
  });
  expect(world.reports).toEqual(["devices cannot be listed: Error: no list"]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "stream.rollback: a device that cannot be opened leaves the former one in use, and says why":
    async () => {
      const { world, host, own, open } = await carrying();
      await own();
      const before = open();
      world.devices.refuse = { "video-2": "NotFoundError" };
      await expect(host.changeDevice("videoinput", "video-2")).rejects.toMatchObject({
        code: "media.no-device",
      });
      expect(open()).toEqual(before);
      expect((await host.mediaDevices("videoinput"))[0]).toMatchObject({ current: true });
    },
});
