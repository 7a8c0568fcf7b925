/** Who sees what of the fleet: operators of a company and of the platform, an administrator, staff, a guest, and nobody. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PATIENCE } from "../../src/shared/patience.harness.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { openCore } from "../../src/server/modules/fleet/fleet.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";

const { fleetTicket, fleetList, fleetFigures, fleetCore, fleetSeries, fleetParts, fleetCharts } =
  restCalls;
/** The last two show the server itself. */
const PAGES = ["/monitor/fleet", "/monitor/cores", "/monitor/servers", "/monitor/map"];

interface Person {
  readonly account: string;
  readonly company: string;
  /** Statuses: own company, all companies, core of the own company, core of the other one. */
  readonly answers: readonly [own: number, all: number, ownCore: number, otherCore: number];
  /** Cores that the two lists show; null: none is answered. */
  readonly sees: readonly [own: readonly string[] | null, all: readonly string[] | null];
  /** How many of the pages the menu has. */
  readonly pages: number;
}

/** Company 1 runs the platform. */
const MATRIX: Readonly<Record<string, Person>> = {
  "an operator of the platform": {
    account: "ops",
    company: "1",
    answers: [200, 200, 200, 200],
    sees: [["core-1"], ["core-1", "core-2"]],
    pages: 4,
  },
  "an administrator of the platform": {
    account: "admin",
    company: "1",
    answers: [200, 200, 200, 200],
    sees: [["core-1"], ["core-1", "core-2"]],
    pages: 4,
  },
  "an operator of another company": {
    account: "wangfang",
    company: "2",
    answers: [200, 404, 200, 404],
    sees: [["core-2"], null],
    pages: 2,
  },
  "staff of the platform's company": {
    account: "lina",
    company: "1",
    answers: [403, 403, 403, 403],
    sees: [null, null],
    pages: 0,
  },
  "staff of another company": {
    account: "zhangwei",
    company: "2",
    answers: [403, 403, 403, 403],
    sees: [null, null],
    pages: 0,
  },
  "a guest": {
    account: "guest",
    company: "1",
    answers: [403, 403, 403, 403],
    sees: [null, null],
    pages: 0,
  },
};

let host: TestPlatform;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  host = await startTestPlatform();
  const { pool } = host.platform.database;
  // Wang Fang is the operator of company 2, with the rights and the entries that its role has there.
  await pool.query(`UPDATE account_roles SET role_id = (SELECT id FROM roles WHERE company_id = 2 AND code = 'ops')
    WHERE account_id = (SELECT id FROM accounts WHERE username = 'wangfang')
      AND role_id IN (SELECT id FROM roles WHERE company_id = 2)`);
  for (const { account } of Object.values(MATRIX)) {
    tokens[account] = (await host.login(account)).access_token;
  }
  for (const [account, company] of [
    ["lina", "1"],
    ["zhangwei", "2"],
  ] as const) {
    const { body } = await host.ask("GET", fleetTicket.path, { token: tokens[account] ?? "" });
    const core = await openCore(`${host.origin}${fleetTicket.data.parse(body.data).url}`, {
      core: `core-${company}`,
    });
    await core.report({ n: 1, company, tabs: { open: 1, visible: 1 } });
  }
  const stored = async (): Promise<number> =>
    (await pool.query("SELECT FROM fleet_rollups WHERE company_id = 0")).rows.length;
  host.clock.advance(10_000);
  await vi.waitFor(async () => expect(await stored()).toBeGreaterThan(0), PATIENCE);
}, 60_000);
afterAll(() => host.close());

const times = (): string => {
  const now = host.clock.now();
  return `from=${new Date(now - 3_600_000).toISOString()}&to=${new Date(now).toISOString()}`;
};
const reads = (scope: string): string[] => [
  `${fleetList.path}?scope=${scope}`,
  `${fleetFigures.path}?scope=${scope}`,
  `${fleetSeries.path}?scope=${scope}&metric=tabs&${times()}`,
  `${fleetParts.path}?scope=${scope}&of=errors&${times()}`,
  `${fleetCharts.path}?scope=${scope}&metrics=tabs&parts=errors&${times()}`,
];

describe.each(Object.entries(MATRIX))("Of the fleet %s", (_who, person) => {
  const { account, company, answers, sees, pages } = person;
  const ask = (path: string) =>
    host.ask("GET", path, { token: tokens[account] ?? "", supplierId: company });
  const listed = async (scope: string): Promise<string[] | null> => {
    const { status, body } = await ask(`${fleetList.path}?scope=${scope}`);
    if (status !== 200) return null;
    return fleetList.data
      .parse(body.data)
      .records.map(({ id }) => id)
      .toSorted();
  };

  it("reads what the matrix says, of the own company and of all", async () => {
    for (const [scope, status] of [
      ["company", answers[0]],
      ["all", answers[1]],
    ] as const) {
      for (const path of reads(scope))
        expect([path, (await ask(path)).status]).toEqual([path, status]);
    }
    expect([await listed("company"), await listed("all")]).toEqual(sees);
  });

  it("looks at the cores that the matrix says", async () => {
    const status = async (of: string) =>
      (await ask(fleetCore.path.replace("{id}", `core-${of}`))).status;
    const other = company === "1" ? "2" : "1";
    expect([await status(company), await status(other)]).toEqual(answers.slice(2));
  });

  it("reads figures of the server if it may read all companies", async () => {
    const read = async (scope: string): Promise<number | null> => {
      const path = `${fleetSeries.path}?scope=${scope}&metric=server.requests&${times()}`;
      const { status, body } = await ask(path);
      return status === 200 ? fleetSeries.data.parse(body.data).total.value : null;
    };
    const all = await read("all");
    expect(all === null).toBe(answers[1] !== 200);
    if (all !== null) expect(all).toBeGreaterThan(0);
    // They belong to no company.
    expect(await read("company")).toBe(answers[0] === 200 ? 0 : null);
  });

  it("has the pages in the menu that the matrix says", async () => {
    const { rows } = await host.platform.database.pool.query<{ id: string }>(
      "SELECT id::text AS id FROM roles",
    );
    const { body } = await host.ask("POST", "/umc-rbac/api/v3/roleMenu/getRouters", {
      token: tokens[account] ?? "",
      supplierId: company,
      json: { roleIds: rows.map(({ id }) => id), systemName: "sec-web-company-admin" },
    });
    const uris = JSON.stringify(body.data ?? []);
    expect(PAGES.filter((uri) => uris.includes(`"${uri}"`))).toEqual(PAGES.slice(0, pages));
  });
});

it("Of the fleet somebody without a login reads nothing", async () => {
  for (const path of [
    ...reads("company"),
    ...reads("all"),
    fleetCore.path.replace("{id}", "core-1"),
  ]) {
    expect([path, (await host.ask("GET", path)).status]).toEqual([path, 401]);
  }
});
