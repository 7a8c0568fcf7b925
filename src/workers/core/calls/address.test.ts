/** The machine's address changes during a call: the tab hears nothing any more, and the core restores the connection. */
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import { afterEach, describe, expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";

let world: World;
let people: Person[] = [];
async function connected(who: "caller" | "callee") {
  world = createWorld();
  const a = world.person("ann");
  const b = world.person("bob");
  people = [a, b];
  void a.start("bob");
  await world.run(100);
  await b.answer();
  await world.run(300);
  // A session that has only just begun counts as replaced a moment ago.
  await world.run(3_000);
  const [ownSide, other] = who === "caller" ? [a, b] : [b, a];
  return { ownSide, other, w: world, rtcId: [...ownSide.first.rtcIds][0]! };
}
const pings = (w: World): number => w.server.pings;

afterEach(async () => {
  for (const person of people) await person.hangup();
  await world.run(12_000);
  expect(world.clock.pending).toBe(0);
  for (const person of people) person.calls.stop();
});

for (const who of ["caller", "callee"] as const) {
  describe(`the ${who}'s machine`, () => {
    it("A silence is not shown; ICE restarts 500 ms later when the socket answers", async () => {
      const { ownSide, w, rtcId } = await connected(who);
      const before = pings(w);
      ownSide.first.emit({ t: "silent", rtcId });
      await w.run(100);
      expect(pings(w)).toBe(before + 1);
      expect(ownSide.call.connection).toBe("connected");
      expect(w.net.restarts).toEqual([]);
      await w.run(600);
      expect(w.net.restarts).toEqual([rtcId]);
      await w.run(300);
      expect(ownSide.call.connection).toBe("connected");
    });

    it("A packet within that time changes nothing", async () => {
      const { ownSide, w, rtcId } = await connected(who);
      ownSide.first.emit({ t: "silent", rtcId });
      await w.run(300);
      ownSide.first.emit({ t: "heard", rtcId });
      await w.run(2_000);
      expect(w.net.restarts).toEqual([]);
      expect(ownSide.call.connection).toBe("connected");
    });

    it("With another address the socket is replaced at once, and a new connection is up within 3 s", async () => {
      const { ownSide, other, w, rtcId } = await connected(who);
      const sockets = w.server.opened;
      ownSide.first.emit({ t: "silent", rtcId });
      ownSide.first.emit({ t: "moved", rtcId });
      await w.run(3_000);
      expect(w.server.opened).toBe(sockets + 1);
      const [next] = [...ownSide.first.rtcIds];
      expect(next).not.toBe(rtcId);
      expect([...other.first.rtcIds]).toEqual([next]);
      expect([ownSide.call.connection, other.call.connection]).toEqual(["connected", "connected"]);
      const offers = w.server.relayed.filter(({ body }) => body.op === OP.offer);
      expect(offers.at(-1)).toMatchObject({ from: ownSide.user });
      const noted = `event ${QUALITY_EVENT.moved}`;
      expect([ownSide, other].map(({ qoe }) => qoe.log.includes(noted))).toEqual([true, false]);
    });
  });
}
