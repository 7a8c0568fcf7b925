/** What sending reads of the database and writes to it. */
import pino from "pino";
import { beforeAll, expect, it } from "vitest";
import { createManualClock } from "../../../host.harness.ts";
import { platformForTests } from "../../../asking.harness.ts";
import { createDeliveries } from "./deliveries.ts";
import { createKnown, type Known } from "./known.ts";

const log = pino({ level: "silent" });
const { host } = platformForTests();
let known: Known;
beforeAll(async () => {
  known = createKnown({ db: host.db, log });
});

const rows = async <R extends object>(query: string, values: unknown[] = []): Promise<R[]> =>
  (await host.platform.database.pool.query<R>(query, values)).rows;
const channel = async (company: number, target: string, type = "webhook", on = true) => {
  const [made] = await rows<{ id: string }>(
    `INSERT INTO alert_channels (company_id, name, type, target, format, least_level, language, "on", secret)
      VALUES ($1, $2, $3, $2, 'json', 'warning', 'zh', $4, 's') RETURNING id::text AS id`,
    [company, target, type, on],
  );
  return made?.id ?? "";
};
const accountOf = async (name: string): Promise<string> =>
  (await rows<{ id: string }>("SELECT id::text AS id FROM accounts WHERE username = $1", [name]))[0]
    ?.id ?? "";

it("Operators of the platform see every alert, those of a company its own; others none", async () => {
  await rows(`UPDATE account_roles SET role_id = (SELECT id FROM roles WHERE company_id = 2 AND code = 'ops')
    WHERE account_id = (SELECT id FROM accounts WHERE username = 'wangfang')
      AND role_id IN (SELECT id FROM roles WHERE company_id = 2)`);
  await known.reload();
  // The administrator of the demo data works for both companies.
  const seers = (companyId: string | null) =>
    [...known.seers(companyId)]
      .map(([name, companies]) => `${name} ${companies.toSorted().join(",")}`)
      .toSorted();
  expect(seers(null)).toEqual(["admin 1", "ops 1"]);
  expect(seers("1")).toEqual(["admin 1", "ops 1"]);
  expect(seers("2")).toEqual(["admin 1,2", "ops 1", "wangfang 2"]);
  expect([known.companyName("2"), known.companyName(null)]).toEqual(["城南消防工程有限公司", ""]);
});

it("Channels that are on are known with the people who still belong to the company", async () => {
  const [lina, wang] = [await accountOf("lina"), await accountOf("wangfang")];
  const [hook, chat] = [
    await channel(2, "https://example.org/two"),
    await channel(1, `${lina},${wang}`, "chat"),
  ];
  await channel(1, "https://example.org/off", "webhook", false);
  await known.reload();
  expect(known.channelsFor("2", "critical")).toMatchObject([
    { id: hook, platform: false, secret: "s", people: [] },
    { id: chat, platform: true, people: ["lina"] },
  ]);
  expect(known.channelsFor(null, "warning").map(({ id }) => id)).toEqual([chat]);
  expect(known.channelsFor(null, "notice")).toEqual([]);
});

it("What became of a message is kept, and the latest at the channel; a deleted channel has none", async () => {
  const [one, gone] = [await channel(1, "https://example.org/1"), "999999"];
  const written: (readonly string[])[] = [];
  const clock = createManualClock();
  const deliveries = createDeliveries({
    db: host.db,
    clock,
    log,
    onWritten: (companies) => void written.push(companies),
  });
  const at = Date.UTC(2026, 10, 28, 2);
  const alertKey = "2b1c7a52-7c1e-4bd0-9a55-1f0d8b5a9e01";
  const delivery = {
    alertKey,
    event: "began",
    success: false,
    tries: 5,
    error: "HTTP 500",
  } as const;
  deliveries.add({ ...delivery, channelId: one, at });
  deliveries.add({ ...delivery, channelId: gone, at });
  const ended = { event: "ended", success: true, tries: 1, error: "" } as const;
  deliveries.add({ ...delivery, ...ended, channelId: one, at: at + 5000 });
  await deliveries.stop();
  expect(written.flat()).toContain("1");
  expect(
    await rows(
      "SELECT event, success, tries, error FROM alert_deliveries WHERE channel_id = $1 ORDER BY at",
      [one],
    ),
  ).toEqual([
    { event: "began", success: false, tries: 5, error: "HTTP 500" },
    { event: "ended", success: true, tries: 1, error: "" },
  ]);
  expect(
    await rows("SELECT last_at, last_error, version FROM alert_channels WHERE id = $1", [one]),
  ).toEqual([{ last_at: new Date(at + 5000), last_error: "", version: 1 }]);
  expect(clock.pending).toBe(0);
});
