/** Calls by the Agora engine (docs/calls.md#agora-engine). */
import { afterEach, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";

let world: World;
let people: Person[] = [];

/** After each test no timer, socket or media may be left. */
afterEach(async () => {
  for (const person of people) {
    if (person.call.status !== "idle") await person.hangup();
  }
  await world.run(12_000);
  expect([world.server.sockets.size, world.clock.pending]).toEqual([0, 0]);
  for (const person of people) {
    for (const tab of person.tabs.values()) expect(tab.epoch).toBeNull();
    person.calls.stop();
  }
});

/** ann has called bob, who has answered. */
async function agoraCall() {
  world = createWorld();
  const w = world;
  const a = w.person("ann", "ann-pc", "agora");
  const b = w.person("bob", "bob-pc", "agora");
  people = [a, b];
  await Promise.all([a.start("bob"), w.run(100)]);
  await b.answer();
  await w.run(300);
  return { w, a, b };
}

it("It uses its token instead of a ticket, needs no signalling, and ends by chat", async () => {
  const { w, a, b } = await agoraCall();
  expect([a.call.status, b.call.status]).toEqual(["chat", "chat"]);
  expect(b.call.info?.channel).toBe(a.call.info?.channel);
  expect(a.first.commandsOfType("own")[0]?.engine).toEqual({
    kind: "agora",
    appId: "app",
    channel: a.call.info?.channel,
    token: "agora",
    uid: 7,
  });
  expect(a.http.requests.map(({ path }) => path)).toEqual(["/token/rtcToken/v1"]);
  expect(w.server.sockets.size).toBe(0);
  a.first.emit({ t: "ice", rtcId: "agora", state: "connected" });
  expect(a.call.connection).toBe("connected");
  await a.hangup();
  await w.run(100);
  expect([a.call.status, b.call.status]).toEqual(["idle", "idle"]);
  expect(w.sent.at(-1)?.action).toBe("cancelCall");
});

it("The owner tab gets another token before its own ends, also when the token service fails at first", async () => {
  const { w, a } = await agoraCall();
  a.http.refuse = new AppError("server.unavailable");
  a.first.emit({ t: "token-expiring" });
  a.first.emit({ t: "token-expiring" });
  await w.run(4900);
  expect(a.http.requests).toHaveLength(2);
  expect(a.first.commandsOfType("token")).toEqual([]);
  a.http.refuse = null;
  await w.run(200);
  expect(a.first.commandsOfType("token").map(({ token }) => token)).toEqual(["agora"]);
  expect(a.http.requests).toHaveLength(3);
  a.http.refuse = new AppError("server.unavailable");
  a.first.emit({ t: "token-expiring" });
  await a.hangup();
  await w.run(20_000);
  expect(a.http.requests).toHaveLength(4);
});

it("The two sides talk about becoming a group call by signals of chat, which the other device confirms", async () => {
  const { w, a, b } = await agoraCall();
  const asked = a.calls.tellGrowth({ step: "ask" });
  await w.run(100);
  expect(await asked).toBe(true);
  expect(b.growth).toEqual([{ step: "ask" }]);
  expect(await Promise.all([b.calls.tellGrowth({ step: "agree" }), w.run(100)])).toEqual([
    true,
    undefined,
  ]);
  expect(a.growth).toEqual([{ step: "agree" }]);
  expect(w.server.sockets.size).toBe(0);
});

it("What chat loses or refuses counts as not heard, and nothing waits for it", async () => {
  const { w, a, b } = await agoraCall();
  w.chat.swallow = () => true;
  const lost = a.calls.tellGrowth({ step: "ask" });
  await w.run(3_100);
  expect(await lost).toBe(false);
  w.chat.swallow = null;
  w.chat.refuse = () => true;
  const refused = a.calls.tellGrowth({ step: "ask" });
  await w.run(100);
  expect(await refused).toBe(false);
  expect(b.growth).toEqual([]);
});

it("Only the device that has the call is heard, and only about this call", async () => {
  const { w, a, b } = await agoraCall();
  const [told] = await Promise.all([a.calls.tellGrowth({ step: "ask" }), w.run(100)]);
  expect(told).toBe(true);
  const said = w.chat.signals.find(({ body }) => "body" in body);
  if (said === undefined) throw new Error("no signal was sent");
  const stranger = w.chat.device("bob", "bob-phone");
  const another = w.chat.device("eve", "eve-pc");
  const back = { ...said, fromUser: "bob", toUser: "ann", toUserDevId: "ann-pc" };
  await stranger.signals.send({ ...back, fromUserDevId: "bob-phone" });
  await another.signals.send({ ...back, fromUser: "eve", fromUserDevId: "eve-pc" });
  await stranger.signals.send({ ...back, fromUserDevId: "bob-pc", callId: "another" });
  await w.run(100);
  expect([a.growth, b.growth]).toEqual([[], [{ step: "ask" }]]);
});
