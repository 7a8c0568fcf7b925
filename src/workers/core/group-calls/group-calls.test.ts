/** Group calls in the core: rings, answers, timeouts of each person, texts, devices, and the death of the core. */
import { describe, expect, it } from "vitest";
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import { createGroupWorld } from "./group-calls.harness.ts";

const people = () => {
  const world = createGroupWorld();
  const [ann, bob, cid, dan] = ["ann", "bob", "cid", "dan"].map((name) => world.person(name));
  return { ...world, ann: ann!, bob: bob!, cid: cid!, dan: dan! };
};
const statuses = (...all: { slice: { status: string } }[]): string[] =>
  all.map(({ slice }) => slice.status);

describe("A group call", () => {
  it("rings each person, and each one answers, refuses or times out alone", async () => {
    const { ann, bob, cid, dan, run, sent } = people();
    await ann.start(["bob", "cid", "dan"]);
    await run(500);
    expect(statuses(ann, bob, cid, dan)).toEqual(["inCall", "ringing", "ringing", "ringing"]);
    expect(ann.rung).toEqual({ bob: "ringing", cid: "ringing", dan: "ringing" });
    // the requests of one call are one text each
    expect(ann.texts).toEqual(["通话请求已经发送", "通话请求已经发送成功"]);
    await bob.answer();
    await cid.answer(false);
    await run(1000);
    expect(statuses(ann, bob, cid, dan)).toEqual(["inCall", "inCall", "idle", "ringing"]);
    expect(bob.rung).toEqual({ bob: "joined", cid: "refused", dan: "ringing" });
    expect(bob.slice.info?.callId).toBe(ann.slice.info?.callId);
    await run(29_000);
    expect(statuses(ann, bob, dan)).toEqual(["inCall", "inCall", "idle"]);
    expect(bob.rung).toEqual({ bob: "joined", cid: "refused", dan: "timeout" });
    expect(dan.texts).toEqual(["长时间未回应对方的音视频通话请求。"]);
    // Others are still in the call, so the group gets no message that the call has ended.
    expect(ann.texts).toHaveLength(2);
    expect(new Set(sent.map(({ type }) => type))).toEqual(new Set([2]));
  });

  it("sends the messages of the platform, with type 2 and every field", async () => {
    const { ann, bob, run, sent, clock } = people();
    const at = clock.now();
    await ann.start(["bob"]);
    await bob.answer();
    await run();
    const info = ann.slice.info!;
    expect(info.channel).toMatch(/^\d{9}$/);
    const base = { channel: info.channel, callId: info.callId, type: 2, media: "video", ts: at };
    const out = { ...base, fromUser: "ann", toUser: "bob", fromUserDevId: "ann-pc" };
    const back = { ...base, fromUser: "bob", toUser: "ann", fromUserDevId: "bob-pc" };
    expect(sent).toEqual([
      { ...out, action: "sendRing", toUserDevId: "" },
      { ...back, action: "confirmRing", status: true, toUserDevId: "ann-pc" },
      { ...back, action: "sendAnswer", result: "accept", toUserDevId: "ann-pc" },
      { ...out, action: "confirmAnswer", result: "accept", toUserDevId: "bob-pc" },
    ]);
  });

  it("hangs up for nobody inside when all time out, and says that nobody answers", async () => {
    const { ann, bob, run } = people();
    await ann.start(["bob", "eve"]);
    await run(31_000);
    expect(statuses(ann, bob)).toEqual(["inCall", "idle"]);
    expect(ann.rung).toEqual({ bob: "timeout", eve: "timeout" });
    expect(ann.texts.at(-1)).toBe("对方没有回应，可能是不在线，请稍后重试。释放房间");
    expect(ann.texts.filter((text) => text.endsWith("释放房间"))).toHaveLength(1);
  });

  it("lets members invite more people, and again those who refused", async () => {
    const { ann, bob, cid, run } = people();
    await ann.start(["bob"]);
    await bob.answer();
    await run();
    await bob.calls.handlers.invite({ people: ["cid"] }, { tabId: "t", id: "i" });
    await run(300);
    expect(statuses(cid)).toEqual(["ringing"]);
    expect(cid.slice.info?.fromUser).toBe("bob");
    await cid.answer(false);
    await run(300);
    await ann.calls.handlers.invite({ people: ["cid"] }, { tabId: "t", id: "i" });
    await run(300);
    expect(cid.slice).toMatchObject({ status: "ringing", info: { fromUser: "ann" } });
    await cid.answer();
    await run(300);
    expect(ann.rung["cid"]).toBe("joined");
  });

  it("goes on when somebody leaves, and takes the person in again", async () => {
    const { ann, bob, run, conferences } = people();
    await ann.start(["bob"], "7");
    await run(300);
    expect(bob.slice.info?.groupId).toBe("7");
    await bob.answer();
    await run(300);
    const { channel, callId } = ann.slice.info!;
    const tab = { tabId: "t", id: "i" };
    await ann.calls.handlers.leave({}, tab);
    await run(300);
    expect(statuses(ann, bob)).toEqual(["idle", "inCall"]);
    await ann.calls.handlers.join({ confrId: channel, codecs: undefined }, tab);
    await run(300);
    expect(ann.slice).toMatchObject({ status: "inCall", info: { channel, callId, groupId: "7" } });
    await ann.calls.handlers.leave({}, tab);
    await bob.calls.handlers.leave({}, tab);
    await run();
    expect(conferences.size).toBe(0);
    await expect(
      ann.calls.handlers.join({ confrId: channel, codecs: undefined }, tab),
    ).rejects.toMatchObject({ code: "call.over" });
  });

  it("stops ringing when the call is over, at a cancellation, and at a logout", async () => {
    const { ann, bob, cid, dan, run, sent, deliver } = people();
    await ann.start(["bob", "cid", "dan"]);
    await run(300);
    dan.logout();
    await run();
    expect(sent.find(({ toUser, action }) => toUser === "ann" && action === "sendAnswer")).toEqual(
      expect.objectContaining({ fromUser: "dan", result: "refuse" }),
    );
    const ring = sent.find((one) => one.action === "sendRing" && one.toUser === "cid")!;
    deliver("cid", { ...ring, callId: "another", action: "cancelCall" });
    expect(statuses(cid)).toEqual(["ringing"]);
    deliver("cid", { ...ring, action: "cancelCall" });
    expect(cid.texts).toEqual(["对方已取消音视频通话。"]);
    await ann.calls.handlers.leave({}, { tabId: "t", id: "i" });
    await run();
    expect(statuses(bob, cid, dan)).toEqual(["idle", "idle", "idle"]);
    expect(bob.texts).toEqual(["对方已结束音视频通话。"]);
  });

  it("is answered by one device of a person, and the others stop ringing", async () => {
    const { ann, bob, run, person } = people();
    const phone = person("bob", "bob-phone");
    await ann.start(["bob"]);
    await run(300);
    expect(statuses(bob, phone)).toEqual(["ringing", "ringing"]);
    await phone.answer();
    await run(300);
    expect(statuses(bob, phone)).toEqual(["idle", "inCall"]);
    expect(bob.texts).toEqual(["已在其他设备接听。"]);
  });

  it("takes the first of two devices that answer at once", async () => {
    const { ann, bob, run, person } = people();
    const phone = person("bob", "bob-phone");
    await ann.start(["bob"]);
    await run(300);
    await Promise.all([bob.answer(), phone.answer()]);
    await run(300);
    expect(statuses(bob, phone).toSorted()).toEqual(["idle", "inCall"]);
  });

  it("stops the ring of a person who joined without answering it", async () => {
    const { ann, bob, run, person } = people();
    const phone = person("bob", "bob-phone");
    await ann.start(["bob"], "7");
    await run(300);
    const confrId = ann.slice.info?.channel ?? "";
    await phone.calls.handlers.join({ confrId, codecs: undefined }, { tabId: "t", id: "i" });
    await run(300);
    expect(statuses(bob, phone)).toEqual(["idle", "inCall"]);
    expect(ann.rung["bob"]).toBe("joined");
  });

  it("continues in the next core: the ring, the call with its id, and who is rung until when", async () => {
    const { ann, bob, cid, run } = people();
    await ann.start(["bob", "cid", "eve"]);
    await run(300);
    await cid.answer();
    await run(300);
    const { callId } = ann.slice.info!;
    await Promise.all([ann.restart(), bob.restart(), cid.restart()]);
    expect(statuses(ann, bob, cid)).toEqual(["inCall", "ringing", "inCall"]);
    expect([ann, bob, cid].map(({ slice }) => slice.info?.callId)).toEqual([
      callId,
      callId,
      callId,
    ]);
    await run(29_800);
    expect(ann.rung).toEqual({ bob: "timeout", cid: "joined", eve: "timeout" });
    expect(statuses(ann, bob, cid)).toEqual(["inCall", "idle", "inCall"]);
  });

  it("ends here when its conference ends here", async () => {
    const { ann, bob, run } = people();
    await ann.start(["bob"]);
    await bob.answer();
    await run(300);
    bob.drop();
    await run(300);
    expect(statuses(ann, bob)).toEqual(["inCall", "idle"]);
    expect(ann.rung["bob"]).toBe("left");
  });
});

describe("The texts of a group call", () => {
  it("您当前正在通话中… refuses a second call, and a busy person is shown as busy", async () => {
    const { ann, bob, run } = people();
    bob.calling = true;
    await ann.start(["bob"]);
    await run(300);
    expect(ann.rung).toEqual({ bob: "busy" });
    expect(statuses(bob)).toEqual(["idle"]);
    await expect(ann.start(["bob"])).rejects.toMatchObject({
      code: "call.busy-self",
      message: "您当前正在通话中,请结束当前通话后再次发起。",
    });
    await expect(bob.start(["ann"])).rejects.toMatchObject({ code: "call.busy-self" });
  });

  it("A person who does not want to be disturbed is shown so, and nothing rings there", async () => {
    const { ann, bob, run } = people();
    bob.quiet = { on: true, note: "" };
    await ann.start(["bob"]);
    await run(300);
    expect(ann.rung).toEqual({ bob: "quiet" });
    expect(statuses(bob)).toEqual(["idle"]);
  });

  it("不能和自己音视频通话 refuses a call to oneself", async () => {
    const { ann } = people();
    await expect(ann.start(["bob", "ann"])).rejects.toMatchObject({
      message: "不能和自己音视频通话",
    });
    expect(statuses(ann)).toEqual(["idle"]);
  });

  it("通话请求发送失败，请重试。 stands for rings that could not be sent", async () => {
    const { ann, run, failing } = people();
    failing.add("sendRing");
    await ann.start(["bob"]);
    await run(300);
    expect(ann.texts).toEqual(["通话请求发送失败，请重试。"]);
    expect([statuses(ann), ann.rung]).toEqual([["inCall"], { bob: "failed" }]);
  });

  it("答复音视频通话请求发送失败，请重试。 stands for an answer that could not be sent", async () => {
    const { ann, bob, run, failing } = people();
    failing.add("sendAnswer");
    await ann.start(["bob"]);
    await bob.answer();
    await run(300);
    expect(bob.texts).toEqual(["答复音视频通话请求发送失败，请重试。"]);
    // the conference let the person in
    expect([statuses(bob), ann.rung]).toEqual([["inCall"], { bob: "joined" }]);
  });

  it("确认音视频通话请求发送失败，请重试。 stands for a confirmation that could not be sent", async () => {
    const { ann, bob, run, failing } = people();
    failing.add("confirmAnswer");
    await ann.start(["bob"]);
    await bob.answer();
    await run(300);
    expect(ann.texts.at(-1)).toBe("确认音视频通话请求发送失败，请重试。");
    expect(statuses(ann, bob)).toEqual(["inCall", "inCall"]);
  });

  it("长时间未收到对方的音视频通话确认信息。 comes after 60 s, and the person stays inside", async () => {
    const { ann, bob, run, losing } = people();
    losing.add("confirmAnswer");
    await ann.start(["bob"]);
    await bob.answer();
    await run(59_900);
    expect(bob.texts).toEqual([]);
    await run(200);
    expect(bob.texts).toEqual(["长时间未收到对方的音视频通话确认信息。"]);
    expect(statuses(bob)).toEqual(["inCall"]);
  });

  const mismatches: [string, Partial<CallMessage>, string, string][] = [
    ["confirmRing", { channel: "9" }, "对方回复的房间号与当前通话不一致，通话已结束。", "failed"],
    ["confirmRing", { callId: "9" }, "收到的回复不属于当前通话请求。", "ringing"],
    ["sendAnswer", { channel: "9" }, "对方答复的房间号与当前通话不一致，通话已结束。", "failed"],
    ["sendAnswer", { callId: "9" }, "收到的答复不是本人发起的通话请求。", "ringing"],
  ];
  it.each(mismatches)("a %s with %o says %s", async (action, other, text, state) => {
    const { ann, run, sent, deliver } = people();
    await ann.start(["bob", "cid"]);
    await run(300);
    const reply = sent.find((one) => one.action === "confirmRing" && one.fromUser === "bob")!;
    deliver("ann", { ...reply, result: "accept", ...other, action } as CallMessage);
    await run(300);
    expect(ann.texts.at(-1)).toBe(text);
    expect([statuses(ann), ann.rung]).toEqual([["inCall"], { bob: state, cid: "ringing" }]);
  });

  it("收到答复时您已在通话中。 stands for an answer to another call of a person who is inside", async () => {
    const { ann, bob, run, sent, deliver } = people();
    await ann.start(["bob"]);
    await bob.answer();
    await run(300);
    const answer = sent.find((one) => one.action === "sendAnswer")!;
    deliver("ann", { ...answer, callId: "9" });
    expect(ann.texts.at(-1)).toBe("收到答复时您已在通话中。");
  });

  const confirmations: [Partial<CallMessage>, boolean, string, string][] = [
    [{ channel: "9" }, true, "对方确认的房间号已变更，通话已结束。", "idle"],
    [{ callId: "9" }, true, "收到的确认信息不属于当前通话。", "inCall"],
    [{ callId: "9" }, false, "收到确认信息时您已在通话中。", "inCall"],
  ];
  it.each(confirmations)("a confirmation with %o (awaited: %s) says %s", async (...row) => {
    const [other, awaited, text, status] = row;
    const { ann, bob, run, sent, deliver, losing } = people();
    if (awaited) losing.add("confirmAnswer");
    await ann.start(["bob"]);
    await bob.answer();
    await run(300);
    const confirm = sent.find((one) => one.action === "confirmAnswer")!;
    deliver("bob", { ...confirm, ...other } as CallMessage);
    await run(300);
    expect(bob.texts).toEqual([text]);
    expect(statuses(bob)).toEqual([status]);
  });
});
