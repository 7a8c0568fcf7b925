/** Entering with a ticket that the caller supplies (docs/conferences.md#getting-in): what is checked, and where the ICE servers come from. */
import { describe, expect, it } from "vitest";
import { commands } from "../../../shared/protocol/core-rpc.ts";
import { at, createConferenceWorld, ENTRY, errorOf, TICKET } from "./conferences.harness.ts";

const T1 = at("t1");
const enter = (ticket: object, more: object = {}) => {
  const world = createConferenceWorld();
  const tab = world.openTab("t1");
  const { handlers } = world.make();
  const input = commands.conference.joinWithTicket.input.parse({ ...ENTRY, ticket, ...more });
  return { world, tab, entering: handlers.joinWithTicket(input, T1) };
};

describe("entering with a ticket", () => {
  it("The owner tab gets the ICE servers of the answer to the enter, and so does the next owner", async () => {
    const { world, tab, entering } = enter(TICKET);
    world.server.iceServers = [{ urls: "turn:t:3478" }];
    await world.run(200);
    expect(await entering).toMatchObject({ confrId: "c1" });
    await world.run(200);
    expect(tab.iceServers).toEqual([{ urls: "turn:t:3478" }]);
    const [own] = Object.values(world.slice.streams);
    expect(own).toMatchObject({ located: true, connection: "connected" });
    const next = world.openTab("t2");
    world.closeTab(tab);
    await world.run(200);
    expect(next.iceServers).toEqual([{ urls: "turn:t:3478" }]);
  });

  it("The type CONFR is accepted in upper and lower case, the type P2P in neither", async () => {
    for (const type of ["confr", "Confr", "CONFR"]) {
      const { world, entering } = enter({ ...TICKET, type });
      await world.run(200);
      expect(await entering).toMatchObject({ confrId: "c1" });
    }
    for (const type of ["p2p", "P2P"]) {
      expect(await errorOf(enter({ ...TICKET, type }).entering)).toBe(
        "conference.invalid: not support conf type",
      );
    }
    expect(() => enter({ ...TICKET, type: "other" })).toThrow();
  });

  it("A ticket without the time at which it was made is accepted", async () => {
    const { timestamp: _, ...timeless } = TICKET;
    const { world, entering } = enter(timeless);
    await world.run(200);
    expect(await entering).toMatchObject({ confrId: "c1" });
  });

  it("A conference for which the ticket was not issued is refused", async () => {
    const { world, entering } = enter(TICKET, { confrId: "c2" });
    expect(await errorOf(entering)).toBe("conference.invalid: bad ticket");
    await world.run(200);
    expect([world.slice.status, world.env.sockets.length]).toEqual(["idle", 0]);
    const meant = enter(TICKET, { confrId: "c1" });
    await meant.world.run(200);
    expect(await meant.entering).toMatchObject({ confrId: "c1" });
  });
});
