/** Mixer streams (docs/conferences.md#mixer-streams): publishing one, what is received of them, and the stream of the mixer itself. */
import { expect } from "vitest";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { tilesOf } from "./recording.ts";
import { at, createConferenceWorld, ENTRY, errorOf, joined, own } from "./conferences.harness.ts";

const T1 = at("t1");
const SOUND = { hasVideo: false, hasAudio: true };

/** Enters a conference whose server mixes, without publishing. */
async function mixedWorld(type: 11 | 12, role: 1 | 3 | 7 = 3) {
  const world = createConferenceWorld();
  world.says.type = type;
  world.server.role = role;
  const tab = world.openTab("t1");
  const conferences = world.make();
  const began = conferences.handlers.create(
    { type, name: "直播", password: "", limits: {}, ...ENTRY, publish: false },
    T1,
  );
  await world.run(200);
  await began;
  await world.run(200);
  return { world, tab, conferences };
}
type Mixed = Awaited<ReturnType<typeof mixedWorld>>;
const subscribed = ({ world }: Mixed) =>
  world.server
    .requestsOfOp(102)
    .flatMap((frame) => ("subSId" in frame && frame.subSId !== undefined ? [frame] : []));
const publishedAs = ({ world }: Pick<Mixed, "world">) =>
  world.server
    .requestsOfOp(102)
    .flatMap((frame) => ("pubS" in frame && frame.pubS !== undefined ? [frame.pubS] : []));

async function idleMember() {
  const one = await joined({}, { ...ENTRY, publish: false });
  return one;
}

export const checks = rowChecks({
  "mixer.publish: Camera and microphone are published as a mixer stream, whose connection can bring the mix":
    async () => {
      const { world, tab, conferences } = await idleMember();
      const asked = conferences.handlers.publish({ type: 2, ext: "e" }, T1);
      await world.run(200);
      const { streamId } = await asked;
      expect(own(world)).toMatchObject({ id: streamId, type: 2, located: true });
      expect(own(world)?.connection).toBe("connected");
      // Only the microphone opens.
      expect(publishedAs({ world })).toMatchObject([{ type: 2, voff: 1, aoff: 0, ext: "e" }]);
      expect(tab.opened).toEqual(["audio"]);
      expect(tab.orders.filter(({ t }) => t === "publish")).toMatchObject([
        { type: 2, simulcast: false },
      ]);
    },

  "mixer.again: It is published again as a mixer stream under its id, also by another core, and the next stream is a camera":
    async () => {
      const { world, tab, conferences } = await idleMember();
      const asked = conferences.handlers.publish({ type: 2, ext: "" }, T1);
      await world.run(200);
      const { streamId } = await asked;
      world.server.resumes = false;
      const { claim } = tab;
      conferences.stop();
      world.server.socket?.end(1006);
      tab.handlers = new Set();
      world.forget();
      const { handlers } = world.make();
      world.tabs.splice(0);
      const again = world.openTab("t1", claim);
      again.epoch = claim?.ownerEpoch ?? null;
      await world.run(1500);
      expect(own(world)).toMatchObject({ id: streamId, type: 2 });
      await handlers.unpublish({ streamId }, T1);
      const next = handlers.publish({ type: 0, ext: "" }, T1);
      await world.run(500);
      await next;
      expect(publishedAs({ world }).map(({ type }) => type)).toEqual([2, 2, 0]);
    },

  "mixer.repeat: A second one is refused, and so is a camera beside it": async () => {
    const { world, conferences } = await idleMember();
    const first = conferences.handlers.publish({ type: 2, ext: "" }, T1);
    await world.run(200);
    await first;
    for (const [type, text] of [
      [2, "AudioMixerStreamRepeatPublish"],
      [0, "Audio and video stream has been published. not allow repeat publish."],
    ] as const) {
      expect(await errorOf(conferences.handlers.publish({ type, ext: "" }, T1))).toBe(
        `conference.invalid: ${text}`,
      );
    }
    expect(publishedAs({ world })).toHaveLength(1);
  },

  "mixer.sub-sound, mixer.sub-picture: Of another's mixer stream nothing but a picture can be received":
    async () => {
      const { world, conferences } = await idleMember();
      world.server.enter("b");
      Object.assign(world.server.publish("b", "mixed", 2), SOUND);
      world.server.sendFrame({ op: 302, memId: "b", pubS: world.server.streams.get("mixed") });
      await world.run(100);
      const before = subscribed({ world } as Mixed).filter(({ subSId }) => subSId === "mixed");
      const ask = (video: boolean, audio: boolean) =>
        errorOf(conferences.handlers.subscribe({ streamId: "mixed", video, audio }, T1));
      expect(await ask(false, true)).toBe("conference.invalid: AudioMixerStreamNotAllowSub");
      expect(await ask(true, true)).toBe("conference.invalid: AudioMixerStreamNotAllowSub");
      expect(await ask(true, false)).toBe(
        "conference.invalid: AudioMixerStreamNotAllowOnlySubVideo",
      );
      await world.run(100);
      const after = subscribed({ world } as Mixed).filter(({ subSId }) => subSId === "mixed");
      expect(after).toHaveLength(before.length);
      for (const frame of after) expect(frame).toMatchObject({ subSAudio: false });
    },

  "mixer.server: Where the server mixes, camera and microphone go to the mixer by themselves":
    async () => {
      const one = await mixedWorld(11);
      const asked = one.conferences.handlers.publish({ type: 0, ext: "" }, T1);
      await one.world.run(200);
      await asked;
      expect(publishedAs(one)).toMatchObject([{ type: 2, voff: 0, aoff: 0 }]);
      expect(one.world.slice.streams["0"]).toBeUndefined();
    },

  "mixer.live: In a live conference the audience hears the mix without asking": async () => {
    const one = await mixedWorld(12, 1);
    expect(one.world.slice.streams["0"]).toMatchObject({ type: 2, located: false, audio: true });
    expect(subscribed(one)).toMatchObject([{ subSId: "0", subSVideo: false, subSAudio: true }]);
    // A copy of the conference does not list it, and it stays.
    await one.world.run(31_000);
    expect(one.world.server.requestsOfOp(1000).length).toBeGreaterThan(0);
    expect(one.world.slice.streams["0"]).toMatchObject({ audio: true, connection: "connected" });
    expect(subscribed(one)).toHaveLength(1);
  },

  "mixer.hangup: Who publishes gets the mix over the own connection, and as a stream again after that":
    async () => {
      const one = await mixedWorld(12);
      const { world, conferences } = one;
      const published = conferences.handlers.publish({ type: 0, ext: "" }, T1);
      await world.run(200);
      const { streamId } = await published;
      await world.run(200);
      expect(world.slice.streams["0"]).toMatchObject({ audio: false, connection: "none" });
      expect(world.server.requestsOfOp(206)).toMatchObject([{ subSId: "0" }]);
      await conferences.handlers.unpublish({ streamId }, T1);
      await world.run(200);
      expect(world.slice.streams["0"]).toMatchObject({ audio: true, connection: "connected" });
      expect(subscribed(one).map(({ subSId }) => subSId)).toEqual(["0", "0"]);
    },

  "mixer.recorded: A recording of all has the own sound and the mix, and no other mixer stream":
    async () => {
      const { world, conferences } = await mixedWorld(12);
      const published = conferences.handlers.publish({ type: 0, ext: "" }, T1);
      await world.run(200);
      await published;
      world.server.enter("b");
      world.server.publish("b", "mixed", 2);
      world.server.publish("b", "screen", 1);
      await world.run(100);
      expect(tilesOf(world.slice, null).map(({ streamId }) => streamId)).toEqual(
        expect.arrayContaining(["self", "0", "screen"]),
      );
      expect(tilesOf(world.slice, null)).toHaveLength(3);
      expect(tilesOf(world.slice, "mixed")).toHaveLength(1);
    },

  "mixer.choice: The person may refuse the mix": async () => {
    const one = await mixedWorld(12);
    await one.conferences.handlers.unsubscribe({ streamId: "0" }, T1);
    await one.world.run(31_000);
    expect(one.world.slice.streams["0"]).toMatchObject({ audio: false, connection: "none" });
  },
});
