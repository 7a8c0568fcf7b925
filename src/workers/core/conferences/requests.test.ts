/** A request for a role always ends, and the mute of a member is either done or refused. */
import { expect, it } from "vitest";
import { CONFERENCE_CONFIG } from "./config.ts";
import { at, joined } from "./conferences.harness.ts";

const T1 = at("t1");

/** Enters as audience and asks to speak. */
async function asking() {
  const one = await joined();
  const { world, conferences } = one;
  world.server.enter("boss", 7);
  world.server.change("me", { role: 1 });
  await world.run(100);
  await conferences.handlers.request({ kind: "talker" }, T1);
  await world.run(100);
  const tsxId = world.server.requestsOfOp(1002).at(-1)?.tsxId ?? "";
  const answer = async (result: number) => {
    const { sessId } = world.server;
    const arg = JSON.stringify({ op2: 21 });
    world.server.socket?.receive({ op: 1001, tsxId, sessId, memId: "boss", result, arg });
    await world.run(100);
  };
  return { ...one, answer };
}

it("A request that nobody answers ends after a minute, and the person may ask again", async () => {
  const { world, conferences } = await asking();
  await world.run(CONFERENCE_CONFIG.requestLifeMillis - 1_000);
  expect(world.slice.asked).toBe("talker");
  await world.run(1_100);
  expect(world.slice).toMatchObject({ asked: null, reply: { kind: "talker", result: "late" } });
  expect(world.notices.at(-1)).toBe("主持人没有回应，您可以再次申请");
  await conferences.handlers.request({ kind: "talker" }, T1);
  expect([world.slice.asked, world.server.requestsOfOp(1002).length]).toEqual(["talker", 1]);
});

it("A request ends as lost when the server has lost the session", async () => {
  const { world } = await asking();
  world.server.resumes = false;
  world.server.role = 1;
  world.server.socket?.end(1006);
  await world.run(4_000);
  expect(world.slice).toMatchObject({ status: "joined", asked: null, reply: { result: "lost" } });
});

it("A hand is raised and lowered by op 311; only an admin lowers others', and a refusal is shown", async () => {
  const { world, conferences } = await joined();
  const hand = async (input: { up: boolean; memIds?: string[] }): Promise<unknown> => {
    const done = conferences.handlers.hand(input, T1).catch((error: unknown) => error);
    await world.run(100);
    return done;
  };
  await hand({ up: true });
  world.server.change("me", { hand: 5 });
  await world.run(100);
  expect(world.slice.self?.hand).toBe(5);
  await hand({ up: false, memIds: ["a", "b"] });
  expect(world.server.requestsOfOp(311)).toMatchObject([
    { up: true },
    { up: false, memIds: ["a", "b"] },
  ]);
  world.server.refuse[311] = { result: -405, msg: "不能替他人举手" };
  expect(await hand({ up: true, memIds: ["a"] })).toMatchObject({
    code: "conference.refused",
    message: "不能替他人举手",
  });
  world.server.change("me", { role: 3, hand: undefined });
  await world.run(100);
  expect(world.slice.self?.hand).toBeUndefined();
  expect(await hand({ up: false, memIds: ["a"] })).toMatchObject({ code: "conference.invalid" });
  expect(world.server.requestsOfOp(311)).toHaveLength(3);
});

it("A request ends as lost when its admin leaves", async () => {
  const { world } = await asking();
  world.server.sendFrame({ op: 301, memId: "boss", reason: 0 });
  await world.run(100);
  expect(world.slice).toMatchObject({ asked: null, reply: { result: "lost" } });
});

it("A request counts as agreed before the role arrives, and only result 1 counts as a refusal", async () => {
  const { world, answer } = await asking();
  await answer(0);
  expect(world.slice.reply?.result).toBe("agreed");
  await world.run(30_000);
  expect(world.slice.reply?.result).toBe("agreed");
  const refused = await asking();
  await refused.answer(1);
  expect(refused.world.slice.reply?.result).toBe("refused");
  const lost = await asking();
  await lost.answer(-405);
  expect([lost.world.slice.reply?.result, lost.world.notices.at(-1)]).toEqual([
    "lost",
    "请求未能送达",
  ]);
});

it("An admin's list drops requests that are too old, and keeps one request per member and kind", async () => {
  const { world } = await joined();
  world.server.enter("b", 1);
  const ask = (tsxId: string): void => {
    const { sessId } = world.server;
    world.server.socket?.receive({
      op: 1002,
      tsxId,
      sessId,
      memId: "b",
      arg: JSON.stringify({ op2: 21 }),
    });
  };
  ask("q1");
  await world.run(30_000);
  ask("q2");
  await world.run(CONFERENCE_CONFIG.requestLifeMillis - 1_000);
  expect(Object.keys(world.slice.requests)).toEqual(["q2"]);
  await world.run(1_100);
  expect(world.slice.requests).toEqual({});
});

/** An admin mutes b. @returns the outcome of the command, and the id of the request */
async function muting(refusal?: { result: number; msg?: string }, already = false) {
  const { world, conferences } = await joined();
  world.server.enter("b");
  if (already) world.server.change("b", { muted: true });
  await world.run();
  if (refusal !== undefined) world.server.refuse[1002] = refusal;
  let became = "waits";
  conferences.handlers.muteMember({ memId: "b", on: true }, T1).then(
    () => (became = "done"),
    (error: Error) => (became = error.message),
  );
  await world.run(100);
  return {
    world,
    became: () => became,
    tsxId: world.server.requestsOfOp(1002).at(-1)?.tsxId ?? "",
  };
}

it("The mute of a member fails when the server refuses it", async () => {
  const { became } = await muting({ result: -405, msg: "需要管理员角色" });
  expect(became()).toBe("需要管理员角色");
});

it("The mute of a member resolves once the member or the server confirms it, not earlier", async () => {
  for (const frame of [
    { op: 1001, memId: "b", result: 0, arg: JSON.stringify({ op2: 23 }) },
    null,
  ]) {
    const { world, became, tsxId } = await muting();
    expect(became()).toBe("waits");
    if (frame === null) world.server.change("b", { muted: true });
    else world.server.socket?.receive({ ...frame, tsxId, sessId: world.server.sessId });
    await world.run(100);
    expect(became()).toBe("done");
  }
});

it("The mute of a member who is muted already resolves, although the member's client refuses it", async () => {
  const { world, became, tsxId } = await muting(undefined, true);
  const { sessId } = world.server;
  const frame = { op: 1001, tsxId, sessId, memId: "b", arg: "{}" };
  world.server.socket?.receive({ ...frame, result: -507 });
  await world.run(100);
  expect(became()).toBe("done");
});

it("The mute of a member fails when the member refuses it, and when nobody answers", async () => {
  const { world, became, tsxId } = await muting();
  const { sessId } = world.server;
  const arg = JSON.stringify({ op2: 23 });
  world.server.socket?.receive({ op: 1001, tsxId, sessId, memId: "b", result: -405, arg });
  await world.run(100);
  expect(became()).toBe("未能改变该成员的静音");
  const silent = await muting();
  await silent.world.run(CONFERENCE_CONFIG.requestTimeout + 100);
  expect(silent.became()).toBe("未能改变该成员的静音");
});
