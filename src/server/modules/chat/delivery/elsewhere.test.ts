import pino from "pino";
import { expect, it } from "vitest";
import { createManualClock } from "../../../host.harness.ts";
import { createLocalBus } from "../../../base/cluster/bus.ts";
import { createElsewhere, TELL_MS } from "./elsewhere.ts";

/** Two processes on one bus. */
function createPair() {
  const bus = createLocalBus(pino({ level: "silent" }));
  const clock = createManualClock();
  const users = new Map<string, { resources: string[]; sessions: string[] }>();
  const process = (usersHere: typeof users) =>
    createElsewhere({
      bus,
      clock,
      here: () => [...usersHere].map(([name, { resources }]) => [name, resources]),
      sessions: (name) => usersHere.get(name)?.sessions ?? [],
      onError: (error) => {
        throw error;
      },
    });
  return { bus, clock, users, one: process(users), other: process(new Map()) };
}

it("knows the logins of a user's devices at another process, from each of its announcements", async () => {
  const { clock, users, one, other } = createPair();
  users.set("lina", { resources: ["web_1"], sessions: ["login-1"] });
  one.start();
  other.start();
  await expect.poll(() => other.sessions("lina")).toEqual(["login-1"]);
  one.announceUser("lina", ["web_1", "web_2"], ["login-1", "login-2"]);
  await expect.poll(() => other.sessions("lina")).toEqual(["login-1", "login-2"]);
  users.set("lina", { resources: ["web_2"], sessions: ["login-2"] });
  clock.advance(TELL_MS);
  await expect.poll(() => other.sessions("lina")).toEqual(["login-2"]);
  one.stop();
  await expect.poll(() => other.sessions("lina")).toEqual([]);
  other.stop();
});

it("understands a process of an older build, which names no logins", async () => {
  const { bus, other } = createPair();
  other.start();
  await bus.publish("chat:presence", {
    t: "all",
    node: "old",
    users: [["lina", ["web_1"]]],
  });
  await expect.poll(() => other.resources("lina")).toEqual(["web_1"]);
  await bus.publish("chat:presence", {
    t: "user",
    node: "old",
    userName: "lina",
    resources: ["web_1", "web_2"],
  });
  await expect.poll(() => other.resources("lina")).toEqual(["web_1", "web_2"]);
  expect(other.sessions("lina")).toEqual([]);
  other.stop();
});
