/** The typed events: each with its code, once, and none for what was there before. */
import { expect, it } from "vitest";
import { noConference } from "../../shared/protocol/initial-state.ts";
import type { ConferenceSignal } from "../../shared/protocol/slices/conference-signals.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { faceWorld, FakeTag, asTag, fakeTrack } from "./face.harness.ts";
import { createTagHandlers } from "./tag-handlers.ts";
import { TAG_EVENTS } from "./tags.ts";

type World = ReturnType<typeof faceWorld>;
const codes = (world: World): unknown[] =>
  world.heardTyped().map(([name, event]) => [name, (event as { code?: string }).code]);
const said = (id: string, more: Partial<ConferenceSignal> & Pick<ConferenceSignal, "code">) => ({
  id,
  at: 1,
  details: {},
  ...more,
});

it("The connection is connecting, connected, lost, and back", () => {
  const world = faceWorld();
  world.set({ status: "connecting" });
  world.inside();
  world.set({ status: "reconnecting" });
  world.set({ status: "joined" });
  world.set(noConference({ confrId: "c1", name: "", reason: 11, failed: false, at: 7 }));
  expect(codes(world)).toEqual([
    ["onConnectionChanged", "WSClose"],
    ["onConnectionChanged", "reconnecting"],
    ["onConnectionChanged", "reconnected"],
    ["onConnectionChanged", "closed"],
  ]);
  const fresh = faceWorld();
  fresh.set({ status: "connecting" });
  fresh.set({ status: "joined" });
  expect(codes(fresh)).toEqual([
    ["onConnectionChanged", "connecting"],
    ["onConnectionChanged", "connected"],
  ]);
});

it("A page that opens in the middle hears nothing of before", () => {
  const world = faceWorld();
  world.set({ signals: [said("1", { code: "NetworkChanaged" })] });
  world.heardTyped();
  world.set({ signals: [said("1", { code: "NetworkChanaged" })], cver: 2 });
  expect(world.heardTyped()).toEqual([]);
});

it("Tracks of a stream are read, and each change is an event", () => {
  const world = faceWorld();
  const own = stream("s1", "m1", { located: true });
  world.inside({ streams: { s1: own, s2: stream("s2", "m2") } });
  const nothing = { audio: null, video: null };
  expect(world.face.tracksOf("s2")).toEqual(nothing);
  const [a, b] = [fakeTrack("video"), fakeTrack("audio")];
  world.setTracks("s2", { audio: b, video: a });
  world.setTracks("self", { audio: null, video: a });
  // Of a stream that is not there yet.
  world.setTracks("s9", { audio: b, video: a });
  expect(world.face.tracksOf("s1")).toEqual({ audio: null, video: a });
  expect(world.heardTyped()).toEqual([
    ["onTracksChanged", { audio: b, video: a }],
    ["onTracksChanged", { audio: null, video: a }],
  ]);
});

it("Volume, speaker and the page's own audio element are those of another's stream", async () => {
  const world = faceWorld();
  const own = stream("s1", "m1", { located: true });
  world.inside({ streams: { s1: own, s2: stream("s2", "m2") } });
  world.face.setVolume("s2", 0.4);
  await world.face.changeSpeaker("d1");
  expect(world.media).toEqual([
    ["setVolume", "s2", 0.4],
    ["changeDevice", "audiooutput", "d1"],
  ]);
  for (const volume of [-0.1, 1.1, Number.NaN]) {
    expect(() => world.face.setVolume("s2", volume)).toThrow(
      expect.objectContaining({ code: "request.invalid", details: { field: "volume" } }),
    );
  }
  expect(() => world.face.setVolume("s1", 1)).toThrow("Bad stream");
  const tag = new FakeTag();
  const undo = world.face.streamBindAudio("s2", asTag(tag));
  expect(world.bound.get(tag)).toBe("s2");
  undo();
  expect(world.bound.size).toBe(0);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts). */
export const checks = rowChecks({
  "typed.push-fail, typed.sub-fail, typed.success, typed.weak: A stream's connection comes, weakens, fails":
    () => {
      const world = faceWorld();
      const own = stream("s1", "m1", { located: true, connection: "connecting" });
      const other = stream("s2", "m2", { connection: "connecting" });
      world.inside({ streams: { s1: own, s2: other } });
      for (const connection of ["connected", "weak", "failed", "failed"] as const) {
        world.set({ streams: { s1: { ...own, connection }, s2: { ...other, connection } } });
      }
      expect(world.heardTyped()).toEqual(
        [
          ["PushSuccess", "s1"],
          ["SubSuccess", "s2"],
          ["NetworkWeak", "s1"],
          ["NetworkWeak", "s2"],
          ["PushFail", "s1"],
          ["SubFail", "s2"],
        ].map(([code, streamId]) => [
          "onStreamConnection",
          { code, message: code === "NetworkWeak" ? "network weak" : code, details: { streamId } },
        ]),
      );
    },
  "typed.open-media, typed.nonactive: A device that does not open says which, and the browser's name":
    () => {
      const world = faceWorld();
      world.inside();
      const local = (part: object) => world.set({ local: { ...world.state.local, ...part } });
      local({ camera: "denied" });
      local({ camera: "denied", microphone: "inactive" });
      local({ camera: "unplugged", microphone: "system-muted" });
      expect(world.heardTyped().map(([, event]) => event)).toEqual([
        {
          code: "OpenMediaError",
          message: "open media error. NotAllowedError when get camera",
          details: { device: "camera", cause: "denied", name: "NotAllowedError" },
        },
        {
          code: "OpenMediaError",
          message: "stream non-active",
          details: { device: "microphone", cause: "inactive", name: "NotAllowedStreamNonactive" },
        },
        {
          code: "DeviceSilenced",
          message: "the system silences the microphone",
          details: { device: "microphone", cause: "system-muted" },
        },
        {
          code: "DeviceLost",
          message: "camera is gone",
          details: { device: "camera", cause: "unplugged" },
        },
      ]);
    },
  "typed.refuse-enter, typed.enter-fail, typed.sub-codecs, typed.network, typed.ticket, typed.live, typed.ice-fail, typed.candidate: What the core says once is one event":
    () => {
      const world = faceWorld();
      world.inside();
      const all = [
        said("1", {
          code: "ServerRefuseEnter",
          result: -502,
          text: "full",
          details: { reason: 4 },
        }),
        said("2", { code: "EnterFail", result: -9527, details: { reason: 4 } }),
        said("3", { code: "SubFailNotSupportVCodes", streamId: "s2", result: 22 }),
        said("4", { code: "NetworkChanaged" }),
        said("5", { code: "TicketExpiring", details: { endsAt: 9 } }),
        said("6", { code: "TicketExpired" }),
        said("8", { code: "LiveCfgs", details: { liveCfgs: [{ liveId: "l1" }] } }),
        said("9", { code: "ICEConnectFail", streamId: "s2" }),
        said("10", { code: "AddIceCandError", streamId: "s2" }),
        said("7", { code: "OwnTracksLost", streamId: "s1", details: { kinds: ["video", "x"] } }),
      ];
      for (let i = 1; i <= all.length; i += 1) world.set({ signals: all.slice(0, i) });
      expect(world.heardTyped()).toEqual([
        [
          "onEnterFailed",
          { code: "ServerRefuseEnter", message: "full", details: { result: -502, reason: 4 } },
        ],
        [
          "onEnterFailed",
          { code: "EnterFail", message: "EnterFail", details: { result: -9527, reason: 4 } },
        ],
        [
          "onStreamConnection",
          {
            code: "SubFailNotSupportVCodes",
            message: "SubFailNotSupportVCodes",
            details: { streamId: "s2", endReason: 22 },
          },
        ],
        [
          "onConnectionChanged",
          { code: "NetworkChanaged", message: "the address changed", details: {} },
        ],
        ["onTicket", { code: "TicketExpiring", message: "TicketExpiring", details: { endsAt: 9 } }],
        [
          "onTicket",
          { code: "TicketExpired", message: "TicketExpired", details: { endsAt: null } },
        ],
        [
          "onLiveCfgs",
          { code: "LiveCfgs", message: "LiveCfgs", details: { liveCfgs: [{ liveId: "l1" }] } },
        ],
        ...(["ICEConnectFail", "AddIceCandError"] as const).map((code) => [
          "onStreamConnection",
          { code, message: code, details: { streamId: "s2" } },
        ]),
        [
          "onDeviceError",
          {
            code: "OwnTracksLost",
            message: "the media moved to another tab",
            details: { kinds: ["video"] },
          },
        ],
      ]);
    },
  "typed.desktop-denied: A person who closes the picker is an event too": async () => {
    const world = faceWorld();
    world.inside();
    world.setGrants(false);
    await expect(world.face.shareDesktop({ confrId: "c1" })).rejects.toThrow("User denied access");
    expect(world.heardTyped()).toEqual([
      [
        "onDeviceError",
        {
          code: "OpenDesktopMediaAccessDenied",
          message: "User denied access",
          details: { device: "screen", cause: "denied" },
        },
      ],
    ]);
  },
  "element.events: An element answers all fourteen events; one that nothing answers warns": () => {
    const world = faceWorld();
    world.inside({ streams: { s2: stream("s2", "m2") } });
    const tag = new FakeTag();
    world.face.streamBindVideo("s2", asTag(tag));
    expect(TAG_EVENTS).toHaveLength(14);
    for (const name of TAG_EVENTS) tag.dispatchEvent(new CustomEvent(name, { detail: {} }));
    expect(world.warnings.filter((text) => text.includes("nothing answers"))).toEqual([]);
    const warnings: string[] = [];
    createTagHandlers((text) => warnings.push(text)).answer("hungup", "s2", null);
    expect(warnings).toEqual(["hungup: nothing answers this event"]);
  },
});
