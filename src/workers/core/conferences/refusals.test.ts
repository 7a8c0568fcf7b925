/**
 * What a conference refuses (docs/conferences.md), and what its results mean (docs/conferences.md#results). Each test covers rows of the
 * catalogue.
 */
import { expect } from "vitest";
import { ADMIN, AUDIENCE } from "./rules.ts";
import { ROLE_OF } from "./people.ts";
import { at, createConferenceWorld, ENTRY, errorOf, joined, own } from "./conferences.harness.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const T1 = at("t1");

/** Enters a conference with this role. */
async function as(role: 1 | 3) {
  const one = await joined();
  one.world.server.change("me", { role });
  await one.world.run(100);
  return one;
}
const idle = () => {
  const world = createConferenceWorld();
  world.openTab("t1");
  return world.make().handlers;
};

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "role.ids: The roles are admin 7, speaker 3 and audience 1": () => {
    expect([ADMIN, ROLE_OF.admin, ROLE_OF.talker, AUDIENCE]).toEqual([7, 7, 3, 1]);
  },

  "publish.current, text.service: Publishing outside a conference is refused, before the first one and after its end":
    async () => {
      expect(await errorOf(idle().publish({ type: 0, ext: "" }, T1))).toMatch(
        /^conference\.not-joined: Please set up the service with a ticket first: /,
      );
      const { world, conferences } = await joined();
      await conferences.handlers.exit({ close: false }, T1);
      await world.run(600);
      expect(await errorOf(conferences.handlers.publish({ type: 0, ext: "" }, T1))).toBe(
        "conference.not-joined: current closed",
      );
    },

  "publish.not-open: Publishing fails when no device could be opened": async () => {
    const { world, tab, conferences } = await joined();
    await conferences.handlers.unpublish({ streamId: own(world)?.id ?? "" }, T1);
    tab.devices = { audio: "missing", video: "denied" };
    await world.run(100);
    const asked = errorOf(conferences.handlers.publish({ type: 0, ext: "" }, T1));
    await world.run(100);
    expect(await asked).toBe("conference.invalid: pubS null or stream not open");
    expect(world.slice.local.publishing).toBe(false);
  },

  "publish.mixed-desktop: Only conferences of the types 11 and 12 refuse a screen with sound":
    async () => {
      for (const [type, refused] of [
        [10, false],
        [11, true],
        [12, true],
      ] as const) {
        const { world, tab, conferences } = await joined({}, { ...ENTRY, type } as never);
        tab.emitConferenceEvent({ t: "screen", on: true, audio: true });
        const shared = errorOf(conferences.handlers.publish({ type: 1, ext: "" }, T1));
        await world.run(200);
        expect(await shared).toBe(
          refused ? "conference.invalid: confr mix. not allow desktop with audio." : "none",
        );
      }
    },

  "subscribe.mixed: A subscription to a mixed stream does not ask for its sound": async () => {
    const { world, conferences } = await joined();
    world.server.enter("mixer");
    world.server.publish("mixer", "mixed", 2);
    await world.run(100);
    await conferences.handlers.subscribe({ streamId: "mixed", video: true, audio: true }, T1);
    await world.run(100);
    // Neither by autoSub nor by the person's choice.
    const asked = [...world.server.requestsOfOp(102), ...world.server.requestsOfOp(205)].filter(
      (frame) => "subSId" in frame && frame.subSId === "mixed",
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const frame of asked) expect(frame).toMatchObject({ subSVideo: true, subSAudio: false });
  },

  "subscribe.unknown: Subscribing to an unknown or an own stream is refused": async () => {
    const { world, conferences } = await joined();
    for (const streamId of ["unknown", own(world)?.id ?? ""]) {
      const asked = conferences.handlers.subscribe({ streamId, video: true, audio: true }, T1);
      expect(await errorOf(asked)).toBe("conference.invalid: Bad stream");
    }
  },

  "request.no-admin: A request without an admin in the conference is refused": async () => {
    const { conferences } = await as(3);
    expect(await errorOf(conferences.handlers.request({ kind: "admin" }, T1))).toBe(
      "conference.invalid: no admin in the conference",
    );
  },

  "admin.role, mute.role, disband.token: Only an admin in the conference may mute others or end it for all":
    async () => {
      const { world, conferences } = await as(3);
      world.server.enter("b");
      await world.run();
      const { handlers } = conferences;
      for (const asked of [
        handlers.muteAll({ on: true }, T1),
        handlers.muteAll({ on: false }, T1),
        handlers.muteMember({ memId: "b", on: true }, T1),
        handlers.exit({ close: true }, T1),
      ]) {
        expect(await errorOf(asked)).toBe("conference.invalid: the role of admin is required");
      }
      expect(world.calls.filter(({ path }) => /attrs/.test(path))).toEqual([]);
      expect([world.server.requestsOfOp(1002), world.server.requestsOfOp(204)]).toEqual([[], []]);
      expect(await errorOf(idle().muteAll({ on: true }, T1))).toBe(
        "conference.not-joined: confr is not exist",
      );
    },

  "admin.role-token: An admin without a role token is refused": async () => {
    const { world, conferences } = await joined();
    world.server.change("me", { role: 7 }, "");
    await world.run();
    expect(await errorOf(conferences.handlers.kick({ memIds: ["b"] }, T1))).toBe(
      "conference.invalid: roleToken is not have",
    );
  },

  "mute.member: Muting a member who is not in the conference is refused": async () => {
    const { conferences } = await joined();
    expect(await errorOf(conferences.handlers.muteMember({ memId: "x", on: true }, T1))).toBe(
      "conference.invalid: the member is not in the conference",
    );
  },

  "degrade.lower: A role can only be lowered by degradeRole": async () => {
    const { world, conferences } = await joined();
    world.server.enter("b", 3);
    await world.run();
    const degrade = (role: 1 | 3) =>
      errorOf(conferences.handlers.degradeRole({ memIds: ["b"], role }, T1));
    expect(await degrade(3)).toBe(
      "conference.invalid: the role must be lower than the present one at degradeRole",
    );
    expect(await degrade(1)).toBe("none");
    // The role token alone says who asks, and for which conference.
    expect(world.calls.at(-1)).toEqual({
      path: "/easemob/rtc/role/degrade",
      body: { roleToken: "token", uids: ["b"], role: 1 },
      withoutLogin: true,
    });
  },

  "attrs.key, attrs.joined: An attribute needs a key and an entered conference": async () => {
    const { conferences } = await joined();
    const { handlers } = conferences;
    for (const asked of [
      handlers.setAttrs({ key: " ", val: "v" }, T1),
      handlers.deleteAttrs({ key: "" }, T1),
    ]) {
      expect(await errorOf(asked)).toBe("conference.invalid: options.key is not have");
    }
    expect(await errorOf(idle().setAttrs({ key: "k", val: "v" }, T1))).toBe(
      "conference.not-joined: please set_confr_attrs after joined",
    );
  },

  "request.admin: A request for the admin role ends when the role arrives": async () => {
    const { world, conferences } = await as(3);
    world.server.enter("boss", 7);
    await world.run();
    await conferences.handlers.request({ kind: "admin" }, T1);
    await world.run();
    expect(world.server.requestsOfOp(1002)).toMatchObject([
      { memId: "boss", arg: expect.stringContaining('"op2":22') },
    ]);
    world.server.change("me", { role: 7 });
    await world.run();
    expect([world.slice.asked, world.notices.at(-1)]).toEqual([null, "主持人已同意您的申请"]);
  },

  "request.refuse: An admin's refusal reaches the member and changes no role": async () => {
    const { world, conferences } = await joined();
    world.server.enter("b", 1);
    const { sessId } = world.server;
    world.server.socket?.receive({
      op: 1002,
      tsxId: "q",
      sessId,
      memId: "b",
      arg: JSON.stringify({ op2: 22 }),
    });
    await world.run();
    const calls = world.calls.length;
    await conferences.handlers.answerRequest({ id: "q", agree: false }, T1);
    await world.run();
    expect(world.server.requestsOfOp(1001)).toMatchObject([{ tsxId: "q", memId: "b", result: 1 }]);
    expect([world.calls.length, world.slice.requests]).toEqual([calls, {}]);
  },

  "mute.all-change: Muting all twice is one change, and so is lifting it twice": async () => {
    const { world } = await as(3);
    const flags = () => world.server.requestsOfOp(400).length;
    const before = flags();
    const sendMuteAll = async (muteAll: boolean) => {
      world.server.sendFrame({ op: 402, cattrs: [], cstate: { muteAll } });
      await world.run(100);
    };
    await sendMuteAll(true);
    await sendMuteAll(true);
    expect(flags()).toBe(before + 1);
    await sendMuteAll(false);
    await sendMuteAll(false);
    expect(flags()).toBe(before + 2);
  },

  "mute.one: Op2 24 lifts the mute, and a member who is no admin cannot mute": async () => {
    const { world } = await as(3);
    world.server.enter("boss", 7);
    world.server.enter("b", 3);
    const ask = async (from: string, op2: number) => {
      const { sessId } = world.server;
      world.server.socket?.receive({
        op: 1002,
        tsxId: `${from}${op2}`,
        sessId,
        memId: from,
        arg: JSON.stringify({ op2 }),
      });
      await world.run(100);
      return [
        world.slice.mutedByAdmin,
        world.server.requestsOfOp(1001).at(-1)?.["result" as never],
      ];
    };
    expect(await ask("b", 23)).toEqual([false, -405]);
    expect(await ask("boss", 23)).toEqual([true, 0]);
    expect(await ask("boss", 24)).toEqual([false, 0]);
  },

  "result.-507: A request to an admin who is not there ends at once with a notice": async () => {
    const { world, conferences } = await as(3);
    world.server.enter("boss", 7);
    await world.run();
    world.server.refuse[1002] = { result: -507, msg: "" };
    await conferences.handlers.request({ kind: "talker" }, T1);
    await world.run();
    expect([world.slice.asked, world.notices.at(-1)]).toEqual([null, "请求未能送达"]);
  },

  "result.-405: An unsupported request of another member is answered with -405": async () => {
    const { world } = await joined();
    world.server.enter("b", 7);
    const { sessId } = world.server;
    world.server.socket?.receive({
      op: 1002,
      tsxId: "q",
      sessId,
      memId: "b",
      arg: JSON.stringify({ op2: 10 }),
    });
    await world.run();
    expect(world.server.requestsOfOp(1001)).toMatchObject([
      { tsxId: "q", memId: "b", result: -405 },
    ]);
  },

  "result.-523: A request whose grant failed stays and can be answered again": async () => {
    const { world, conferences } = await joined();
    world.refuseRest["/chanage/roles"] = { error: -504, errorMessage: "发言人数已满" };
    world.server.enter("b", 1);
    const { sessId } = world.server;
    world.server.socket?.receive({
      op: 1002,
      tsxId: "q",
      sessId,
      memId: "b",
      arg: JSON.stringify({ op2: 21 }),
    });
    await world.run();
    const failed = conferences.handlers.answerRequest({ id: "q", agree: true }, T1);
    await expect(failed).rejects.toMatchObject({
      message: "发言人数已满",
      details: { result: -523 },
    });
    expect(Object.keys(world.slice.requests)).toEqual(["q"]);
    delete world.refuseRest["/chanage/roles"];
    await conferences.handlers.answerRequest({ id: "q", agree: true }, T1);
    expect(world.slice.requests).toEqual({});
  },

  "event.refuse-enter: A refused enter ends the conference, and the exit shows the reason":
    async () => {
      const world = createConferenceWorld();
      world.openTab("t1");
      world.server.refuse[200] = { result: -502, msg: "密码错误" };
      const asked = world
        .make()
        .handlers.join({ confrId: "c1", password: "", ...ENTRY }, T1)
        .catch((error: unknown) => error);
      await world.run(400);
      expect(await asked).toMatchObject({
        code: "conference.refused",
        message: "密码错误",
        details: { result: -502, reason: 4, failed: true },
      });
      expect(world.slice).toMatchObject({ status: "idle", lastExit: { reason: 4, failed: true } });
    },
});
