import { describe, expect, it } from "vitest";
import { settle } from "../clock.fake.ts";
import { conference } from "./engine.harness.ts";

describe("a screen", () => {
  it("is captured before the tab owns media, published unscaled, and its end is reported", async () => {
    const { world, host, publish, told, bind, shown } = await conference();
    expect(await host.captureScreen({ audio: true })).toBe(true);
    expect(told("screen")).toEqual([{ t: "screen", on: true, audio: true }]);
    expect(world.devices.displayAsked[0]).toMatchObject({ systemAudio: "include" });
    expect(world.devices.displayAsked[0]?.audio).toMatchObject({ restrictOwnAudio: true });
    const [, , video, audio] = world.devices.tracks;
    expect(video?.contentHint).toBe("detail");
    const { element } = bind("screen");
    expect(shown(element)).toBe(video);
    const pc = await publish("s1", { type: 1 });
    expect(pc.getTransceivers().map(({ sender }) => sender.track)).toEqual([audio, video]);
    video?.end();
    expect(told("screen").at(-1)).toEqual({ t: "screen", on: false, audio: false });
    expect([video?.stopped, audio?.stopped, shown(element)]).toEqual([true, true, null]);
  });

  it("event.denied: declined is no error; one that was not captured cannot be published", async () => {
    const { world, host, publish, told } = await conference();
    world.devices.refuseDisplay = "NotAllowedError";
    expect(await host.captureScreen({ audio: false })).toBe(false);
    await publish("s1", { type: 1 });
    expect(told("failed")).toMatchObject([{ rtcId: "s1", error: { code: "media.open-failed" } }]);
    expect(world.connections).toHaveLength(0);
  });

  it("that was captured before the tab owns the media is reported once it does", async () => {
    const { host, port, own, told } = await conference();
    port.send({ t: "release", epoch: 1 });
    await host.captureScreen({ audio: false });
    expect(told("screen")).toEqual([]);
    own({ epoch: 2 });
    await settle();
    expect(told("screen")).toEqual([{ t: "screen", on: true, audio: false }]);
  });

  it("stops with the conference and by command", async () => {
    const { world, host, port, say } = await conference();
    await host.captureScreen({ audio: false });
    say({ t: "stop-screen" });
    expect(world.devices.tracks.at(-1)?.stopped).toBe(true);
    await host.captureScreen({ audio: false });
    port.send({ t: "release", epoch: 1 });
    expect(world.devices.tracks.at(-1)?.stopped).toBe(true);
  });
});
