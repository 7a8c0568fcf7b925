/** Places in calls and conferences that ended without this process hearing of it (docs/server.md#end-of-access). */
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import { AGAIN, createLocalBus } from "../../base/cluster/bus.ts";
import type { Bus } from "../../base/module.ts";
import { createTestHost, openSocket, type TestHost, until } from "../../host.harness.ts";
import { createQualityTickets } from "../tickets/quality-tickets.ts";
import { createQualityModule } from "./index.ts";

const [CALL, OTHER_CALL] = [
  "00000000-0000-4000-8000-000000000001",
  "00000000-0000-4000-8000-000000000002",
];
const [MEETING, PRIVATE, GROUP_CALL, CLOUD_CALL] = [
  "200000001",
  "200000002",
  "200000003",
  "200000004",
];

let host: TestHost;
let bus: Bus;
beforeAll(async () => {
  host = await createTestHost({
    modules: [
      (deps) => {
        bus = createLocalBus(pino({ level: "silent" }));
        return createQualityModule({ ...deps, bus });
      },
    ],
    companies: { "1": ["zhangwei", "lina", "chenjie"], "2": ["wangfang"] },
  });
  await host.pg.query("INSERT INTO companies (id, name) VALUES (1, '华安'), (2, '城南')");
  await host.pg.query(`
    INSERT INTO conferences (id, type, caller, callee, company_id, call_id, call_media, created_at, active_at) VALUES
      ('${CALL}', 13, 'zhangwei', 'lina', NULL, NULL, NULL, now(), now()),
      ('${OTHER_CALL}', 13, 'zhangwei', 'chenjie', NULL, NULL, NULL, now(), now()),
      ('${MEETING}', 10, 'zhangwei', NULL, 1, NULL, NULL, now(), now()),
      ('${PRIVATE}', 10, 'zhangwei', NULL, NULL, NULL, NULL, now(), now()),
      ('${GROUP_CALL}', 10, 'zhangwei', NULL, NULL, 'c1', 'voice', now(), now()),
      ('${CLOUD_CALL}', 10, 'zhangwei', NULL, NULL, 'c2', 'voice', now(), now())`);
  await host.pg.query(`
    INSERT INTO group_call_visits (conference_id, user_name, entered_at)
      SELECT '${GROUP_CALL}', name, now() FROM unnest(ARRAY['zhangwei', 'lina', 'chenjie']) AS name`);
}, 60_000);
beforeEach(() => host.directory.move("lina", "2", "1"));
afterEach(() => host.reset());
afterAll(() => host.close());

const open = async (user: string, confrId: string) => {
  const ticket = await createQualityTickets(host.deps.config.APP_SECRET, host.clock).sign({
    confrId,
    memName: user,
    sessionId: `session-${user}`,
  });
  return openSocket(`${host.origin}/quality?ticket=${ticket}`);
};
const openAll = async (places: readonly (readonly [user: string, confrId: string])[]) => {
  const sockets = await Promise.all(places.map(([user, confrId]) => open(user, confrId)));
  const all = new RegExp(`^quality_sockets ${places.length}$`, "m");
  await until("all are in", async () => all.test(await host.metrics()));
  return sockets;
};

it("When messages were lost, sockets of those who may not stay are closed, and the others go on", async () => {
  const out = await openAll([
    ["lina", MEETING],
    ["lina", PRIVATE],
    ["lina", GROUP_CALL],
    ["zhangwei", CALL],
  ]);
  const staying = await Promise.all([
    open("zhangwei", OTHER_CALL),
    open("zhangwei", MEETING),
    open("chenjie", GROUP_CALL),
    open("lina", CLOUD_CALL),
  ]);
  await until("all are in", async () => /^quality_sockets 8$/m.test(await host.metrics()));
  // As at another process, whose messages are lost.
  host.directory.move("lina", "1", "2");
  await bus.publish(AGAIN, null);
  for (const socket of out) expect(await socket.closed()).toBe(WS_CLOSE.forbidden);
  await until("they are gone", async () => /^quality_sockets 4$/m.test(await host.metrics()));
  for (const socket of staying) {
    socket.send({ batch: "b", records: [] });
    expect(await socket.waitForFrame({ batch: "b" })).toMatchObject({ result: -400 });
  }
});

it("While the database is away, it is asked again", async () => {
  const [socket] = await openAll([["lina", MEETING]]);
  const { pending } = host.clock;
  host.directory.move("lina", "1", "2");
  await host.pg.query("ALTER TABLE conferences RENAME TO hidden");
  try {
    await bus.publish(AGAIN, null);
    await until("it waits", () => host.clock.pending === pending + 1);
  } finally {
    await host.pg.query("ALTER TABLE hidden RENAME TO conferences");
  }
  expect(socket?.ws.readyState).toBe(socket?.ws.OPEN);
  host.clock.advance(2000);
  expect(await socket?.closed()).toBe(WS_CLOSE.forbidden);
});

it("An older ticket opens no socket for a place that has ended", async () => {
  host.directory.move("lina", "1", "2");
  for (const confrId of [CALL, MEETING, PRIVATE, GROUP_CALL]) {
    const socket = await open("lina", confrId);
    expect(await socket.closed(), confrId).toBe(WS_CLOSE.forbidden);
  }
});
