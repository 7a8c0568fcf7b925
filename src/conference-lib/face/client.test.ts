import { describe, expect, it } from "vitest";
import { AppError } from "../../shared/errors.ts";
import { noConference } from "../../shared/protocol/initial-state.ts";
import { settle } from "../../rtc-main/clock.fake.ts";
import type { Answer } from "./contracts.ts";
import { MEDIA_CHANGED, TAG_ATTRIBUTES } from "./tags.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { asTag, ENTERED, faceWorld, FakeTag, member } from "./face.harness.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";

describe("entering", () => {
  it("sends the identity to the core and publishes nothing automatically", async () => {
    const world = faceWorld({ autoSub: true });
    const { face, calls, answers } = world;
    answers.set("create", { ...ENTERED, type: 12, isCreator: true, role: 7 });
    await face.setIdentity("zw", "token", '{"a":1}');
    const entering = face.createConference({
      confrType: 12,
      password: "p",
      config: { maxVideoCount: 3 },
      rec: true,
      recMerge: false,
      useVCodes: ["H264", "VP8"],
    });
    let entered = false;
    void entering.then(() => (entered = true));
    await settle();
    // The state arrives on a separate port.
    expect(entered).toBe(false);
    world.inside();
    expect(await entering).toEqual({
      confrId: "c1",
      conferenceId: "c1",
      type: 12,
      mixed: true,
      joinId: "m1",
      role: 7,
      isCreator: true,
    });
    expect(calls).toEqual([
      ["identify", { memName: "zw", token: "token", ext: '{"a":1}' }],
      [
        "create",
        {
          type: 12,
          name: "zw",
          password: "p",
          limits: { maxVideoCount: 3 },
          rec: true,
          recMerge: false,
          useVCodes: ["H264", "VP8"],
          nickName: "",
          ext: '{"a":1}',
          publish: false,
          autoSub: true,
        },
      ],
    ]);
  });

  it("reports the core's refusals with the platform's texts", async () => {
    const world = faceWorld();
    await world.face.setIdentity("zw", "token");
    const details = { text: "not support conf type" };
    const refused = new AppError("conference.invalid", { message: "不支持的会议类型", details });
    world.answers.set("create", refused);
    await expect(world.face.createConference({ confrType: 13 })).rejects.toMatchObject({
      code: "conference.invalid",
      message: "not support conf type",
      details: { zh: "不支持的会议类型" },
    });
    const plain = new AppError("network.timeout");
    world.answers.set("create", plain);
    await expect(world.face.createConference()).rejects.toMatchObject({
      code: "network.timeout",
      message: plain.message,
    });
  });

  it("a role token stands for the password, and what the platform shall do goes along", async () => {
    const world = faceWorld();
    const { face, calls, answers } = world;
    answers.set("join", ENTERED);
    answers.set("joinRoom", { ...ENTERED, isCreator: true });
    answers.set("select", { confrId: "c1" });
    await face.setIdentity("zw", "token");
    expect(await face.selectConfr("c1", undefined, "role")).toEqual({ confrId: "c1" });
    const enter = async (entering: Promise<object>) => {
      await settle();
      world.inside();
      const joined = await entering;
      const lastExit = { confrId: "c1", name: "", reason: 0, failed: false, at: 0 };
      world.set({ ...noConference(), lastExit });
      return joined;
    };
    const wanted = { roomName: "r", password: "p", role: 3, rec: true } as const;
    expect(await enter(face.joinRoom(wanted))).toMatchObject({ isCreator: true });
    const wishes = { roleToken: "role", recMerge: true, useVCodes: ["VP8"] } as const;
    await enter(face.joinConference("c1", "", undefined, wishes));
    expect(calls.slice(1)).toMatchObject([
      ["select", { confrId: "c1", roleToken: "role" }],
      ["joinRoom", { roomName: "r", password: "p", role: 3, rec: true }],
      ["join", { confrId: "c1", password: "", ...wishes }],
    ]);
  });

  it("is reflected by joined(), and exitConference leaves or ends the conference", async () => {
    const world = faceWorld();
    const { face, calls } = world;
    expect(face.joined()).toBe(false);
    world.inside();
    expect([face.joined(), face.joined("c1"), face.joined("c2")]).toEqual([true, true, false]);
    await face.exitConference();
    await face.destroyConference();
    expect(calls).toEqual([
      ["exit", { close: false }],
      ["exit", { close: true }],
    ]);
  });

  it("works with a core that has its own login", async () => {
    const world = faceWorld();
    const core = {
      commands: { join: async () => ENTERED },
      getState: () => noConference(),
      subscribe: () => () => undefined,
    };
    const other = faceWorld({ core: core as never });
    const entering = other.face.joinConference("c1");
    await settle();
    // A missing state does not block the call forever.
    other.clock.pass(5_000);
    expect(await entering).toMatchObject({ confrId: "c1", mixed: false, isCreator: false });
    await expect(world.face.joinConference("c1")).rejects.toThrow("memName is required");
  });
});

describe("events", () => {
  it("each change of members, streams and admins is emitted once", () => {
    const world = faceWorld();
    world.inside();
    const { set, heard, events } = world;
    const others = { ...world.state.members, m3: member("m3") };
    set({ members: others, streams: { s3: stream("s3", "m3") } });
    expect(events[0]).toMatchObject(["onMemberJoined", { id: "m3", memName: "name-m3" }]);
    expect(events[1]).toMatchObject(["onStreamAdded", { id: "m3" }, { id: "s3" }]);
    expect(heard()).toEqual(["onMemberJoined", "onStreamAdded"]);
    set({ streams: { s3: stream("s3", "m3", { voff: 1 }) } });
    expect(events[0]).toMatchObject(["onStreamUpdated", { id: "m3" }, { voff: 1 }, { voff: 0 }]);
    heard();
    set({ streams: { s3: stream("s3", "m3", { voff: 1, quality: 1, talking: true }) } });
    expect(events).toEqual([
      ["onNetworkQuality", "s3", 1],
      ["onTalking", "s3", true],
    ]);
    heard();
    set({ members: { ...others, m3: member("m3", { role: 7 }) } });
    expect(heard()).toEqual(["onAdminChanged"]);
    set({ members: { m1: member("m1"), m2: member("m2", { role: 7 }) }, streams: {} });
    const removed = events.find(([name]) => name === "onStreamRemoved");
    expect(removed).toMatchObject(["onStreamRemoved", { id: "m3" }, { id: "s3" }, "UserHangup"]);
    expect(heard()).toEqual(["onMemberExited", "onAdminChanged", "onStreamRemoved"]);
    set({});
    expect(heard()).toEqual([]);
  });

  it("a stream that its member unpublished is removed as Unpub, own ones too", () => {
    const world = faceWorld();
    const own = stream("s1", "m1", { located: true, rtcId: "r1" });
    world.inside({ streams: { s1: own, s2: stream("s2", "m2") } });
    expect(world.face.streams().map(({ rtcId }) => rtcId)).toEqual(["r1", null]);
    world.heard();
    world.set({ streams: {} });
    expect(world.events).toMatchObject([
      ["onStreamRemoved", { id: "m1" }, { id: "s1" }, "Unpub"],
      ["onStreamRemoved", { id: "m2" }, { id: "s2" }, "Unpub"],
    ]);
  });

  it("own streams are emitted too and are marked as own", () => {
    const world = faceWorld();
    world.inside();
    world.set({ streams: { s1: stream("s1", "m1", { located: true }) } });
    const [, , added] = world.events[0] as [string, unknown, { located(): boolean }];
    expect(added.located()).toBe(true);
  });

  it("changes of attributes and role, and texts, are emitted", () => {
    const world = faceWorld();
    world.inside({ attrs: { a: "1", b: "2" } });
    world.set({ attrs: { a: "9", c: "3" } });
    expect(world.events).toEqual([
      [
        "onConfrAttrsUpdated",
        [
          { key: "b", val: "", op: "DEL" },
          { key: "a", val: "9", op: "UPDATE" },
          { key: "c", val: "3", op: "UPDATE" },
        ],
      ],
    ]);
    world.heard();
    world.set({ self: member("m1", { role: 1 }) });
    expect(world.events).toEqual([["onRoleChanged", 1]]);
    world.heard();
    const message = { id: "t", from: "m2", nickName: "", to: null, text: "hi", at: 1, mine: false };
    world.set({ messages: [message] });
    expect(world.events).toEqual([["onTextMessage", message]]);
  });

  it("a request comes with functions that agree to it and refuse it", async () => {
    const world = faceWorld();
    world.inside({ self: member("m1", { role: 7 }) });
    world.set({
      requests: { q: { id: "q", kind: "talker", memId: "m2", nickName: "Li", at: 1 } },
    });
    const [name, applicant, agree, refuse] = world.events[0] as [string, unknown, Answer, Answer];
    expect([name, applicant]).toEqual([
      "onRequestToTalker",
      { memId: "m2", nickName: "Li", memName: "name-m2" },
    ]);
    await agree();
    await refuse();
    expect(world.calls).toEqual([
      ["answerRequest", { id: "q", agree: true }],
      ["answerRequest", { id: "q", agree: false }],
    ]);
  });

  it("the core's reply answers the own request, even when the role changes later", () => {
    const reply = (result: "agreed" | "refused" | "late", kind: "talker" | "admin" = "talker") => ({
      id: result,
      kind,
      result,
    });
    const world = faceWorld();
    world.inside({ self: member("m1", { role: 1 }), asked: "talker" });
    world.set({ asked: null });
    world.clock.pass(60_000);
    expect(world.heard()).toEqual([]);
    world.set({ reply: reply("agreed") });
    world.set({ self: member("m1", { role: 3 }) });
    expect(world.events.splice(0)).toEqual([
      ["onRequestToTalkerReply", 0],
      ["onRoleChanged", 3],
    ]);
    world.set({ reply: reply("refused", "admin") });
    world.set({ reply: reply("refused", "admin") });
    world.set({ reply: reply("late") });
    expect(world.events).toEqual([
      ["onRequestToAdminReply", 1],
      ["onRequestUnanswered", "talker"],
    ]);
  });

  it("leaving emits one exit with its reason and removes the streams", () => {
    const world = faceWorld();
    world.inside({ streams: { s2: stream("s2", "m2") }, attrs: { a: "1" }, muteAll: true });
    const lastExit = { confrId: "c1", name: "", reason: 11, failed: false, at: 5 };
    world.set(noConference(lastExit));
    expect(world.events.at(-1)).toEqual(["onConferenceExit", 11, false]);
    expect(world.events[0]?.at(-1)).toBe("UserHangup");
    expect(world.heard()).toEqual(["onStreamRemoved", "onConferenceExit"]);
    world.inside();
    world.set(noConference({ ...lastExit, reason: 4, failed: true, at: 6 }));
    expect(world.events).toEqual([["onConferenceExit", 4, true]]);
  });

  it("members and streams are emitted once the person is inside, not while entering", () => {
    const world = faceWorld();
    world.set({
      status: "connecting",
      info: { confrId: "c1", name: "", type: 10, isCreator: false },
      self: member("m1"),
      members: { m1: member("m1"), m2: member("m2") },
      streams: { s2: stream("s2", "m2") },
    });
    expect([world.heard(), world.face.joined("c1"), world.face.streams()]).toEqual([[], true, []]);
    world.set({ status: "joined" });
    expect(world.heard()).toEqual(["onMemberJoined", "onStreamAdded"]);
  });

  it("a core that dies and comes back causes no exit; one that stays away does after 30 s", () => {
    const world = faceWorld();
    world.inside({ streams: { s2: stream("s2", "m2") } });
    const before = world.state;
    world.set(noConference());
    world.set({ status: "reconnecting" });
    expect([world.heard(), world.face.streams().length]).toEqual([[], 1]);
    world.set({ ...before, streams: { s2: stream("s2", "m2", { sver: 2 }) } });
    expect(world.heard()).toEqual(["onStreamUpdated"]);
    world.set(noConference());
    world.clock.pass(30_000);
    expect(world.events.at(-1)).toEqual(["onConferenceExit", 4, true]);
    expect(world.heard()).toEqual(["onStreamRemoved", "onConferenceExit"]);
    expect(world.face.joined()).toBe(false);
  });

  it("a handler that throws does not stop the others, and a removed handler is not called", () => {
    const world = faceWorld();
    world.inside();
    const heard: number[] = [];
    world.face.on("onRoleChanged", () => {
      throw new Error("of the host page");
    });
    const off = world.face.on("onRoleChanged", () => heard.push(1));
    world.face.on("onRoleChanged", () => heard.push(2));
    off();
    world.set({ self: member("m1", { role: 7 }) });
    expect(heard).toEqual([2]);
    expect(world.warnings).toEqual(["onRoleChanged: Error: of the host page"]);
  });

  it("sound that waits for a click is reported and resumed", async () => {
    const world = faceWorld();
    world.setBlocked(true);
    world.setBlocked(true);
    await world.face.resumePlayback();
    world.setBlocked(false);
    expect(world.events).toEqual([
      ["onAutoplayBlocked", true],
      ["onAutoplayBlocked", false],
    ]);
    expect(world.media).toEqual([["resumePlayback"]]);
  });
});

describe("own streams", () => {
  it("are published, shown in the element, paused and unpublished", async () => {
    const world = faceWorld();
    const { face, calls, answers, bound, set } = world;
    world.inside();
    answers.set("publish", { streamId: "s1" });
    const tag = new FakeTag();
    const publishing = face.publish({ video: false }, asTag(tag), "e");
    await settle();
    expect(bound.size).toBe(0);
    set({ streams: { s1: stream("s1", "m1", { located: true }) } });
    expect(await publishing).toBe("s1");
    expect(bound.get(tag)).toBe("self");
    await face.pauseVideo("s1");
    await face.resumeAudio(asTag(tag));
    await face.hungup(asTag(tag));
    expect(calls).toEqual([
      ["publish", { type: 0, audioMuted: false, videoOff: true, ext: "e" }],
      ["setLocal", { videoOff: true }],
      ["setLocal", { audioMuted: false }],
      ["unpublish", { streamId: "s1" }],
    ]);
    set({ streams: {} });
    expect(bound.size).toBe(0);
    expect(tag.attributes.size).toBe(0);
  });

  it("beyond the limit emit an event and reject the call", async () => {
    const world = faceWorld();
    world.inside();
    const full = (endReason: number) =>
      new AppError("conference.refused", { details: { endReason } });
    world.answers.set("publish", full(23));
    await expect(world.face.publish()).rejects.toMatchObject({ code: "conference.refused" });
    world.answers.set("publish", full(24));
    await expect(world.face.shareDesktop({ confrId: "c1" })).rejects.toBeInstanceOf(AppError);
    expect(world.heard()).toEqual(["onPubVideoTooMuch", "onPubDesktopTooMuch"]);
    // The granted screen is stopped.
    expect(world.media).toEqual([["captureScreen", { audio: false }], ["stopScreen"]]);
    world.answers.set("publish", { streamId: "s1" });
    const publishing = world.face.publish();
    world.set({ streams: { s1: stream("s1", "m1", { located: true }) } });
    expect(await publishing).toBe("s1");
  });

  it("of a desktop are captured within the click and shown, and their end is reported once", async () => {
    const world = faceWorld();
    world.inside();
    world.answers.set("publish", { streamId: "d1" });
    let stopped = 0;
    const tag = new FakeTag();
    const sharing = world.face.shareDesktopWithAudio({
      confrId: "c1",
      videoTag: asTag(tag),
      stopSharedCallback: () => (stopped += 1),
    });
    // The capture starts before anything is awaited.
    expect(world.media).toEqual([["captureScreen", { audio: true }]]);
    world.set({ streams: { d1: stream("d1", "m1", { located: true, type: 1 }) } });
    expect(await sharing).toBe("d1");
    expect(world.bound.get(tag)).toBe("screen");
    world.set({ streams: {} });
    world.set({});
    expect(stopped).toBe(1);
  });
});

describe("streams of others", () => {
  it("are subscribed and bound; pausing one kind keeps the other", async () => {
    const world = faceWorld();
    const { face, calls, bound } = world;
    world.inside({ streams: { s2: stream("s2", "m2", { audio: false }) } });
    const tag = new FakeTag();
    await face.subscribe({ id: "m2" }, { id: "s2" }, true, false, asTag(tag));
    expect(bound.get(tag)).toBe("s2");
    expect(face.getBindVideoBy("s2")).toBe(tag);
    expect(face.getBindVideoBy({ id: "s9" })).toBeNull();
    await face.pauseVideo("s2");
    await face.resumeAudio("s2");
    await face.unsubscribe("s2");
    expect(calls).toEqual([
      ["subscribe", { streamId: "s2", video: true, audio: false }],
      ["subscribe", { streamId: "s2", video: false, audio: false }],
      ["subscribe", { streamId: "s2", video: true, audio: true }],
      ["unsubscribe", { streamId: "s2" }],
    ]);
  });

  it("have one element each, and an element shows one stream", () => {
    const world = faceWorld();
    world.inside({ streams: { s2: stream("s2", "m2"), s3: stream("s3", "m2") } });
    const [a, b] = [new FakeTag(), new FakeTag()];
    world.face.streamBindVideo("s2", asTag(a));
    world.face.streamBindVideo("s3", asTag(a));
    expect(world.face.getBindVideoBy("s2")).toBeNull();
    world.face.streamBindVideo("s3", asTag(b));
    expect([...world.bound]).toEqual([[b, "s3"]]);
    expect(a.attributes.size).toBe(0);
  });
});

it("Managing methods send member ids, however the members are given", async () => {
  const world = faceWorld();
  const { face, calls } = world;
  world.inside({ self: member("m1", { role: 7 }) });
  const m3 = member("m3");
  world.set({ members: { ...world.state.members, m3 } });
  await face.grantRole("c1", ["name-m3"], 7);
  await face.degradeRole("c1", [{ id: "m3" }], 1);
  await face.kickMember("c1", ["name-m3"]);
  await face.kickMembersById("c1", ["m3"]);
  await face.muteAll("c1");
  await face.unmuteAll("c1");
  await face.muteBymemberId("c1", "m3");
  await face.unmuteBymemberId("c1", "m3");
  await face.setConferenceAttrs({ key: "k", val: "v" });
  await face.deleteConferenceAttrs({ key: "k" });
  await face.requestToAdmin("c1");
  await face.sendTextMessage("hi", "name-m3");
  await face.sendTextMessage("all");
  expect(calls).toEqual([
    ["grantRole", { memIds: ["m3"], role: 7 }],
    ["degradeRole", { memIds: ["m3"], role: 1 }],
    ["kick", { memIds: ["m3"] }],
    ["kick", { memIds: ["m3"] }],
    ["muteAll", { on: true }],
    ["muteAll", { on: false }],
    ["muteMember", { memId: "m3", on: true }],
    ["muteMember", { memId: "m3", on: false }],
    ["setAttrs", { key: "k", val: "v" }],
    ["deleteAttrs", { key: "k" }],
    ["request", { kind: "admin" }],
    ["sendMessage", { text: "hi", to: "m3" }],
    ["sendMessage", { text: "all" }],
  ]);
});

it("A hundred conferences and a dispose leave no listener", () => {
  const world = faceWorld();
  for (let i = 0; i < 100; i += 1) {
    world.inside({ streams: { s2: stream("s2", "m2") } });
    world.face.streamBindVideo("s2", asTag(new FakeTag()));
    world.set(noConference({ confrId: "c1", name: "", reason: 0, failed: false, at: i }));
  }
  expect(world.bound.size).toBe(0);
  world.face.dispose();
  world.face.dispose();
  expect([world.handlers.core.size, world.handlers.media.size, world.clock.pending]).toEqual([
    0, 0, 0,
  ]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "camera.switch: Switch to the next camera, a chosen one or the other side, and do nothing with only one camera":
    async () => {
      const world = faceWorld();
      const { face, media } = world;
      world.inside();
      const camera = (deviceId: string, current = false) => ({ deviceId, label: "", current });
      world.setDevices([camera("a", true)]);
      expect(await face.changeCamera()).toBe(false);
      world.setDevices([camera("a"), camera("b", true)]);
      expect(await face.changeCamera()).toBe(true);
      expect(await face.changeCamera("b")).toBe(true);
      expect(await face.switchMobileCamera()).toBe(true);
      expect(await face.switchMobileCamera()).toBe(true);
      world.set({ local: { ...world.state.local, videoOff: true } });
      expect(await face.changeCamera()).toBe(false);
      expect(media).toEqual([
        ["changeDevice", "videoinput", "a"],
        ["changeDevice", "videoinput", "b"],
        ["changeCameraTo", "environment"],
        ["changeCameraTo", "user"],
      ]);
    },
  "element.attributes, element.changed: Give their element attributes, handle its events and emit changes on it":
    async () => {
      const world = faceWorld();
      const { face, calls, set } = world;
      world.inside({ streams: { s2: stream("s2", "m2") } });
      const tag = new FakeTag();
      const changes: unknown[] = [];
      tag.addEventListener(MEDIA_CHANGED, (event) => changes.push((event as CustomEvent).detail));
      face.streamBindVideo("s2", asTag(tag));
      expect([...tag.attributes]).toEqual(
        expect.arrayContaining([
          [TAG_ATTRIBUTES.streamId, "s2"],
          [TAG_ATTRIBUTES.audioOff, "0"],
          [TAG_ATTRIBUTES.videoOff, "0"],
        ]),
      );
      set({ streams: { s2: stream("s2", "m2", { voff: 1, audio: false }) } });
      set({ streams: { s2: stream("s2", "m2", { voff: 1, audio: false, talking: true }) } });
      expect(changes).toEqual([
        { video: true, audio: true, voff: 0, aoff: 0 },
        { video: true, audio: false, voff: 1, aoff: 0 },
      ]);
      expect(tag.attributes.get(TAG_ATTRIBUTES.videoOff)).toBe("1");
      for (const name of ["pauseVideo", "resumeVideo", "pauseAudio", "resumeAudio", "hungup"]) {
        tag.dispatchEvent(new Event(name));
      }
      tag.dispatchEvent(new CustomEvent("subscribe", { detail: { video: false } }));
      await settle();
      expect(calls.map(([name, input]) => [name, input])).toEqual([
        ["subscribe", { streamId: "s2", video: false, audio: false }],
        ["subscribe", { streamId: "s2", video: true, audio: false }],
        ["subscribe", { streamId: "s2", video: true, audio: false }],
        ["subscribe", { streamId: "s2", video: true, audio: true }],
        ["unsubscribe", { streamId: "s2" }],
        ["subscribe", { streamId: "s2", video: false, audio: true }],
      ]);
      calls.length = 0;
      face.dispose();
      tag.dispatchEvent(new Event("hungup"));
      await settle();
      expect([calls, world.bound.size]).toEqual([[], 0]);
    },
  "mute.told: Mute all is reported to who is no admin, and only when it changes": () => {
    const world = faceWorld();
    world.inside();
    world.set({ muteAll: true });
    world.set({ muteAll: true });
    world.set({ muteAll: false, mutedByAdmin: true });
    world.set({ mutedByAdmin: false });
    expect(world.heard()).toEqual([
      "onConfrStateUpdated",
      "onMuteAll",
      "onConfrStateUpdated",
      "onUnMuteAll",
      "onMuted",
      "onUnmuted",
    ]);
    const admin = faceWorld();
    admin.inside({ self: member("m1", { role: 7 }) });
    admin.set({ muteAll: true });
    expect(admin.heard()).toEqual(["onConfrStateUpdated"]);
  },
});
