/** A core's own reports over a real socket to the platform: what the core counted is what operations read. */
import { beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { REPORT_MS } from "../../src/shared/protocol/fleet.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { platformForTests } from "../../src/server/asking.harness.ts";
import type { SocketLike } from "../../src/workers/core/contracts.ts";
import { beBusy, setUp, USER } from "../../src/workers/core/reports/reports.harness.ts";

const { host } = platformForTests();
let token = "";
let ops = "";
beforeAll(async () => {
  token = (await host.login("lina")).access_token;
  ops = (await host.login("ops")).access_token;
});

const read = async (path: string): Promise<unknown> =>
  (await host.ask("GET", path, { token: ops, supplierId: "1" })).body.data;

it("what a busy core counts arrives whole, and a logout ends its socket", async () => {
  const sockets: WebSocket[] = [];
  const core = setUp({
    home: host.origin,
    async ticket() {
      const { body } = await host.ask("GET", restCalls.fleetTicket.path, { token });
      return restCalls.fleetTicket.data.parse(body.data).url;
    },
    openSocket(url) {
      const socket = new WebSocket(url);
      sockets.push(socket);
      return socket as unknown as SocketLike;
    },
  });
  core.login(USER);
  // The core begins after a pause.
  core.clock.advance(REPORT_MS);
  await expect.poll(() => sockets[0]?.readyState).toBe(WebSocket.OPEN);
  beBusy(core);
  const list = async () => restCalls.fleetList.data.parse(await read(restCalls.fleetList.path));
  await expect
    .poll(async () => {
      core.clock.advance(1_000);
      return (await list()).records;
    })
    .toMatchObject([{ name: "李娜", build: "test", tabs: 20, visible: 1, restarted: false }]);
  const [found] = (await list()).records;
  const { report } = restCalls.fleetCore.data.parse(
    await read(restCalls.fleetCore.path.replace("{id}", found?.id ?? "")),
  );
  expect(report).toMatchObject({ company: "1", ops: 9_000, pages: { measured: 20 } });
  expect(found?.lost).toBe(3);

  host.clock.advance(10_000);
  const now = host.clock.now();
  const times = `from=${new Date(now - 60_000).toISOString()}&to=${new Date(now + 60_000).toISOString()}`;
  await expect
    .poll(async () => {
      const path = `${restCalls.fleetSeries.path}?metric=commands&${times}`;
      return restCalls.fleetSeries.data.parse(await read(path)).total.value;
    })
    .toBe(600);

  core.login(null);
  await expect.poll(() => sockets.at(-1)?.readyState).toBe(WebSocket.CLOSED);
  expect(core.clock.pending).toBe(0);
});

it("another device ends the login: the core asks for a ticket at once, which the platform refuses with the reason", async () => {
  const grant = await host.login("lina");
  const answers: string[] = [];
  const core = setUp({
    home: host.origin,
    async ticket() {
      const login = { token: grant.access_token };
      const { status, body } = await host.ask("GET", restCalls.fleetTicket.path, login);
      answers.push(status === 200 ? "ticket" : String(body.error));
      return restCalls.fleetTicket.data.parse(body.data).url;
    },
    openSocket: (url) => new WebSocket(url) as unknown as SocketLike,
  });
  core.login(USER);
  core.clock.advance(REPORT_MS);
  const cores = async () => {
    const { records } = restCalls.fleetList.data.parse(await read(restCalls.fleetList.path));
    return records.length;
  };
  // The server knows the core, so its hello was answered.
  await expect.poll(cores).toBe(1);
  const { body } = await host.ask("GET", restCalls.ownSessions.path, { token });
  const { records } = restCalls.ownSessions.data.parse(body.data);
  for (const { id, current } of records) {
    const path = restCalls.endOwnSession.path.replace("{id}", id);
    if (!current) await host.ask("DELETE", path, { token });
  }
  await expect
    .poll(() => {
      core.clock.advance(1);
      return answers;
    })
    .toEqual(["ticket", "auth.signed-out"]);
  core.login(null);
  expect(core.clock.pending).toBe(0);
});
