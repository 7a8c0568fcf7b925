/** Recording, pictures and monitoring by the library. */
import { expect, it, vi } from "vitest";
import { SILENT } from "../../rtc-main/sound/reading.ts";
import { PATIENCE } from "../../shared/patience.harness.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { createTransmissionHelper } from "../helper.ts";
import { asTag, FakeTag, faceWorld, member } from "./face.harness.ts";
import { TAG_EVENTS } from "./tags.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";

function watching() {
  const world = faceWorld();
  world.inside({ streams: { s2: stream("s2", "m2"), s1: stream("s1", "m1", { located: true }) } });
  const tag = new FakeTag();
  world.face.streamBindVideo("s2", asTag(tag));
  return { ...world, tag };
}

it("A recording is one command each, and ends with a file", async () => {
  const { face, calls, answers } = watching();
  answers.set("record", { id: "r" });
  answers.set("stopRecording", { id: "r" });
  expect(await face.startRecord()).toBe("r");
  await face.startRecord("s2");
  await face.pauseRecord();
  await face.resumeRecord();
  expect(await face.stopRecord()).toMatchObject({ id: "r", name: "r.webm" });
  expect(calls).toEqual([
    ["record", {}],
    ["record", { streamId: "s2" }],
    ["pauseRecording", { on: true }],
    ["pauseRecording", { on: false }],
    ["stopRecording", {}],
  ]);
  await expect(face.startRecord("gone")).rejects.toThrow("Bad stream");
});

it("Everybody hears who begins and ends to record", () => {
  const { set, state, heard, events } = watching();
  const { members } = state;
  heard();
  set({ members: { ...members, m2: member("m2", { role: 7, recording: 5 }) } });
  expect(events.map(([name, who, on]) => [name, (who as { id: string }).id, on])).toEqual([
    ["onRecording", "m2", true],
  ]);
  heard();
  set({ members: { ...members, m2: member("m2", { role: 7 }) } });
  expect(events.map(([name, , on]) => [name, on])).toEqual([["onRecording", false]]);
});

it("The helper counts what came since the last look, and not what a former connection carried", async () => {
  let now = 0;
  let look = (): void => undefined;
  const helper = createTransmissionHelper(
    () => now,
    (run) => {
      look = run;
      return () => undefined;
    },
  );
  const sample = { trackId: "t", kind: "video" as const, bytes: 1000, packets: 1, packetsLost: 0 };
  const heard: unknown[] = [];
  helper.watch(
    async () => [{ ...sample }],
    (...given) => heard.push(given[3]),
    1000,
  );
  for (const bytes of [1000, 3000, 500]) {
    sample.bytes = bytes;
    look();
    await Promise.resolve();
    await Promise.resolve();
    now += 2000;
  }
  expect(heard).toEqual([
    { bytesPerSecond: 1000, packetsLostPerSecond: 0 },
    { bytesPerSecond: 0, packetsLostPerSecond: 0 },
  ]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "capture.tag: A bound element answers captureVideo; an unknown one and one without a picture are refused":
    async () => {
      const { face, tag, warnings } = watching();
      expect(TAG_EVENTS).toContain("captureVideo");
      await expect(face.captureVideo("s1")).rejects.toThrow("Bad stream");
      Object.assign(tag, {
        ownerDocument: { createElement: () => ({ getContext: () => null }) },
        videoWidth: 0,
        videoHeight: 0,
        srcObject: null,
      });
      await expect(face.captureVideo(asTag(tag))).rejects.toMatchObject({
        code: "media.no-picture",
      });
      tag.dispatchEvent(new CustomEvent("captureVideo"));
      await vi.waitFor(() => expect(warnings.join()).toContain("captureVideo"), PATIENCE);
    },

  "sound.monitor: onSoundChanged gives the element's stream, and throws when nothing is measured":
    () => {
      const { face, tag, handlers } = watching();
      const heard: unknown[] = [];
      const stop = face.onSoundChanged(asTag(tag), (reading, { id }) => heard.push([id, reading]));
      const reading = { ...SILENT, instant: 0.4 };
      const emit = (): void => {
        for (const handler of handlers.sound) handler(new Map([["s2", reading]]));
      };
      emit();
      expect(heard).toEqual([["s2", reading]]);
      stop();
      emit();
      expect(heard).toHaveLength(1);
      const off = faceWorld({ meterMillis: 0 });
      expect(() => off.face.onSoundChanged(asTag(new FakeTag()))).toThrow(
        "monit sound chanaged not config. please config getMediaMeterIntervalMillis",
      );
    },

  "sound.transmission: onMediaTransmission only warns until its helper is loaded": () => {
    const { face, tag, warnings } = watching();
    face.onMediaTransmission(asTag(tag), () => undefined);
    expect(warnings).toEqual(["please import helper. <script>"]);
    let watched = 0;
    face.useHelper({
      watch() {
        watched += 1;
        return () => undefined;
      },
    });
    face.onMediaTransmission(asTag(tag), () => undefined);
    expect(watched).toBe(1);
  },
});
