import pino from "pino";
import { expect, it } from "vitest";
import { ACCESS_END, type AccessEnd, type PlaceOfPerson } from "../../base/cluster/access.ts";
import { AGAIN, createLocalBus } from "../../base/cluster/bus.ts";
import { createManualClock } from "../../host.harness.ts";
import { createEndPlaces } from "./end-places.ts";

const log = pino({ level: "silent" });

type Look = (userName: string | null) => AsyncIterable<PlaceOfPerson>;

/** @param more other answers of the conferences */
function setUp(more: { readonly putOutForbidden?: Look } = {}) {
  const bus = createLocalBus(log);
  const clock = createManualClock();
  const asked: string[] = [];
  const published: unknown[] = [];
  const working: Promise<void>[] = [];
  const sockets = (login: string) => ({
    loginSessions: () => new Set([login]),
    endSession: (id: string) => void asked.push(`end ${id}`),
    accept: () => undefined,
    letGo: () => undefined,
    size: 0,
    stop: () => undefined,
  });
  bus.subscribe(ACCESS_END, (message) => published.push(message));
  const places = createEndPlaces({
    bus,
    clock,
    log,
    track: (work) => void working.push(work),
    calls: {
      sockets: sockets("of-call"),
      async *endForbidden(userName) {
        asked.push(`calls of ${userName}`);
        yield await Promise.resolve({ userName: "lina", confrId: "1" });
      },
    },
    conferences: {
      sockets: sockets("of-conference"),
      async *putOutForbidden(userName) {
        asked.push(`conferences of ${userName}`);
        yield await Promise.resolve({ userName: "lina", confrId: "2" });
      },
      ...more,
    },
  });
  return { bus, clock, asked, published, working, places };
}

it("When ends of companies and rights may have been missed, everybody's calls and conferences are looked at", async () => {
  const { bus, asked, published, places } = setUp();
  expect(places.logins()).toEqual(["of-call", "of-conference"]);
  await bus.publish(AGAIN, null);
  await expect.poll(() => published.length).toBe(2);
  expect(asked).toEqual(["conferences of null", "calls of null"]);
  expect(published).toEqual([
    { of: "place", userName: "lina", confrId: "2" },
    { of: "place", userName: "lina", confrId: "1" },
  ]);
  await places.stop();
  await bus.publish(AGAIN, null);
  expect(asked).toHaveLength(2);
});

it("A company ends the places of its person, a right those of conferences, a login its sockets", async () => {
  const { asked, working, places } = setUp();
  const ends: AccessEnd[] = [
    { of: "company", accountId: "1", userName: "lina", supplierId: "3" },
    { of: "rights", supplierId: "3" },
    { of: "login", accountId: "1", sessionId: "s", why: "logout" },
    { of: "place", userName: "lina", confrId: "1" },
  ];
  for (const end of ends) places.end(end);
  await Promise.all(working);
  expect(asked).toEqual([
    "conferences of lina",
    "calls of lina",
    "conferences of null",
    "end s",
    "end s",
  ]);
});

it("When the database fails on the way, those who are out are published, and everybody is looked at until it answers", async () => {
  let away = true;
  const looks: (string | null)[] = [];
  const { clock, published, working, places } = setUp({
    async *putOutForbidden(userName) {
      looks.push(userName);
      if (looks.length === 1) yield { userName: "lina", confrId: "7" };
      if (away) throw new Error("away");
      yield { userName: "chenjie", confrId: "7" };
    },
  });
  places.end({ of: "rights", supplierId: "3" });
  await Promise.all(working);
  await expect.poll(() => clock.pending).toBe(1);
  expect(published[0]).toEqual({ of: "place", userName: "lina", confrId: "7" });
  away = false;
  clock.advance(2000);
  await expect
    .poll(() => published)
    .toContainEqual({ of: "place", userName: "chenjie", confrId: "7" });
  expect(looks).toEqual([null, null, null]);
  await places.stop();
});
