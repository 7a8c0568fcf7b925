/** The role as the server tells it: op 412 to the member concerned, op 310 to all. */
import { expect, it } from "vitest";
import { at, joined } from "./conferences.harness.ts";

const T1 = at("t1");

it("The own role and its token come by op 412, and op 310 with the same role changes nothing more", async () => {
  const { world, conferences } = await joined();
  world.server.enter("b", 3);
  const { socket, sessId } = world.server;
  socket?.receive({ op: 412, sessId, role: 1, roleToken: "low" });
  await world.run(100);
  expect(world.slice.self?.role).toBe(1);
  expect(world.slice.members["me"]?.role).toBe(1);
  // It carries no version, so nothing is missed.
  expect([world.slice.cver, world.server.requestsOfOp(1000).length]).toEqual([
    world.server.cver,
    0,
  ]);
  world.server.change("me", { role: 7 }, "high");
  await world.run(100);
  const notices = world.notices.length;
  await conferences.handlers.kick({ memIds: ["b"] }, T1);
  expect(world.calls.at(-1)).toMatchObject({ body: { uids: ["b"], roleToken: "high" } });
  world.server.change("me", { role: 7 }, "high");
  await world.run(100);
  expect(world.notices).toHaveLength(notices);
});

it("Another member's role and mute come by op 310 and leave the own token alone", async () => {
  const { world, conferences } = await joined();
  world.server.enter("b", 1);
  world.server.change("b", { role: 3, muted: true });
  await world.run(100);
  expect(world.slice.members["b"]).toMatchObject({ memName: "b", role: 3, muted: true });
  expect(world.slice).toMatchObject({ self: { role: 7 }, mutedByAdmin: false });
  await conferences.handlers.kick({ memIds: ["b"] }, T1);
  expect(world.calls.at(-1)).toMatchObject({ body: { roleToken: "token" } });
});

it("A notice tells each change of the own role that the person did not ask for", async () => {
  const { world } = await joined();
  world.server.enter("b", 7);
  for (const [role, text] of [
    [1, "主持人已将您设为观众：您可以观看和收听，需要发言时请举手"],
    [3, "您现在可以发言：需要时请打开麦克风或摄像头"],
    [7, "您已成为会议主持人"],
    [3, "您不再是主持人"],
  ] as const) {
    world.server.change("me", { role });
    await world.run(100);
    expect(world.notices.at(-1)).toBe(text);
  }
});
