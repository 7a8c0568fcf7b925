/** Who sees the calls and conferences of whom, and what stands in the operation log of it (docs/server.md#quality-of-calls). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callRecords } from "../../../shared/domain/call-records.harness.ts";
import { callViewOf } from "../../../shared/domain/call-view.ts";
import { callFileSchema } from "../../../shared/protocol/call-file.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { createQualityStore } from "../quality/store.ts";

export const MAY = whoMay({
  "measured.list": "--++",
  "measured.reach": "--++",
  "measured.call": "--++",
  "measured.file": "--++",
});
const { measuredCalls, measuredCall, measuredFile, measuredReach } = restCalls;

/** Chat user names. 李娜 and the operator work for company 1, 王芳 for company 2, 张伟 for both. */
const CALLS = {
  inOne: ["zhangwei", "lina"],
  inTwo: ["zhangwei", "wangfang"],
  across: ["lina", "wangfang"],
} as const;
type CallId = keyof typeof CALLS;

interface Person {
  readonly account: string;
  readonly company: string;
  /** Calls that the lists of the company and of all show; null: refused. */
  readonly own: readonly CallId[] | null;
  readonly all: readonly CallId[] | null;
  /** Calls whose timeline is answered. */
  readonly opens: readonly CallId[];
}
/** Company 1 runs the platform. */
const MATRIX: Readonly<Record<string, Person>> = {
  "an operator of the platform": {
    account: "ops",
    company: "1",
    own: ["inOne"],
    all: ["across", "inOne", "inTwo"],
    opens: ["across", "inOne", "inTwo"],
  },
  "an administrator of the platform": {
    account: "admin",
    company: "1",
    own: ["inOne"],
    all: ["across", "inOne", "inTwo"],
    opens: ["across", "inOne", "inTwo"],
  },
  "an operator of another company": {
    account: "wangfang",
    company: "2",
    own: ["inTwo"],
    all: null,
    opens: ["inTwo"],
  },
  "staff of the platform's company": {
    account: "lina",
    company: "1",
    own: null,
    all: null,
    opens: [],
  },
  "a guest": { account: "guest", company: "1", own: null, all: null, opens: [] },
};

let host: TestPlatform;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  host = await startTestPlatform();
  const { pool, db } = host.platform.database;
  await pool.query(`UPDATE account_roles SET role_id = (SELECT id FROM roles WHERE company_id = 2 AND code = 'ops')
    WHERE account_id = (SELECT id FROM accounts WHERE username = 'wangfang')
      AND role_id IN (SELECT id FROM roles WHERE company_id = 2)`);
  for (const { account } of Object.values(MATRIX)) {
    tokens[account] = (await host.login(account)).access_token;
  }
  const { rows } = await pool.query<{ id: string; name: string }>(
    "SELECT id::text AS id, chat_user_name AS name FROM accounts",
  );
  const idOf = new Map(rows.map(({ id, name }) => [name, id]));
  const store = createQualityStore(db);
  for (const [at, [confrId, people]] of Object.entries(CALLS).entries()) {
    for (const [side, name] of people.entries()) {
      await pool.query(
        `INSERT INTO call_records (account_id, call_id, channel, type, media, direction, peer, peer_name, result,
           started_at, answered_at, ended_at, own)
         VALUES ($1, $2, $2, 1, 'video', $3, $4, $4, 'answered', now() - interval '1 hour', now() - interval '59 minutes',
           now() - interval '58 minutes', true)`,
        [idOf.get(name), confrId, side === 0 ? "out" : "in", people[1 - side]],
      );
      const names = { ann: people[0], bob: people[1] } as const;
      // Each call is worse than the one before.
      const records = callRecords(60, ({ from }) => (from === "ann" ? { loss: at * 0.1 } : {}))
        .filter(({ memName }) => names[memName as "ann" | "bob"] === name)
        .map((record) => ({
          ...record,
          confrId,
          memName: name,
          ...(record.kind === 1 && record.subMemName !== ""
            ? { subMemName: names[record.subMemName as "ann" | "bob"] }
            : {}),
        }));
      await store.add(idOf.get(name) ?? "", { batch: confrId, records }, Date.now());
    }
  }
}, 60_000);
afterAll(() => host.close());

const ask = (account: string, company: string, path: string) =>
  host.ask("GET", path, { token: tokens[account] ?? "", supplierId: company });
const pathOf = (id: string): string => measuredCall.path.replace("{id}", id);
/** A file has no envelope. */
const fetched = (account: string, company: string, path: string): Promise<Response> =>
  fetch(`${host.origin}${path}`, {
    headers: { authorization: `Bearer ${tokens[account] ?? ""}`, "supplier-id": company },
  });
const filePathOf = (id: string): string => measuredFile.path.replace("{id}", id);

describe.each(Object.entries(MATRIX))("Of calls %s", (_who, person) => {
  const { account, company, own, all, opens } = person;
  const listed = async (query: string): Promise<string[] | null> => {
    const { status, body } = await ask(account, company, `${measuredCalls.path}?${query}`);
    if (status !== 200) return null;
    return measuredCalls.data
      .parse(body.data)
      .records.map(({ id }) => id)
      .filter((id) => id in CALLS)
      .toSorted();
  };

  it("lists what the matrix says, of the own company and of all", async () => {
    expect([await listed("limit=100"), await listed("limit=100&scope=all")]).toEqual([own, all]);
    const reach = await ask(account, company, measuredReach.path);
    if (all === null) expect(reach.status).toBe(403);
    else expect(reach.body.data).toEqual({ all: true });
  });

  it("opens what the matrix says, and each look is in the operation log", async () => {
    const recorded = async (action: string): Promise<number> => {
      const { rows } = await host.platform.database.pool.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM audit_records WHERE action = $1 AND entity = 'call'",
        [action],
      );
      return rows[0]?.n ?? 0;
    };
    const [looks, exports] = [await recorded("view"), await recorded("export")];
    const opened: string[] = [];
    for (const id of Object.keys(CALLS).toSorted()) {
      const { status } = await ask(account, company, pathOf(id));
      if (status === 200) opened.push(id);
      else expect(status).toBe(own === null ? 403 : 404);
      expect([id, (await fetched(account, company, filePathOf(id))).status]).toEqual([id, status]);
    }
    expect(opened).toEqual(opens);
    expect((await recorded("view")) - looks).toBe(opens.length);
    expect((await recorded("export")) - exports).toBe(opens.length);
  });
});

it(covers([measuredCalls, measuredCall, measuredFile, measuredReach], ["success"]), async () => {
  const list = async (query: string) => {
    const { body } = await ask("ops", "1", `${measuredCalls.path}?scope=all&limit=100&${query}`);
    return measuredCalls.data.parse(body.data).records.filter(({ id }) => id in CALLS);
  };
  const rows = await list("");
  const row = rows.find(({ id }) => id === "inTwo");
  expect(row).toMatchObject({
    kind: "call",
    result: "answered",
    duration: expect.closeTo(60_000, -4) as number,
  });
  expect(row?.people.toSorted()).toEqual(["张伟", "王芳"].toSorted());
  expect(Object.fromEntries(rows.map(({ id, mos }) => [id, mos]))).toEqual({
    inOne: 4.26,
    inTwo: 3.26,
    across: 2.26,
  });
  const sorted = await list("sort=mos");
  expect(sorted.map(({ id }) => id)).toEqual(["across", "inTwo", "inOne"]);
  const gradeOf = async (grade: string) => (await list(`grade=${grade}`)).map(({ id }) => id);
  expect([await gradeOf("good"), await gradeOf("fair"), await gradeOf("poor")]).toEqual([
    ["inOne"],
    ["inTwo"],
    ["across"],
  ]);
  expect(
    (await list(`keyword=${encodeURIComponent("李娜")}`)).map(({ id }) => id).toSorted(),
  ).toEqual(["across", "inOne"]);
  expect(await list("kind=conference")).toEqual([]);

  const { body } = await ask("ops", "1", pathOf("inTwo"));
  const call = measuredCall.data.parse(body.data);
  expect(call.view.sides.map(({ memName }) => memName).toSorted()).toEqual([
    "wangfang",
    "zhangwei",
  ]);
  expect(call.names).toMatchObject({ zhangwei: "张伟", wangfang: "王芳" });
  expect(call.view.causes.map(({ cause, from }) => [cause, from])).toEqual([["loss", "zhangwei"]]);

  // The file has the whole timeline, of which the same view is made.
  const answer = await fetched("ops", "1", filePathOf("inTwo"));
  expect(answer.headers.get("content-disposition")).toContain("call-inTwo.json");
  const file = callFileSchema.parse(await answer.json());
  expect(callViewOf(file.timeline)).toEqual(call.view);
  expect(file.names).toEqual(call.names);
});

it(
  covers([measuredCalls, measuredCall, measuredFile, measuredReach], ["invalid", "foreign"]),
  async () => {
    expect((await ask("ops", "1", `${measuredCalls.path}?grade=best`)).status).toBe(400);
    for (const path of [pathOf("unknown"), filePathOf("unknown")]) {
      expect((await ask("ops", "1", path)).status).toBe(404);
    }
    for (const path of [pathOf("x".repeat(129)), filePathOf("x".repeat(129))]) {
      expect((await ask("ops", "1", path)).status).toBe(400);
    }
    // A report may name any channel: the records of people elsewhere are not shown for it.
    await host.platform.database.pool.query(
      `INSERT INTO call_records (account_id, call_id, channel, type, media, direction, peer, peer_name, result, started_at, ended_at, own)
     SELECT id, 'spoof', 'across', 1, 'voice', 'out', 'wangfang', 'x', 'failed', now(), now(), true
     FROM accounts WHERE username = 'zhangwei'`,
    );
    const { body } = await ask("wangfang", "2", pathOf("across"));
    const { view } = measuredCall.data.parse(body.data);
    expect(view.sides.map(({ memName }) => memName)).toEqual(["wangfang"]);
  },
);

it(covers([measuredCalls, measuredCall, measuredFile, measuredReach], "refused"), async () => {
  for (const path of [
    measuredReach.path,
    measuredCalls.path,
    `${measuredCalls.path}?scope=all`,
    pathOf("inOne"),
    filePathOf("inOne"),
  ]) {
    expect([path, (await host.ask("GET", path)).status]).toEqual([path, 401]);
  }
});
