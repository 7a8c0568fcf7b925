import pino from "pino";
import { expect, it } from "vitest";
import { ACCESS_END, type AccessEnd } from "../../base/cluster/access.ts";
import { AGAIN, createLocalBus } from "../../base/cluster/bus.ts";
import { createEndPlaces } from "./end-places.ts";

const log = pino({ level: "silent" });

function setUp() {
  const bus = createLocalBus(log);
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
    log,
    track: (work) => void working.push(work),
    calls: {
      sockets: sockets("of-call"),
      endForbidden(userName) {
        asked.push(`calls of ${userName}`);
        return Promise.resolve([{ userName: "lina", confrId: "1" }]);
      },
    },
    conferences: {
      sockets: sockets("of-conference"),
      putOutForbidden(userName) {
        asked.push(`conferences of ${userName}`);
        return Promise.resolve([{ userName: "lina", confrId: "2" }]);
      },
    },
  });
  return { bus, asked, published, working, places };
}

it("When ends of companies and rights may have been missed, everybody's calls and conferences are looked at", async () => {
  const { bus, asked, published, working, places } = setUp();
  expect(places.logins()).toEqual(["of-call", "of-conference"]);
  await bus.publish(AGAIN, null);
  await Promise.all(working);
  expect(asked).toEqual(["conferences of null", "calls of null"]);
  expect(published).toEqual([
    { of: "place", userName: "lina", confrId: "2" },
    { of: "place", userName: "lina", confrId: "1" },
  ]);
  places.stop();
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
