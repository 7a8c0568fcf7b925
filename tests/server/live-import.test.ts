/**
 * An import while many people look at the list (docs/session.md#live-data): a chunk of rows changes the list several times a second,
 * and each core asks for it every two seconds at most.
 */
import { afterEach, expect, it } from "vitest";
import { loadSdk } from "../../src/server/modules/chat/groups/sdk.harness.ts";
import { systemClock } from "../../src/server/base/clock.ts";
import { people } from "../../src/server/modules/imports/chunks.harness.ts";
import { startTestPlatform } from "../../src/server/platform.harness.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { createWallClock } from "../../src/workers/core/env.ts";
import { createQueries, STEADY_MS } from "../../src/workers/core/queries/cache.ts";
import { createOthersChanges } from "../../src/workers/core/queries/others-changes.ts";
import { startGroupCore } from "./group-core.ts";
import { createStagingMemory, stageRows, startImportCore } from "./import-core.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const ROWS = 30_000;
const CORES = 20;
/** ms by which a request may reach the wire later than the one after it. */
const DELAY_MS = 50;
/** Some of them may read a limited number of rows an hour, of which these reads are many times as many. */
const VIEWERS = ["lina", "zhangwei", "admin", "ops"] as const;

it(`${CORES} cores that show the list ask for it at most every two seconds during an import of ${ROWS} rows, and see its end`, async () => {
  const host = await startTestPlatform({ clock: systemClock });
  closers.push(() => host.close());
  // the embedded database must start before a browser's globals are there
  loadSdk();
  const clock = createWallClock();
  const listCall = restCalls.employeeList;
  const supplierId = "1";
  const { rows: accounts } = await host.platform.database.pool.query<{
    id: string;
    username: string;
  }>("SELECT id::text AS id, username FROM accounts");

  const watching = async (n: number) => {
    const name = VIEWERS[n % VIEWERS.length] ?? "lina";
    const token = (await host.login(name)).access_token;
    const times: number[] = [];
    let total = -1;
    const others = createOthersChanges({
      env: { clock, random: Math.random },
      onChanged: (change, company) => queries.changed(change, company),
    });
    const core = startGroupCore({
      origin: host.origin,
      token,
      user: {
        accountId: accounts.find((one) => one.username === name)?.id ?? "",
        username: name,
        name,
        supplierId,
      },
      onDataChanged: others.add,
      onOpen: () => queries.missed(),
      wire: (transport) => (request) => {
        if (request.path.startsWith(listCall.path)) times.push(Date.now());
        return transport(request);
      },
    });
    const queries = createQueries({
      env: { clock },
      http: core.http,
      company: () => supplierId,
      loggedOut: () => false,
      onAnswer: () => undefined,
    });
    queries.watch(listCall, { query: { limit: 200 } }, (answer) => {
      if (answer.state === "ready") total = (answer.data as { total: number }).total;
    });
    closers.push(() => (others.stop(), queries.clear(), core.stop()));
    return {
      times,
      total: () => total,
      isOpen: () => core.store.get("chat").connection === "open",
    };
  };
  const viewers: Awaited<ReturnType<typeof watching>>[] = [];
  for (let n = 0; n < CORES; n += 1) viewers.push(await watching(n));
  await expect
    .poll(() => viewers.filter((one) => one.isOpen() && one.total() >= 0), { timeout: 60_000 })
    .toHaveLength(CORES);
  const before = viewers[0]?.total() ?? 0;
  for (const { times } of viewers) times.length = 0;

  const rows = people(ROWS);
  const kv = createStagingMemory();
  const sender = { accountId: "1", supplierId };
  const job = await stageRows(kv, rows, { chunkRows: 2000, ...sender });
  const token = (await host.login("admin")).access_token;
  const began = Date.now();
  const importing = startImportCore({ origin: host.origin, token, ...sender, kv });
  closers.push(() => importing.kill());
  await importing.until((entry) => entry?.state === "done", job.key, 110_000);
  const took = Date.now() - began;
  await expect
    .poll(() => viewers.map((one) => one.total()), { timeout: 60_000 })
    .toEqual(viewers.map(() => before + ROWS));

  const asked = viewers.map(({ times }) => times);
  const counts = asked.map(({ length }) => length);
  // the first change, one each two seconds, and one for the end
  const most = 2 + Math.ceil(took / STEADY_MS);
  console.log(
    `      import of ${ROWS} rows in ${took} ms: ${Math.min(...counts)} to ${Math.max(...counts)} requests of each of ${CORES} cores, at most ${most} allowed`,
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(most);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  for (const times of asked) {
    const pauses = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    // A busy processor delays one request more than the next, between the core's clock and the wire where the test reads its own.
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(STEADY_MS - DELAY_MS);
  }
  const all = asked.flat().toSorted((a, b) => a - b);
  const together = all.map((at) => all.filter((one) => one >= at && one < at + 200).length);
  expect(Math.max(...together)).toBeLessThan(CORES);
}, 240_000);
