/** The mix in the tab: sent and received over one section, and played in a hidden element (docs/conferences.md#mixer-streams). */
import { expect } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { conference } from "./engine.harness.ts";

async function publishing() {
  const one = await conference();
  const pc = await one.publish("r1", { type: 2, simulcast: false });
  const audio = pc.getTransceivers().find(({ receiver }) => receiver.track.kind === "audio")!;
  return { one, pc, audio };
}

export const checks = rowChecks({
  "mixer.section: The section of the sound sends the microphone and can receive": async () => {
    const { audio, one } = await publishing();
    expect(audio.direction).toBe("sendrecv");
    const camera = await one.publish("r2");
    expect(camera.getTransceivers().map(({ direction }) => direction)).toEqual([
      "sendonly",
      "sendonly",
      "sendonly",
    ]);
  },

  "mixer.element: The mix plays in a hidden element, which goes with the connection": async () => {
    const { one, pc, audio } = await publishing();
    expect(one.host.tracksOf("0").audio).toBeNull();
    pc.receive(audio);
    await one.pass(0);
    expect(one.host.tracksOf("0").audio).toBe(audio.receiver.track);
    expect(one.world.audio.map(({ srcObject }) => srcObject !== null)).toEqual([true]);
    one.sendCommand({ t: "close", rtcId: "r1" });
    await one.pass(0);
    expect(one.host.tracksOf("0").audio).toBeNull();
    expect(one.world.audio.map(({ srcObject }) => srcObject !== null)).toEqual([false]);
  },

  "mixer.rebuilt: A connection that was built again brings it, and the former one does not end it":
    async () => {
      const { one, pc, audio } = await publishing();
      pc.receive(audio);
      const second = await one.publish("r2", { type: 2, simulcast: false });
      const next = second
        .getTransceivers()
        .find(({ receiver }) => receiver.track.kind === "audio")!;
      second.receive(next);
      one.sendCommand({ t: "close", rtcId: "r1" });
      await one.pass(0);
      expect(one.host.tracksOf("0").audio).toBe(next.receiver.track);
    },
});
