import { afterEach, expect, it, vi } from "vitest";
import { AppError } from "../shared/errors.ts";
import { createLook, fetchBuild } from "./deployed.ts";
import { whyMissing } from "./why-missing.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const setUp = () => {
  const coreState = { newerBuild: null as string | null, unreachable: false };
  const server = { build: "b1" as string | null, down: false, asked: 0 };
  const look = createLook({
    build: "b1",
    coreState,
    read: () => {
      server.asked += 1;
      return server.down ? Promise.reject(new TypeError("down")) : Promise.resolve(server.build);
    },
  });
  return { coreState, server, look };
};

it("Another build, a server out of reach and this build are told apart, and the state says so", async () => {
  const { coreState, server, look } = setUp();
  expect([await look(), { ...coreState }]).toEqual([
    "same",
    { newerBuild: null, unreachable: false },
  ]);
  server.down = true;
  expect([await look(), { ...coreState }]).toEqual([
    "unreachable",
    { newerBuild: null, unreachable: true },
  ]);
  server.down = false;
  server.build = "b2";
  expect([await look(), { ...coreState }]).toEqual([
    "other",
    { newerBuild: "b2", unreachable: false },
  ]);
  server.build = "b1";
  expect([await look(), { ...coreState }]).toEqual([
    "same",
    { newerBuild: null, unreachable: false },
  ]);
});

it("An outage, or a server that does not say its build, leaves what is known of another build", async () => {
  const { coreState, server, look } = setUp();
  server.build = "b2";
  await look();
  server.down = true;
  await look();
  expect(coreState.newerBuild).toBe("b2");
  server.down = false;
  server.build = null;
  expect([await look(), coreState.newerBuild]).toEqual(["unknown", "b2"]);
});

it("Questions at the same time are one request", async () => {
  const { server, look } = setUp();
  await Promise.all([look(), look(), look()]);
  expect(server.asked).toBe(1);
  await look();
  expect(server.asked).toBe(2);
});

it.each([
  ["other", "code.replaced"],
  ["unreachable", "server.unreachable"],
  ["same", "core.gone"],
  ["unknown", "core.gone"],
] as const)("A missing script with the answer %s is the error %s", async (answer, code) => {
  const why = await whyMissing(() => Promise.resolve(answer), new AppError("core.gone"));
  expect(why.code).toBe(code);
});

it.each([
  [new Response(JSON.stringify({ build: "b2", shell: [] })), "b2"],
  [new Response("<html></html>"), null],
  [new Response("{}", { status: 404 }), null],
  [new Response(JSON.stringify({ build: 5 })), null],
])("The build is read from the server's answer (%#)", async (answer, build) => {
  vi.stubGlobal("fetch", () => Promise.resolve(answer));
  expect(await fetchBuild()).toBe(build);
});

it("A gateway without its server counts as a server out of reach", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 502 })));
  await expect(fetchBuild()).rejects.toThrow("no server");
});

it("A page in place of the file counts as a server out of reach: the network's login page, say", async () => {
  const headers = { "content-type": "text/html; charset=utf-8" };
  const answer = () => Promise.resolve(new Response("<html></html>", { headers }));
  vi.stubGlobal("fetch", answer);
  vi.stubEnv("DEV", false);
  await expect(fetchBuild()).rejects.toThrow("no server");
  // vite's own page, while developing
  vi.stubEnv("DEV", true);
  expect(await fetchBuild()).toBeNull();
});
