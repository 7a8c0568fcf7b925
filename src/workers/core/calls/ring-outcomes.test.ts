/** What the caller reads when chat refuses the ring, and whose name the callee reads. */
import { expect, it } from "vitest";
import { createWorld } from "./call.harness.ts";

function setUp(callSignalling: "websocket" | "chat") {
  const world = createWorld(callSignalling);
  const a = world.person("ann");
  const b = world.person("bob");
  return { world, a, b };
}

it.each(["websocket", "chat"] as const)(
  "A ring that chat refuses says that the two cannot call each other (%s)",
  async (callSignalling) => {
    const { world, a, b } = setUp(callSignalling);
    world.chat.refusing = true;
    const starting = a.start("bob");
    starting.catch(() => undefined);
    await world.run(3000);
    await expect(starting).rejects.toMatchObject({
      code: "call.not-allowed",
      message: "不能与对方通话",
    });
    expect(a.call.lastOutcome?.outcome).toBe("call.not-allowed");
    expect(a.store.notices).toEqual([]);
    await world.run(12_000);
    for (const { calls } of [a, b]) calls.stop();
  },
);

it.each(["websocket", "chat"] as const)(
  "A callee without a device is logged once at the first repeated ring, and the end of the waiting too (%s)",
  async (callSignalling) => {
    const { world, a, b } = setUp(callSignalling);
    const logged = () => a.reports.filter((text) => text.startsWith("calls: call"));
    const starting = a.start("nobody");
    await world.run(1_900);
    await starting;
    expect(logged()).toEqual([]);
    await world.run(5_000);
    expect(logged()).toEqual(["calls: callee is not online!"]);
    await world.run(60_000);
    expect(a.call.status).toBe("idle");
    expect(logged()).toEqual(["calls: callee is not online!", "calls: call timeout"]);
    for (const { calls } of [a, b]) calls.stop();
  },
);

it("A ring shows the person's name, also of a caller whom no list has brought yet", async () => {
  const { world, a, b } = setUp("websocket");
  world.chat.strangers.add("ann");
  const starting = a.start("bob");
  await world.run(100);
  await starting;
  expect(b.call).toMatchObject({
    status: "confirmRing",
    peer: { userName: "ann", name: "ANN" },
    info: { confrName: "ANN" },
  });
  await a.hangup();
  await world.run(12_000);
  for (const { calls } of [a, b]) calls.stop();
});
