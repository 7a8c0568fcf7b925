import { expect, test } from "vitest";
import { ringOf } from "./rings.ts";

const info = { callId: "c1", media: "video", fromUser: "zhangwei" } as const;
const ofTwo = {
  ...info,
  confrName: "张伟",
  channel: "channel",
  type: 1 as const,
  toUser: "lina",
};
const ofGroup = { ...info, callId: "g1", channel: "123456789", groupId: null, fromName: "王芳" };
const noCall = { status: "idle", info: null, peer: null, ringTab: null } as const;
const noGroup = { status: "idle", info: null, ringTab: null } as const;

test("A call of two and a group call ring alike, with caller, kind and tab of the notification", () => {
  const peer = { userName: "zhangwei", name: "张伟" };
  expect(ringOf({ status: "confirmRing", info: ofTwo, peer, ringTab: "t2" }, noGroup)).toEqual({
    kind: "call",
    callId: "c1",
    from: "zhangwei",
    name: "张伟",
    media: "video",
    ringTab: "t2",
  });
  expect(ringOf(noCall, { status: "ringing", info: ofGroup, ringTab: "t1" })).toMatchObject({
    kind: "group",
    callId: "g1",
    name: "王芳",
    ringTab: "t1",
  });
});

test("Nothing rings without a call, nor once it was answered", () => {
  expect(ringOf(noCall, noGroup)).toBeNull();
  const peer = { userName: "zhangwei", name: "张伟" };
  expect(ringOf({ status: "chat", info: ofTwo, peer, ringTab: null }, noGroup)).toBeNull();
  expect(ringOf(noCall, { status: "inCall", info: ofGroup, ringTab: null })).toBeNull();
});
