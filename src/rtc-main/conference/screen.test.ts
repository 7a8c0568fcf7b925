import { describe, expect, it } from "vitest";
import { settle } from "../clock.fake.ts";
import { conference } from "./engine.harness.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";

describe("a screen", () => {
  it("is captured before the tab owns media, published unscaled, and its end is reported", async () => {
    const { world, host, publish, eventsOfType, bind, shown } = await conference();
    expect(await host.captureScreen({ audio: true })).toBe(true);
    expect(eventsOfType("screen")).toEqual([{ t: "screen", on: true, audio: true }]);
    expect(world.devices.displayAsked[0]).toMatchObject({
      systemAudio: "include",
      selfBrowserSurface: "include",
    });
    expect(world.devices.displayAsked[0]?.audio).toMatchObject({ restrictOwnAudio: true });
    const [, , video, audio] = world.devices.tracks;
    expect(video?.contentHint).toBe("detail");
    const { element } = bind("screen");
    expect(shown(element)).toBe(video);
    const pc = await publish("s1", { type: 1 });
    expect(pc.getTransceivers().map(({ sender }) => sender.track)).toEqual([audio, video]);
    video?.end();
    expect(eventsOfType("screen").at(-1)).toEqual({ t: "screen", on: false, audio: false });
    expect([video?.stopped, audio?.stopped, shown(element)]).toEqual([true, true, null]);
  });

  it.each([
    [
      ["NotAllowedError", "Permission denied by system"],
      "media.system-denied",
      "系统未允许浏览器录制屏幕",
    ],
    ["NotReadableError", "media.device-busy", "无法读取所选的屏幕或窗口"],
    ["NotFoundError", "media.no-device", "没有找到可以共享的屏幕或窗口"],
    ["InvalidStateError", "media.inactive", "页面不在前台，未能共享屏幕"],
    ["AbortError", "media.aborted", "共享屏幕时被中断"],
  ] as const)(
    "that cannot be read (%s) is %s, in words of its own",
    async (refused, code, words) => {
      const { world, host } = await conference();
      world.devices.refuseDisplay = refused;
      const failed = host.captureScreen({ audio: false });
      await expect(failed).rejects.toMatchObject({ code, details: { device: "screen" } });
      await expect(failed).rejects.toThrow(words);
      world.devices.refuseDisplay = null;
      expect(await host.captureScreen({ audio: false })).toBe(true);
    },
  );

  it("is not supported by a browser that cannot share, and is paused while the system pauses it", async () => {
    const { world, host } = await conference();
    Object.assign(world.devices, { getDisplayMedia: undefined });
    await expect(host.captureScreen({ audio: false })).rejects.toMatchObject({
      code: "media.unsupported",
    });
    Reflect.deleteProperty(world.devices, "getDisplayMedia");
    await host.captureScreen({ audio: false });
    const video = world.devices.tracks.at(-1);
    video?.silence(true);
    expect(host.getState().screenPaused).toBe(false);
    world.clock.pass(600);
    expect(host.getState().screenPaused).toBe(true);
    video?.silence(false);
    expect(host.getState().screenPaused).toBe(false);
  });

  it("that was captured before the tab owns the media is reported once it does", async () => {
    const { host, port, own, eventsOfType } = await conference();
    port.send({ t: "release", epoch: 1 });
    await host.captureScreen({ audio: false });
    expect(eventsOfType("screen")).toEqual([]);
    own({ epoch: 2 });
    await settle();
    expect(eventsOfType("screen")).toEqual([{ t: "screen", on: true, audio: false }]);
  });

  it("stops with the conference and by command", async () => {
    const { world, host, port, sendCommand } = await conference();
    await host.captureScreen({ audio: false });
    sendCommand({ t: "stop-screen" });
    expect(world.devices.tracks.at(-1)?.stopped).toBe(true);
    await host.captureScreen({ audio: false });
    port.send({ t: "release", epoch: 1 });
    expect(world.devices.tracks.at(-1)?.stopped).toBe(true);
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "event.denied: A screen that was declined is no error; one that was not captured cannot be published":
    async () => {
      const { world, host, publish, eventsOfType } = await conference();
      world.devices.refuseDisplay = "NotAllowedError";
      expect(await host.captureScreen({ audio: false })).toBe(false);
      await publish("s1", { type: 1 });
      expect(eventsOfType("failed")).toMatchObject([
        { rtcId: "s1", error: { code: "media.open-failed" } },
      ]);
      expect(world.connections).toHaveLength(0);
    },
});
