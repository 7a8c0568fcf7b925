import { describe, expect, it } from "vitest";
import { settle } from "../clock.fake.ts";
import type { FakeConnection } from "../connections/connection.fake.ts";
import { FakeElement } from "../element.fake.ts";
import { METER_MS } from "../sound/meter.ts";
import { conference } from "./engine.harness.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";

describe("sound", () => {
  it("is not heard twice beside a call, and is heard when the call is released", async () => {
    const { world, port, subscribe, flow } = await conference();
    await flow(await subscribe("r1", "st1"));
    const call = { media: "video", audioMuted: false, videoOff: false, rtcCfg: { iceServers: [] } };
    port.send({
      t: "own",
      epoch: 2,
      callId: "two",
      ...call,
      engine: { kind: "native" },
      beside: true,
    });
    await flow(await subscribe("r2", "st2"));
    expect(world.audio.map(({ muted }) => muted)).toEqual([true, true]);
    port.send({ t: "release", epoch: 2 });
    await settle();
    expect(world.audio.map(({ muted }) => muted)).toEqual([false, false]);
  });

  it("that autoplay refused is one state for all streams, and one click plays all", async () => {
    const all = await conference();
    const { world, host, port } = all;
    const create = world.deps.createAudioElement;
    Object.assign(world.deps, {
      createAudioElement() {
        const made = create();
        (made as unknown as FakeElement).refuse = "NotAllowedError";
        return made;
      },
    });
    for (const [rtcId, id] of [
      ["r1", "st1"],
      ["r2", "st2"],
    ] as const) {
      const pc = await all.subscribe(rtcId, id);
      pc.receive(pc.getTransceivers()[0]!);
    }
    await settle();
    expect(port.sentOfType("autoplay")).toMatchObject([{ blocked: true }]);
    expect(host.getState().autoplayBlocked).toBe(true);
    for (const element of world.audio) element.refuse = null;
    await host.resumePlayback();
    expect(port.sentOfType("autoplay")).toMatchObject([{ blocked: true }, { blocked: false }]);
    expect(host.getState().autoplayBlocked).toBe(false);
  });

  it("goes to the chosen output, also for later streams", async () => {
    const { world, host, subscribe, flow } = await conference();
    world.devices.list = [
      { kind: "audiooutput", deviceId: "default", label: "Default" },
      { kind: "audiooutput", deviceId: "phones", label: "Phones" },
    ];
    await flow(await subscribe("r1", "st1"));
    await host.changeDevice("audiooutput", "phones");
    await flow(await subscribe("r2", "st2"));
    expect(world.audio.map(({ sink }) => sink)).toEqual(["phones", "phones"]);
    await expect(host.changeDevice("audiooutput", FakeElement.noSink)).rejects.toMatchObject({
      code: "media.no-device",
    });
    expect(world.audio.map(({ sink }) => sink)).toEqual(["phones", "phones"]);
    expect(await host.mediaDevices("audiooutput")).toMatchObject([
      { deviceId: "default", current: false },
      { deviceId: "phones", current: true },
    ]);
  });
});

it("WebAudio measures the own level when the statistics lack it", async () => {
  const { world, port, publish, eventsOfType, host, pass } = await conference();
  const own = await publish("p1");
  own.stats = new Map([["m", { type: "media-source", kind: "audio" }]]);
  world.loudness = 0.4;
  await pass(METER_MS);
  expect(eventsOfType("talking").at(-1)).toEqual({ t: "talking", streamIds: ["self"] });
  expect(host.localLevel()).toBe(0.4);
  expect(world.listening.size).toBe(1);
  port.send({ t: "release", epoch: 1 });
  await pass(METER_MS);
  expect(world.listening.size).toBe(0);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "time.getMediaMeterIntervalMillis: Who is heard is reported on change, loudest first, the own microphone too unless it is muted":
    async () => {
      const { world, port, publish, subscribe, flow, eventsOfType, host, pass } =
        await conference();
      const own = await publish("p1");
      const one = await subscribe("r1", "st1");
      const two = await subscribe("r2", "st2");
      await flow(one);
      await flow(two);
      const level = (pc: FakeConnection, value: number): void => {
        pc.getTransceivers()[0]!.receiver.level = value;
      };
      own.stats = new Map([["m", { type: "media-source", kind: "audio", audioLevel: 0.3 }]]);
      level(one, 0.2);
      level(two, 0.04);
      await pass(METER_MS);
      expect(eventsOfType("talking").at(-1)).toEqual({ t: "talking", streamIds: ["self", "st1"] });
      expect(host.localLevel()).toBe(0.3);
      level(two, 0.9);
      await pass(METER_MS);
      expect(eventsOfType("talking").at(-1)).toEqual({
        t: "talking",
        streamIds: ["st2", "self", "st1"],
      });
      const before = eventsOfType("talking").length;
      await pass(METER_MS);
      expect(eventsOfType("talking")).toHaveLength(before);
      // A short pause does not count.
      level(one, 0);
      await pass(METER_MS);
      expect(eventsOfType("talking")).toHaveLength(before);
      port.send({ t: "local", epoch: 1, audioMuted: true, videoOff: false });
      level(two, 0);
      for (let i = 0; i < 4; i += 1) await pass(METER_MS);
      expect(eventsOfType("talking").at(-1)).toEqual({ t: "talking", streamIds: [] });
      expect(world.devices.tracks[0]?.enabled).toBe(false);
      expect(host.localLevel()).toBe(0);
    },

  "time.judgeTalkingByInstantGE: A member is heard from 0.05 on": async () => {
    const { subscribe, flow, eventsOfType, pass } = await conference();
    for (const [rtcId, id, level] of [
      ["r1", "below", 0.0499],
      ["r2", "at", 0.05],
    ] as const) {
      const pc = await subscribe(rtcId, id);
      await flow(pc);
      pc.getTransceivers()[0]!.receiver.level = level;
    }
    await pass(METER_MS);
    expect(eventsOfType("talking")).toEqual([{ t: "talking", streamIds: ["at"] }]);
  },
});
