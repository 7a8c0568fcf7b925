import { describe, expect, it } from "vitest";
import { AppError } from "../../shared/errors.ts";
import type { ConferenceSlice } from "../../shared/protocol/state.ts";
import { settle } from "../../rtc-main/clock.fake.ts";
import type { ConferenceClient } from "./client.ts";
import type { ConferenceClientDeps } from "./contracts.ts";
import { TEXTS, type TextKey } from "./refuse.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { ENTERED, faceWorld, fakeTrack, member } from "./face.harness.ts";

type World = ReturnType<typeof faceWorld>;
interface Row {
  readonly rule: TextKey;
  readonly text: string;
  /** Row of the conference catalogue (tests/conference/catalogue.ts) that this case covers. */
  readonly covers?: string;
  readonly options?: Partial<ConferenceClientDeps>;
  /** State inside a conference; null: outside a conference. */
  readonly inside?: Partial<ConferenceSlice> | null;
  readonly before?: (world: World) => unknown;
  readonly run: (face: ConferenceClient) => unknown;
}

const wanted = { roomName: "r", password: "p", role: 3 } as const;
const admin = { self: member("m1", { role: 7 }) };
const audience = { self: member("m1", { role: 1 }) };
const mixed = { streams: { s2: stream("s2", "m2", { type: 2, hasVideo: false }) } };
const own = (type: 0 | 1 | 2) => ({
  streams: { s1: stream("s1", "m1", { type, located: true }) },
});
const ticket = {
  confrId: "c1",
  memName: "zw",
  tktId: "t",
  url: "/conference",
  type: "CONFR",
  timestamp: 1,
} as const;
const EXIT = { confrId: "c1", name: "", reason: 0, failed: false, at: 0 };
const NO_SERVICE =
  "Please set up the service with a ticket first: createConference, joinRoom, joinConference or joinConferenceWithTicket";
const identify = (world: World) => world.face.setIdentity("zw", "token");

/** Every error of the library's API (docs/conferences.md#library) with its exact text. */
const TABLE = [
  {
    rule: "required",
    covers: "join.required",
    text: "the roomName is required at joinRoom",
    inside: null,
    before: identify,
    run: (face) => face.joinRoom({ ...wanted, roomName: "" }),
  },
  {
    rule: "required",
    text: "the password is required at joinRoom",
    inside: null,
    before: identify,
    run: (face) => face.joinRoom({ ...wanted, password: "" }),
  },
  {
    rule: "required",
    text: "the memName is required at joinRoom",
    inside: null,
    run: (face) => face.joinRoom(wanted),
  },
  {
    rule: "required",
    text: "the token is required at setIdentity",
    inside: null,
    run: (face) => face.setIdentity("zw", ""),
  },
  {
    rule: "required",
    text: "the role is required at joinRoom",
    inside: null,
    before: identify,
    run: (face) => face.joinRoom({ ...wanted, role: undefined as never }),
  },
  {
    rule: "required",
    covers: "join.appkey",
    text: "the appkey is required at joinRoom",
    options: { appkey: "org" },
    inside: null,
    before: identify,
    run: (face) => face.joinRoom(wanted),
  },
  {
    rule: "required",
    text: "the confrId is required at joinConference",
    inside: null,
    before: identify,
    run: (face) => face.joinConference(""),
  },
  {
    rule: "joined",
    covers: "join.twice-face",
    text: "had joined confr c1 please call exitConference",
    before: identify,
    run: (face) => face.joinConference("c2"),
  },
  {
    rule: "joined",
    text: "had joined confr c1 please call exitConference",
    run: (face) => face.joinConferenceWithTicket("c1", ticket),
  },
  {
    rule: "noService",
    covers: "text.service-face",
    text: NO_SERVICE,
    inside: null,
    run: (face) => face.publish(),
  },
  {
    rule: "noService",
    text: NO_SERVICE,
    inside: null,
    run: (face) => face.subscribe(null, "s2"),
  },
  {
    rule: "closed",
    covers: "text.closed-face",
    text: "current closed",
    inside: { status: "idle", info: null, self: null, lastExit: EXIT },
    run: (face) => face.publish(),
  },
  {
    rule: "closed",
    text: "current closed",
    inside: { status: "leaving" },
    run: (face) => face.sendTextMessage("x"),
  },
  {
    rule: "noCurrent",
    text: "confr is not exist",
    inside: { status: "connecting" },
    run: (face) => face.publish(),
  },
  {
    rule: "noCurrent",
    text: "confr is not exist",
    inside: null,
    run: (face) => face.muteAll("c1"),
  },
  {
    rule: "unsupported",
    covers: "publish.unsupported",
    text: "Unspported pubS",
    run: (face) => face.publish(null as never),
  },
  {
    rule: "unsupported",
    text: "Unspported pubS",
    run: (face) => face.publish({ getTracks: () => [] } as never),
  },
  {
    rule: "unsupported",
    text: "Unspported pubS",
    run: (face) => face.publish({ video: "camera" as never }),
  },
  {
    rule: "noStream",
    text: "pubS null or stream not open",
    run: (face) => face.publish({ audio: false, video: false }),
  },
  {
    rule: "badTrack",
    text: "the video track has ended, or is of another kind",
    run: (face) => face.publish({ video: fakeTrack("audio") }),
  },
  {
    rule: "badTrack",
    text: "the audio track has ended, or is of another kind",
    run: (face) => face.publish({ audio: fakeTrack("audio", "ended") }),
  },
  {
    rule: "noOwnTrack",
    text: "no own video track is published from this page",
    run: (face) => face.changeTrack("video", fakeTrack("video")),
  },
  {
    rule: "audience",
    text: "Audience not allow publish",
    inside: audience,
    run: (face) => face.publish(),
  },
  {
    rule: "audience",
    text: "Audience not allow publish",
    inside: audience,
    run: (face) => face.shareDesktop({ confrId: "c1" }),
  },
  {
    rule: "videoTwice",
    text: "Audio and video stream has been published. not allow repeat publish.",
    inside: own(0),
    run: (face) => face.publish(),
  },
  {
    rule: "videoTwice",
    text: "Audio and video stream has been published. not allow repeat publish.",
    before(world) {
      world.answers.set("publish", new Promise(() => {}));
      void world.face.publish();
    },
    run: (face) => face.publish(),
  },
  {
    rule: "desktopTwice",
    text: "Desktop stream has been published. not allow repeat publish.",
    inside: own(1),
    run: (face) => face.shareDesktop({ confrId: "c1" }),
  },
  {
    rule: "desktopNoConference",
    covers: "share.confr-id",
    text: "shareDesktop confrId is required",
    run: (face) => face.shareDesktop({ confrId: "" }),
  },
  {
    rule: "noCurrent",
    text: "confr is not exist",
    run: (face) => face.shareDesktop({ confrId: "c2" }),
  },
  {
    rule: "mixDesktopAudio",
    text: "confr mix. not allow desktop with audio.",
    inside: { info: { confrId: "c1", name: "", type: 12, isCreator: false } },
    run: (face) => face.shareDesktopWithAudio({ confrId: "c1" }),
  },
  {
    rule: "desktopSafari",
    covers: "share.safari",
    text: "Desktop sharing with a ticket is not supported by Safari",
    options: { safari: true },
    inside: null,
    before: async (world) => {
      world.answers.set("joinWithTicket", ENTERED);
      const entering = world.face.joinConferenceWithTicket("c1", ticket);
      await settle();
      world.inside();
      await entering;
    },
    run: (face) => face.shareDesktop({ confrId: "c1" }),
  },
  {
    rule: "desktopDenied",
    text: "User denied access",
    before: (world) => world.setGrants(false),
    run: (face) => face.shareDesktop({ confrId: "c1" }),
  },
  { rule: "badStream", text: "Bad stream", run: (face) => face.getBindVideoBy({} as never) },
  {
    rule: "badStream",
    covers: "bind.stream",
    text: "Bad stream",
    run: (face) => face.getBindVideoBy(null as never),
  },
  { rule: "badStream", text: "Bad stream", run: (face) => face.pauseVideo("nobody") },
  {
    rule: "badStream",
    text: "Bad stream",
    inside: { streams: { s2: stream("s2", "m2") } },
    run: (face) => face.subscribe({ id: "m3" }, "s2"),
  },
  {
    rule: "badStream",
    text: "Bad stream",
    inside: own(0),
    run: (face) => face.subscribe(null, "s1"),
  },
  {
    rule: "safariOrder",
    covers: "subscribe.safari",
    text: "SubFailSafariNotAllowSubBeforePub",
    options: { safari: true },
    inside: { streams: { s2: stream("s2", "m2") } },
    run: (face) => face.subscribe(null, "s2"),
  },
  {
    rule: "required",
    covers: "live.cfg",
    text: "the liveCfg is required at addLive",
    inside: admin,
    run: (face) => face.addLive("c1", undefined as never),
  },
  {
    rule: "required",
    covers: "live.layout",
    text: "the regions is required at updateLiveLayout",
    inside: admin,
    run: (face) => face.updateLiveLayout("c1", "l1", undefined as never),
  },
  {
    rule: "required",
    text: "the liveId is required at updateLiveLayout",
    inside: admin,
    run: (face) => face.updateLiveLayout("c1", "", []),
  },
  {
    rule: "notAdmin",
    covers: "live.role",
    text: "the role of admin is required at addLive",
    run: (face) => face.addLive("c1", {}),
  },
  {
    rule: "required",
    text: "the confrId is required at updateLiveLayout",
    inside: admin,
    run: (face) => face.updateLiveLayout("", "l1", []),
  },
  {
    rule: "mixerTwice",
    covers: "mixer.repeat-face",
    text: "AudioMixerStreamRepeatPublish",
    inside: own(2),
    run: (face) => face.publish({ audioMixer: true }),
  },
  {
    rule: "videoTwice",
    text: "Audio and video stream has been published. not allow repeat publish.",
    inside: own(2),
    run: (face) => face.publish(),
  },
  {
    rule: "mixerSound",
    covers: "mixer.not-sub",
    text: "AudioMixerStreamNotAllowSub",
    inside: mixed,
    run: (face) => face.subscribe(null, "s2", false, true),
  },
  {
    rule: "mixerPicture",
    covers: "mixer.only-video",
    text: "AudioMixerStreamNotAllowOnlySubVideo",
    inside: mixed,
    run: (face) => face.subscribe(null, "s2", true, false),
  },
  {
    rule: "notAdmin",
    text: "the role of admin is required at muteAll",
    run: (face) => face.muteAll("c1"),
  },
  {
    rule: "notAdmin",
    text: "the role of admin is required at muteBymemberId",
    run: (face) => face.muteBymemberId("c1", "m2"),
  },
  {
    rule: "required",
    text: "the confrId is required at unmuteAll",
    inside: admin,
    run: (face) => face.unmuteAll(""),
  },
  {
    rule: "required",
    text: "the memberId is required at muteBymemberId",
    inside: admin,
    run: (face) => face.muteBymemberId("c1", ""),
  },
  {
    rule: "required",
    covers: "request.confr-id",
    text: "the confrId is required at requestToTalker",
    run: (face) => face.requestToTalker(""),
  },
  {
    rule: "required",
    text: "the confrId is required at requestToAdmin",
    run: (face) => face.requestToAdmin(""),
  },
  {
    rule: "noMembers",
    text: "the memberIds must be a non-empty array at degradeRole",
    inside: admin,
    run: (face) => face.degradeRole("c1", [], 1),
  },
  {
    rule: "badRole",
    text: "the role must be lower than the present one at degradeRole",
    inside: { ...admin, members: { m1: member("m1", { role: 7 }), m2: member("m2") } },
    run: (face) => face.degradeRole("c1", ["m2"], 3),
  },
  {
    rule: "noMember",
    text: "the member nobody is not in the conference",
    inside: admin,
    run: (face) => face.kickMember("c1", ["nobody"]),
  },
  {
    rule: "noOptions",
    text: "options is not have",
    run: (face) => face.setConferenceAttrs(undefined as never),
  },
  {
    rule: "noKey",
    text: "options.key is not have",
    run: (face) => face.setConferenceAttrs({ key: "", val: "v" }),
  },
  {
    rule: "clickOutside",
    text: "the click must lie inside the video",
    run: (face) => {
      const getBoundingClientRect = () => ({ left: 0, top: 0, width: 4, height: 4 });
      const video = { videoWidth: 4, videoHeight: 4, getBoundingClientRect };
      const tag = video as unknown as HTMLVideoElement;
      return face.focusExpoRemote("s2", tag, { clientX: 9, clientY: 9 });
    },
  },
  {
    rule: "attrsBeforeJoin",
    text: "please set_confr_attrs after joined",
    inside: null,
    run: (face) => face.deleteConferenceAttrs({ key: "k" }),
  },
] as const satisfies readonly Row[];
const ROWS: readonly Row[] = TABLE;

/** The rows of the catalogue that a case covers. */
export type Covered = Extract<(typeof TABLE)[number], { readonly covers: string }>["covers"];

describe("what the library refuses", () => {
  it.each(
    ROWS.map(
      (row) => [row.covers === undefined ? row.text : `${row.covers}: ${row.text}`, row] as const,
    ),
  )("%s", async (_, row) => {
    const world = faceWorld(row.options);
    if (row.inside !== null) world.inside(row.inside);
    await row.before?.(world);
    const calls = world.calls.length;
    const error: unknown = await Promise.resolve()
      .then(() => row.run(world.face))
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: "conference.invalid",
      message: row.text,
      details: { rule: row.rule, text: row.text },
    });
    // No command reached the core.
    expect(world.calls).toHaveLength(calls);
  });

  it("has a row for every text", () => {
    expect(new Set(ROWS.map(({ rule }) => rule))).toEqual(new Set(Object.keys(TEXTS)));
  });
});

describe("what it only warns of", () => {
  it("includes leaving without a conference, a removed stream and a request without an admin", async () => {
    const world = faceWorld();
    await world.face.exitConference();
    world.inside({ members: { m1: member("m1"), m2: member("m2") } });
    await world.face.hungup("nobody");
    await world.face.requestToTalker("c1");
    expect(world.warnings).toEqual([
      "confr is not exist",
      "hungup: the stream is not there",
      "requestToTalker: there is no admin in the conference",
    ]);
    expect(world.calls).toEqual([]);
  });
});
