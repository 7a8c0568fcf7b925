/** Audio-mixer streams in the library (docs/conferences.md#mixer-streams). */
import { expect } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { faceWorld, member } from "./face.harness.ts";

const OWN = stream("s1", "m1", { type: 2, located: true });

export const checks = rowChecks({
  "face.mixer: It is published with the sound alone, by the options of every stream, and is heard by its events":
    async () => {
      const world = faceWorld();
      world.inside();
      world.answers.set("publish", { streamId: "s1" });
      const publishing = world.face.publish({ audioMixer: true, maxAudioBitrate: 32 });
      world.set({ streams: { s1: OWN } });
      await publishing;
      expect(world.calls).toEqual([
        [
          "publish",
          {
            type: 2,
            audioMuted: false,
            videoOff: true,
            settings: { maxAudioBitrate: 32 },
            ext: "",
          },
        ],
      ]);
      await world.face.pauseAudio("s1");
      expect(world.calls.at(-1)).toEqual(["setLocal", { audioMuted: true }]);
    },

  "face.live-delete: Live streams are the admin's; deleting one only warns when it cannot be":
    async () => {
      const world = faceWorld();
      world.inside();
      await world.face.deleteLive("c1", "l1");
      world.inside({ self: member("m1", { role: 7 }) });
      await world.face.deleteLive("c1", "");
      expect(world.warnings).toEqual([
        "deleteLive: the role of admin is required",
        "deleteLive: the liveId is required",
      ]);
      expect(world.calls).toEqual([]);
      await world.face.addLive("c1", { cdn: "rtmp://cdn" });
      await world.face.updateLiveLayout("c1", "l1", [{ sid: "s" }]);
      await world.face.deleteLive("c1", "l1");
      expect(world.calls).toEqual([
        ["addLive", { liveCfg: { cdn: "rtmp://cdn" } }],
        ["updateLive", { liveId: "l1", regions: [{ sid: "s" }] }],
        ["deleteLive", { liveId: "l1" }],
      ]);
    },

  "face.mixer-events: Each refusal is a typed event with the stream": async () => {
    const world = faceWorld();
    const other = stream("s2", "m2", { type: 2, hasVideo: false });
    world.inside({ streams: { s1: OWN, s2: other } });
    await expect(world.face.publish({ audioMixer: true })).rejects.toThrow();
    await expect(world.face.subscribe(null, "s2")).rejects.toThrow();
    await expect(world.face.subscribe(null, "s2", true, false)).rejects.toThrow();
    expect(
      world.heardTyped().map(([name, event]) => {
        const { code, details } = event as { code: string; details: object };
        return [name, code, details];
      }),
    ).toEqual([
      ["onStreamConnection", "AudioMixerStreamRepeatPublish", { streamId: "s1" }],
      ["onStreamConnection", "AudioMixerStreamNotAllowSub", { streamId: "s2" }],
      ["onStreamConnection", "AudioMixerStreamNotAllowOnlySubVideo", { streamId: "s2" }],
    ]);
  },

  "face.mix: The mix itself has sound; of a mixer stream with a picture the picture is received":
    async () => {
      const world = faceWorld();
      const mix = stream("0", "", { type: 2, hasVideo: false });
      world.inside({ streams: { "0": mix, s2: stream("s2", "m2", { type: 2, hasVideo: true }) } });
      await world.face.subscribe(null, "0", false, true);
      await world.face.subscribe(null, "s2");
      expect(world.calls).toEqual([
        ["subscribe", { streamId: "0", video: false, audio: true }],
        ["subscribe", { streamId: "s2", video: true, audio: false }],
      ]);
    },
});
