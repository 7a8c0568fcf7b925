import { expect, test } from "vitest";
import { createFakeClock } from "./core.fake.ts";
import { BUILD_EVERY, BUILD_FIRST, watchDeployments } from "./deployments.ts";

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function setUp() {
  const clock = createFakeClock();
  const said: (string | null)[] = [];
  const server = { build: "b1" as string | null, down: false, asked: 0 };
  const open = new Set<string>();
  const handlers = { join: () => {}, leave: () => {}, back: () => {} };
  const off = () => () => undefined;
  const deployments = watchDeployments({
    env: { clock, build: "b1" },
    tabs: {
      list: () => [...open] as never,
      onJoin: (run) => ((handlers.join = run as never), off()),
      onLeave: (run) => ((handlers.leave = run as never), off()),
    },
    reach: { onBack: (run) => ((handlers.back = run), off()) },
    readBuild: () => {
      server.asked += 1;
      return server.down ? Promise.reject(new Error("down")) : Promise.resolve(server.build);
    },
    onNewer: (build) => said.push(build),
  });
  return {
    clock,
    said,
    server,
    deployments,
    back: () => handlers.back(),
    join(tab: string) {
      open.add(tab);
      handlers.join();
    },
    leave(tab: string) {
      open.delete(tab);
      handlers.leave();
    },
  };
}

test("another build on the server is said once, and the same build never", async () => {
  const { clock, said, server, join } = setUp();
  join("t1");
  clock.advance(BUILD_FIRST);
  await settle();
  expect([server.asked, said]).toEqual([1, []]);
  server.build = "b2";
  for (const _ of [1, 2, 3]) {
    clock.advance(BUILD_EVERY);
    await settle();
  }
  expect([server.asked, said]).toEqual([4, ["b2"]]);
});

test("any number of tabs ask once, and nobody asks while none is open", async () => {
  const { clock, server, join, leave } = setUp();
  join("t1");
  join("t2");
  clock.advance(BUILD_FIRST);
  leave("t1");
  leave("t2");
  clock.advance(10 * BUILD_EVERY);
  expect([server.asked, clock.pending]).toEqual([1, 0]);
});

test("the end of an outage and a tab that misses code ask at once; a server without an answer changes nothing", async () => {
  const { said, server, deployments, back } = setUp();
  server.down = true;
  await deployments.check();
  server.down = false;
  server.build = null;
  await deployments.check();
  expect(said).toEqual([]);
  server.build = "b2";
  back();
  await settle();
  server.build = "b3";
  await deployments.check();
  expect(said).toEqual(["b2", "b3"]);
  server.build = "b1";
  await deployments.check();
  expect(said).toEqual(["b2", "b3", null]);
});
