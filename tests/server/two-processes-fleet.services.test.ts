/** The fleet of two server processes on one PostgreSQL and one Redis: one picture, whichever process is asked. */
import { afterEach, expect, it } from "vitest";
import {
  fleetChartsCall,
  fleetCoreCall,
  fleetFiguresCall,
  fleetListCall,
} from "../../src/shared/protocol/rest/fleet.ts";
import { type ReportingCore, reportingCore } from "../support/reporting-core.ts";
import { caller } from "../support/rest-caller.ts";
import { twoProcesses } from "./two-processes.ts";

const { servers, tokenOf } = twoProcesses();
const open: ReportingCore[] = [];
afterEach(() => {
  for (const core of open.splice(0)) core.close();
});
const reportingAt = async (server: number, name: string, core = `core-${name}`) => {
  const one = await reportingCore(servers[server]?.url ?? "", name, { core, build: `b${server}` });
  open.push(one);
  return one;
};

it("Each of two processes shows the cores of both, now and in figures, and the report of a core of the other", async () => {
  const [wei, lina] = [await reportingAt(0, "zhangwei"), await reportingAt(1, "lina")];
  const from = new Date(Date.now() - 60_000).toISOString();
  wei.says({ tabs: { open: 3, visible: 1 }, errors: { "core.deadline": 1 }, ops: 7 });
  lina.says({ tabs: { open: 2, visible: 2 }, queues: { outbox: 4 }, ops: 5 });

  const token = await tokenOf(servers[0]?.url ?? "", "ops");
  const asks = servers.map(({ url }) => caller(url, token));
  const listed = () =>
    Promise.all(
      asks.map(async (ask) => {
        const { data } = await ask("GET", `${fleetListCall.path}?sort=name`);
        return fleetListCall.data
          .parse(data)
          .records.map(({ id, build, tabs, outbox }) => [id, build, tabs, outbox]);
      }),
    );
  const expectAtBoth = (picture: readonly (readonly unknown[])[]) =>
    expect
      .poll(async () => (await listed()).map((rows) => rows.toSorted()))
      .toEqual([picture, picture]);
  await expectAtBoth([
    ["core-lina", "b1", 2, 4],
    ["core-zhangwei", "b0", 3, 0],
  ]);
  for (const ask of asks) {
    expect((await ask("GET", fleetFiguresCall.path)).data).toMatchObject({
      cores: 2,
      people: 2,
      tabs: 5,
      visible: 3,
      outbox: 4,
    });
    // Of whichever process the core is.
    for (const [core, ops] of [
      ["core-zhangwei", 7],
      ["core-lina", 5],
    ] as const) {
      const { data } = await ask("GET", fleetCoreCall.path.replace("{id}", core));
      expect(data).toMatchObject({ id: core, report: { ops } });
    }
  }

  // The figures of both are one sum in the database.
  await expect
    .poll(
      () =>
        Promise.all(
          asks.map(async (ask) => {
            const to = new Date(Date.now() + 10_000).toISOString();
            const { data } = await ask(
              "GET",
              `${fleetChartsCall.path}?metrics=cores,tabs&from=${from}&to=${to}`,
            );
            const { series } = fleetChartsCall.data.parse(data);
            return series.map(({ value }) => Math.max(...value.map((one) => one ?? 0)));
          }),
        ),
      { timeout: 60_000 },
    )
    .toEqual([
      [2, 5],
      [2, 5],
    ]);

  // A core that reconnects to the other process is still one core. Its reports count from the number that the first process has seen.
  wei.close();
  const moved = await reportingAt(1, "zhangwei");
  moved.says({ tabs: { open: 1, visible: 1 } });
  await expectAtBoth([
    ["core-lina", "b1", 2, 4],
    ["core-zhangwei", "b1", 1, 0],
  ]);
});
