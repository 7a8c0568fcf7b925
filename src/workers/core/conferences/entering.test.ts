/**
 * What the requests for a conference and for a ticket say, and what their answers must have (docs/conferences.md#getting-in). The
 * specification promises of `select` an `error` alone.
 */
import { describe, expect, it } from "vitest";
import { at, createConferenceWorld, ENTRY, errorOf, TICKET } from "./conferences.harness.ts";

const T1 = at("t1");
const WISHES = { rec: true, recMerge: false, useVCodes: ["H264" as const] };
const TERMINAL = { browser: "chrome", browserVersion: 140, userAgent: "UA", version: "test" };

function setUp() {
  const world = createConferenceWorld();
  world.openTab("t1");
  const { handlers } = world.make();
  return {
    world,
    handlers,
    async inside<T>(entering: Promise<T>): Promise<T> {
      await world.run(200);
      return entering;
    },
    sent: () => world.calls.map(({ path, body }) => [path, body]),
  };
}

describe("the requests for a conference", () => {
  it("say which browser asks, and what the platform shall do with the conference", async () => {
    const { handlers, inside, sent } = setUp();
    const about = { type: 10 as const, name: "例会", password: "p", limits: {} };
    const entered = await inside(handlers.create({ ...about, ...WISHES, ...ENTRY }, T1));
    expect(entered).toEqual({
      confrId: "c1",
      type: 10,
      isCreator: true,
      joinId: "me",
      role: 7,
    });
    const wish = { uid: "me", confrType: 10, name: "例会", password: "p", ...WISHES };
    expect(sent()).toEqual([["/easemob/rtc/req/ticket", { ...wish, terminal: TERMINAL }]]);
  });

  it("have the role token of somebody who was inside, for the ticket and before", async () => {
    const { world, handlers, inside, sent } = setUp();
    const given = { confrId: "c1", password: "", roleToken: "role", ...WISHES, ...ENTRY };
    await inside(handlers.join(given, T1));
    const proof = { uid: "me", confrId: "c1", password: "", roleToken: "role" };
    expect(sent()).toEqual([
      ["/easemob/rtc/select/confr", proof],
      ["/easemob/rtc/req/ticket", { ...proof, confrType: 10, ...WISHES, terminal: TERMINAL }],
    ]);
    // Inside, the own role token goes along by itself, but not for another conference.
    await handlers.select({ confrId: "c1" }, T1);
    await handlers.select({ confrId: "c2" }, T1);
    expect(world.calls.slice(-2).map(({ body }) => body)).toEqual([
      { uid: "me", confrId: "c1", roleToken: "token" },
      { uid: "me", confrId: "c2" },
    ]);
  });

  it("a name is asked for with the configuration, and its answer says who created the conference", async () => {
    for (const isCreator of [true, false, undefined]) {
      const { world, handlers, inside, sent } = setUp();
      world.answers["/conferences/room"] = { error: 0, confrId: "c1", isCreator };
      const wanted = { roomName: "晨会", password: "p", role: 3 as const, limits: {} };
      const entered = await inside(handlers.joinRoom({ ...wanted, ...WISHES, ...ENTRY }, T1));
      expect(entered).toMatchObject({ confrId: "c1", isCreator: isCreator === true });
      expect(world.slice.info).toMatchObject({ name: "晨会", isCreator: isCreator === true });
      expect(sent()[0]?.[1]).toEqual({ roomName: "晨会", password: "p", memName: "me", ...WISHES });
    }
  });
});

describe("an answer that says of the conference no more than that it may be entered", () => {
  const ticketAnswer = (more: object) => ({ error: 0, confrId: "c1", ticket: TICKET, ...more });

  it.each([
    ["the type of the conference", { type: 10, confrType: 12 }, 12],
    ["the type for publishing alone", { type: 11 }, 11],
    ["no type", {}, 10],
  ])("is enough when the ticket's answer has %s", async (_what, more, type) => {
    const { world, handlers, inside } = setUp();
    world.answers["/select/confr"] = { error: 0 };
    world.answers["/req/ticket"] = ticketAnswer(more);
    const entered = await inside(handlers.join({ confrId: "c1", password: "", ...ENTRY }, T1));
    expect(entered).toMatchObject({ confrId: "c1", type, isCreator: false });
    expect(world.slice.info).toEqual({ confrId: "c1", name: "c1", type, isCreator: false });
    expect(world.calls[1]?.body).not.toHaveProperty("confrType");
    expect(await handlers.select({ confrId: "c1" }, T1)).toEqual({ confrId: "c1" });
  });

  it("does not lead into a call of two", async () => {
    const { world, handlers } = setUp();
    world.answers["/select/confr"] = { error: 0 };
    world.answers["/req/ticket"] = ticketAnswer({ type: 13 });
    const entering = handlers.join({ confrId: "c1", password: "", ...ENTRY }, T1);
    expect(await errorOf(entering)).toBe("conference.invalid: not support conf type");
  });
});
