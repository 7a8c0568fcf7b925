import { expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { initialSlices } from "../../../shared/protocol/initial-state.ts";
import { createStore } from "../store/index.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import { createReach } from "./index.ts";

function setUp() {
  const env = createFakeEnv({ random: () => 0 });
  const store = createStore({
    clock: env.clock,
    epoch: "e",
    newId: env.newId,
    slices: initialSlices({ coreId: "c", build: "b", now: env.clock.now() }),
  });
  const server = { up: true, asked: 0, intercepted: false };
  const reach = createReach({
    env,
    store: () => store,
    probe: () => {
      server.asked += 1;
      if (server.intercepted) return Promise.resolve("intercepted" as const);
      return server.up ? Promise.resolve(true) : Promise.reject(new Error("refused"));
    },
  });
  let backs = 0;
  reach.onBack(() => (backs += 1));
  const request = (code?: ErrorCode, details?: Record<string, number>) =>
    reach.watch(() =>
      code === undefined ? Promise.resolve("ok") : Promise.reject(new AppError(code, { details })),
    )({ id: "x", method: "GET", path: "/", headers: {} });
  return {
    env,
    store,
    server,
    reach,
    request,
    state: () => store.get("reach").state,
    backs: () => backs,
  };
}

test("one failure is no outage while the server answers the probe", async () => {
  const { reach, server, state, backs } = setUp();
  reach.suspect();
  await settle();
  expect([state(), server.asked, backs()]).toEqual(["up", 1, 0]);
});

test("a network that answers in place of the server is named, until the server answers itself", async () => {
  const { env, server, request, state, backs } = setUp();
  server.intercepted = true;
  await expect(request("network.intercepted")).rejects.toMatchObject({
    code: "network.intercepted",
  });
  await settle();
  expect(state()).toBe("intercepted");
  server.intercepted = false;
  env.clock.advance(1_000);
  await settle();
  expect([state(), backs()]).toEqual(["up", 1]);
});

test("an outage is shown, the server is probed repeatedly, and its return is reported once", async () => {
  const { env, server, request, state, backs } = setUp();
  server.up = false;
  await expect(request("server.unavailable")).rejects.toMatchObject({ code: "server.unavailable" });
  await settle();
  expect(state()).toBe("down");
  const probesIn = async (ms: number): Promise<number> => {
    const before = server.asked;
    for (let passed = 0; passed < ms; passed += 250) {
      env.clock.advance(250);
      await settle();
    }
    return server.asked - before;
  };
  expect(await probesIn(30_000)).toBe(60);
  expect(await probesIn(90_000)).toBe(90);
  expect(await probesIn(20_000)).toBe(10);
  const asked = server.asked;
  server.up = true;
  env.clock.advance(2_000);
  await settle();
  expect([state(), backs()]).toEqual(["up", 1]);
  env.clock.advance(60_000);
  await settle();
  expect([server.asked, backs()]).toEqual([asked + 1, 1]);
});

test("any answer ends the outage, even a refusal; a failure without an answer does not", async () => {
  const { server, request, state, backs } = setUp();
  server.up = false;
  await request("network.timeout").catch(() => undefined);
  await settle();
  await request("auth.required").catch(() => undefined);
  expect(state()).toBe("down");
  await request("auth.forbidden", { status: 403 }).catch(() => undefined);
  expect([state(), backs()]).toEqual(["up", 1]);
});

test("a machine without a network is offline, and probes the server when the network is back", async () => {
  const { env, server, reach, state, backs } = setUp();
  const heard: boolean[] = [];
  reach.online.onChange((online) => heard.push(online));
  env.online.set(false);
  expect(state()).toBe("offline");
  server.up = false;
  env.online.set(true);
  await settle();
  expect(state()).toBe("down");
  server.up = true;
  env.clock.advance(500);
  await settle();
  expect([state(), backs(), heard]).toEqual(["up", 1, [false, true, true]]);
});
