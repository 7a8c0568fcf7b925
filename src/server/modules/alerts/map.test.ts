/** The map of the running system: what processes say of themselves becomes states, and who may see it (docs/server.md#map-of-the-system). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { refusedBy, whoMay } from "../../who-may.harness.ts";
import { durations } from "../fleet/fleet.harness.ts";
import { BEGIN, levels, NO_COMPANY, signOf, stepOf } from "./alerts.harness.ts";
import { createLives, NOTICED_MS } from "./life.ts";
import { createProcessFigures, systemMapOf } from "./map.ts";

const embedded = (name: string, up = true, restarts = 0) => ({
  name: `embedded@${name}:8080`,
  up,
  restarts,
});

function setUp() {
  let now = BEGIN;
  const lives = createLives();
  const figures = createProcessFigures(() => now);
  return {
    lives,
    figures,
    pass: (ms: number) => (now += ms),
    hear: (...signs: ReturnType<typeof signOf>[]) => {
      for (const sign of signs) lives.hear(sign, now);
    },
    map: () => systemMapOf(lives.known(now), figures, now),
    states: () => {
      const { processes, nodes, database, bus } = systemMapOf(lives.known(now), figures, now);
      return [
        Object.fromEntries([...processes, ...nodes].map(({ name, state }) => [name, state])),
        database.state,
        bus.state,
      ];
    },
  };
}

describe("What processes say", () => {
  it("becomes states: a process that misses signs, one that is gone, and one that has its place again", () => {
    const { hear, pass, states, lives } = setUp();
    hear(signOf("a", { nodes: [embedded("a")] }), signOf("b"));
    expect(states()).toEqual([
      { "a:8080": "up", "b:8080": "up", "embedded@a:8080": "up" },
      "up",
      "none",
    ]);
    pass(12_000);
    hear(signOf("b"));
    expect(states()[0]).toMatchObject({ "a:8080": "silent", "embedded@a:8080": "up" });
    pass(10_000);
    hear(signOf("b"));
    expect(states()[0]).toMatchObject({ "a:8080": "gone", "embedded@a:8080": "gone" });
    hear(signOf("new", { name: "a:8080", nodes: [embedded("a")] }));
    expect(states()[0]).toEqual({ "a:8080": "up", "b:8080": "up", "embedded@a:8080": "up" });
    // One that stops properly is no part of the map any more.
    lives.goodbye("b");
    expect(Object.keys(states()[0] ?? {})).toEqual(["a:8080", "embedded@a:8080"]);
  });

  it("says which node is down or came back a moment ago, also one that all processes use", () => {
    const { hear, pass, states, map } = setUp();
    const janus = (up: boolean) => ({ name: "janus-1", up, restarts: 0 });
    hear(
      signOf("a", { nodes: [embedded("a", true, 0), janus(true)] }),
      signOf("b", { nodes: [janus(true)] }),
    );
    expect(map().nodes.find(({ name }) => name === "janus-1")?.processes).toEqual([
      "a:8080",
      "b:8080",
    ]);
    hear(
      signOf("a", { nodes: [embedded("a", true, 1), janus(false)] }),
      signOf("b", { nodes: [janus(true)] }),
    );
    expect(states()[0]).toMatchObject({ "embedded@a:8080": "restarted", "janus-1": "down" });
    pass(NOTICED_MS);
    hear(
      signOf("a", { nodes: [embedded("a", false, 1), janus(true)] }),
      signOf("b", { nodes: [janus(true)] }),
    );
    expect(states()[0]).toMatchObject({ "embedded@a:8080": "down", "janus-1": "up" });
  });

  it("says who reaches the database and the bus", () => {
    const { hear, map } = setUp();
    hear(
      signOf("a", { bus: "up", database: { name: "pg:5432/console", silent: 0 } }),
      signOf("b", { bus: "away", database: { name: "pg:5432/console", silent: 12_000 } }),
    );
    const { processes, database, bus } = map();
    expect(processes.map((one) => [one.name, one.database, one.bus])).toEqual([
      ["a:8080", true, true],
      ["b:8080", false, false],
    ]);
    expect([database, bus]).toEqual([
      { name: "pg:5432/console", state: "away", ms: null },
      { state: "away" },
    ]);
  });

  it("has the load of each process by its own step, for as long as that is of now", () => {
    const { hear, pass, figures, map } = setUp();
    hear(signOf("a", { nodes: [embedded("a")] }), signOf("b"));
    const step = (process: string, cpu: number) =>
      stepOf(
        BEGIN,
        {
          [NO_COMPANY]: {
            c: { "server.cpu": cpu, "server.requests": 55 },
            l: levels({
              "server.memory": 310.4,
              "server.connections": 24,
              "server.streams-in": 3,
              "server.streams-out": 9,
            }),
            h: { "server.database": durations([2, 1]) },
          },
          1: { c: { ops: 5 } },
        },
        { process },
      );
    figures.add(step("a", 1.234));
    figures.add(step("b", 4));
    const { processes, nodes, database } = map();
    expect(processes.map(({ load }) => load)).toEqual([
      { cpu: 12.3, memory: 310, connections: 24, requests: 5.5 },
      { cpu: 40, memory: 310, connections: 24, requests: 5.5 },
    ]);
    expect(nodes.map(({ streams }) => streams)).toEqual([12]);
    expect(database.ms).toBeCloseTo(2, 0);
    pass(40_000);
    hear(signOf("a"));
    expect(map().processes[0]?.load).toBeNull();
  });
});

describe("The call", () => {
  const { systemMap } = restCalls;
  const MAY = whoMay({ "system.map": "--++" });
  let host: TestPlatform;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    host = await startTestPlatform();
    // Wang Fang holds every right in a company that does not run the platform.
    await host.platform.database.pool.query(
      "UPDATE roles SET permissions = '{*:*:*}' WHERE company_id = 2 AND code = 'staff'",
    );
    for (const name of ["admin", "ops", "lina", "wangfang", "guest"]) {
      tokens[name] = (await host.login(name)).access_token;
    }
  }, 60_000);
  afterAll(() => host.close());
  const ask = (as: string, supplierId = "1") =>
    host.ask("GET", systemMap.path, { token: tokens[as] ?? "", supplierId });

  it(covers(systemMap, ["success", "invalid"], "there is nothing to give it"), async () => {
    const read = async () => systemMap.data.parse((await ask("ops")).body.data);
    const map = await read();
    expect(map).toMatchObject({
      processes: [{ state: "up", database: true, bus: null }],
      database: { name: "embedded", state: "up" },
      bus: { state: "none" },
    });
    expect(map.nodes.every(({ processes }) => processes[0] === map.processes[0]?.name)).toBe(true);
    // The figures are those of the step that has just ended.
    expect(map.processes[0]?.load).toBeNull();
    host.clock.advance(10_000);
    await expect
      .poll(async () => (await read()).processes[0]?.load?.memory ?? 0)
      .toBeGreaterThan(0);
  });

  it(covers(systemMap, "foreign", "an operator of another company has no system"), async () => {
    expect((await ask("wangfang", "2")).status).toBe(404);
  });

  it(covers(systemMap, "refused"), async () => {
    expect((await host.ask("GET", systemMap.path)).status).toBe(401);
    for (const as of refusedBy(MAY["system.map"])) expect((await ask(as)).status).toBe(403);
  });
});
