import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestHost, until } from "../../host.harness.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import {
  CONFR_REST,
  hostsSchema,
  selectResponseSchema,
} from "../../../shared/protocol/rest/confr.ts";
import { CONFR_LIMITS } from "../../../shared/protocol/confr-signalling.ts";
import { conferencesOpenCall } from "../../../shared/protocol/rest/conferences.ts";
import { covers } from "../../covers.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { createAccess, PASSWORD_MS, PASSWORD_TRIES, PASSWORD_TRIES_ALL } from "./access.ts";
import type { FakeNode } from "./node.fake.ts";
import { call, everything, join, meeting, rowOf, startHost, ticket } from "./host.harness.ts";
import { createKeptFailures } from "../../base/limits/kept-failures.ts";
import { DATA_CHANGES } from "../../base/cluster/data-changes.ts";
import { LOBBY_NEWS_MS } from "./index.ts";
import { createRoleTokens } from "./role-tokens.ts";
import { createConferenceStore } from "./store.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

export const MAY = whoMay({ "conferences.open": "++++" });

const P = "easemob";
const op = OP;
let host: TestHost & { readonly node: FakeNode };
beforeAll(async () => {
  host = await startHost({ TRUSTED_PROXIES: "127.0.0.1" });
}, 60_000);
afterEach(async () => {
  await host.reset();
  await host.pg.query("DELETE FROM failed_guesses");
});
afterAll(() => host.close());

/** The numbers that the lobby shows. */
async function lobby(user: string, company?: string): Promise<string[]> {
  const options = company === undefined ? {} : { company };
  const { body } = await call(host, user, conferencesOpenCall.path, undefined, options);
  const { conferences } = conferencesOpenCall.data.parse(body["data"]);
  return conferences.map(({ confrId }) => confrId).toSorted();
}

describe("Meeting numbers", () => {
  it("are nine digits by which others join, and a taken number is drawn again, even that of an ended conference", async () => {
    const made = await ticket(host, "zhangwei", {}, "1");
    expect(made.confrId).toMatch(/^[1-9]\d{8}$/);
    const joined = await ticket(host, "lina", { confrId: made.confrId });
    expect(joined).toMatchObject({ error: 0, confrId: made.confrId });

    const store = createConferenceStore(host.deps.db);
    const drawn = ["200000001", "200000001", "200000001", "200000002", "200000003"];
    const access = createAccess({
      store,
      directory: host.directory,
      roleTokens: createRoleTokens("x".repeat(40), host.clock),
      clock: host.clock,
      failures: createKeptFailures({ db: host.deps.db, secret: "x".repeat(40) }),
      newNumber: () => drawn.shift() ?? "none",
      mayEnterCall: () => Promise.resolve(false),
    });
    const principal = await host.directory.authenticate("token-zhangwei");
    const wish = { type: 10, companyId: "1", limits: {} } as const;
    expect((await access.create(principal, wish))?.id).toBe("200000001");
    await host.pg.query("UPDATE conferences SET ended_at = now() WHERE id = '200000001'");
    expect((await access.create(principal, { ...wish, roomName: "甲" }))?.id).toBe("200000002");
    // A taken name is no reason to draw another number.
    expect(await access.create(principal, { ...wish, roomName: "甲" })).toBeNull();
    expect(drawn).toEqual([]);
  });
});

describe("Tickets of conferences", () => {
  it("create a conference of the company with all requested properties", async () => {
    const made = await ticket(
      host,
      "zhangwei",
      {
        confrType: 11,
        name: "周会",
        password: "秘密",
        maxVideoCount: 4,
        rec: true,
        recMerge: true,
        liveCfg: { cdn: "rtmp://x" },
        useVCodes: ["H264"],
      },
      "1",
    );
    expect(made).toMatchObject({
      error: 0,
      type: 10,
      confrType: 11,
      ticket: { url: "/conference", type: "CONFR", memName: "zhangwei", caller: "zhangwei" },
      rtcCfg: { iceServers: [] },
    });
    const row = await rowOf(host, made.confrId ?? "");
    expect(row).toMatchObject({
      type: 11,
      caller: "zhangwei",
      callee: null,
      company_id: "1",
      name: "周会",
      limits: { maxVideoCount: 4 },
      rec: true,
      rec_merge: true,
      live_cfg: { cdn: "rtmp://x" },
      vcodes: ["H264"],
      ended_at: null,
    });
    expect(String(row["password_hash"])).toMatch(/^scrypt\$/);
    expect(JSON.stringify(made)).not.toContain("scrypt");
    for (const confrType of [10, 12, 14]) {
      expect(await ticket(host, "zhangwei", { confrType })).toMatchObject({ error: 0 });
    }
  });

  it.each([
    ["a mixed conference", { confrType: 11 }],
    ["a live conference", { confrType: 12 }],
    ["an intercom", { confrType: 14 }],
    ["a lower limit", { maxTalkerCount: 99 }],
    ["a screen less", { maxPubDesktopCount: 1 }],
  ])(
    "for %s are refused in words without the permission of 高级设置, by ticket and by name, and store nothing",
    async (_, options) => {
      const before = await everything(host);
      const refused = {
        error: -405,
        errorMessage: "没有设置会议类型和人数上限的权限，请联系管理员",
      };
      const { body } = await call(host, "chenjie", "/easemob/rtc/req/ticket", {
        uid: "chenjie",
        confrType: 10,
        ...options,
      });
      expect(body).toEqual(refused);
      const named = { roomName: "权限", password: "p", memName: "chenjie", ...options };
      const path = CONFR_REST.joinRoom("hyzh", "console");
      expect((await call(host, "chenjie", path, named)).body).toEqual(refused);
      expect(await everything(host)).toEqual(before);
    },
  );

  it("with the default limits written out need no permission", async () => {
    expect(await ticket(host, "chenjie", { ...CONFR_LIMITS })).toMatchObject({ error: 0 });
    expect(await ticket(host, "zhangwei", { maxTalkerCount: 99 })).toMatchObject({ error: 0 });
  });

  it("belong to the company of the header, to the only one, or to none, never to a foreign one", async () => {
    const companyOf = async (user: string, company?: string) => {
      const made = await ticket(host, user, {}, company);
      return made.error === 0 ? (await rowOf(host, made.confrId ?? ""))["company_id"] : made.error;
    };
    expect(await companyOf("zhangwei")).toBe("1");
    expect(await companyOf("lina", "2")).toBe("2");
    expect(await companyOf("lina")).toBeNull();
    expect(await companyOf("zhangwei", "2")).toBe(-405);
    expect(await companyOf("zhangwei", "abc")).toBe(-405);
  });

  it("of a company are given to those who act for it, but not to guests", async () => {
    const ownTicket = await ticket(host, "zhangwei", {}, "1");
    const { confrId } = ownTicket;
    await join(host, ownTicket.ticket);
    const made = await ticket(host, "lina", {}, "2");
    const unknown = { confrId: "00000000-0000-4000-8000-000000000000" };
    const never = await ticket(host, "lina", unknown, "2");
    expect(await ticket(host, "lina", { confrId }, "1")).toMatchObject({ error: 0 });
    expect(await ticket(host, "lina", { confrId }, "2")).toEqual(never);
    // This holds for the creator too while acting for another company.
    expect(await ticket(host, "lina", { confrId: made.confrId }, "1")).toEqual(never);
    const select = (company: string) =>
      call(host, "lina", CONFR_REST.select(P), { uid: "lina", confrId }, { company });
    expect((await select("2")).body).toEqual(never);
    expect((await select("1")).body.error).toBe(0);
    for (const company of ["1", undefined]) {
      expect(await ticket(host, "guest", { confrId }, company)).toEqual(never);
      expect(await ticket(host, "guest", {}, company)).toMatchObject({ error: -405 });
      const wanted = { roomName: "晨会", password: "p", memName: "guest" };
      const options = company === undefined ? {} : { company };
      expect(
        (await call(host, "guest", CONFR_REST.joinRoom("hyzh", "console"), wanted, options)).body
          .error,
      ).toBe(-405);
      expect(await lobby("guest", company)).not.toContain(confrId);
    }
  });

  it("are given to the company and to those who may talk to the creator; others learn of no conference", async () => {
    const { confrId } = await ticket(host, "zhangwei", {}, "1");
    expect(await ticket(host, "chenjie", { confrId })).toMatchObject({ error: 0 });
    const foreign = await ticket(host, "wangfang", { confrId });
    const unknown = await ticket(host, "wangfang", {
      confrId: "00000000-0000-4000-8000-000000000000",
    });
    const odd = await ticket(host, "wangfang", { confrId: "\0'; drop table conferences" });
    expect(foreign).toMatchObject({ error: -405 });
    expect(unknown).toEqual(foreign);
    expect(odd).toEqual(foreign);
    // A one-to-one call is not a conference, and vice versa.
    const p2p = await ticket(host, "zhangwei", { confrType: 13, callee: "lina" });
    expect(await ticket(host, "zhangwei", { confrId: p2p.confrId })).toEqual(foreign);
    expect(await ticket(host, "zhangwei", { confrType: 13, confrId })).toMatchObject({
      error: -405,
    });
    // lina may talk to both: to company 2's people by membership, and in a conference without a company as a colleague of its
    // creator.
    const none = await ticket(host, "lina", {});
    expect(await ticket(host, "zhaolei", { confrId: none.confrId })).toMatchObject({ error: 0 });
  });

  it("require the password, with a limited number of attempts per account", async () => {
    const { confrId } = await ticket(host, "zhangwei", { password: "right" }, "1");
    const other = await ticket(host, "zhangwei", { password: "right" }, "1");
    expect(await ticket(host, "lina", { confrId })).toMatchObject({ error: -502 });
    for (let i = 0; i < PASSWORD_TRIES; i += 1) {
      expect(await ticket(host, "lina", { confrId, password: "wrong" })).toMatchObject({
        error: -502,
        errorMessage: "会议密码不正确",
      });
    }
    const locked = await ticket(host, "lina", { confrId, password: "right" });
    expect(locked.error).toBe(-405);
    expect(locked.errorMessage).toMatch(/密码错误次数过多，请 \d+ 秒后再试/);
    // The lock covers only this conference and this account.
    expect(await ticket(host, "chenjie", { confrId, password: "right" })).toMatchObject({
      error: 0,
    });
    const confr2 = { confrId: other.confrId, password: "right" };
    expect(await ticket(host, "lina", confr2)).toMatchObject({ error: 0 });
    expect(await ticket(host, "zhangwei", { confrId })).toMatchObject({ error: 0 });
    host.clock.advance(PASSWORD_MS);
    const good = await ticket(host, "lina", { confrId, password: "right" });
    expect(good).toMatchObject({ error: 0 });
    // A person who was admitted once returns with the role token.
    const { roleToken } = good;
    expect(await ticket(host, "lina", { confrId, roleToken })).toMatchObject({ error: 0 });
    expect(await ticket(host, "chenjie", { confrId, roleToken })).toMatchObject({ error: -502 });
    // The role token is valid for that conference only.
    const { confrId: third } = await ticket(host, "zhangwei", { password: "right" }, "1");
    expect(await ticket(host, "lina", { confrId: third, roleToken })).toMatchObject({
      error: -502,
    });
  });

  it("count wrong passwords at every process and after a restart", async () => {
    const made = [1, 2, 3, 4, 5].map(() => ticket(host, "zhangwei", { password: "right" }, "1"));
    const ids = (await Promise.all(made)).map(({ confrId }) => confrId);
    const asks = (password: string, confrId = ids[0]) =>
      ticket(host, "lina", { confrId, password });
    for (let i = 0; i < PASSWORD_TRIES; i += 1) {
      expect(await asks("wrong")).toMatchObject({ error: -502 });
      await host.restart();
    }
    expect(await asks("right")).toMatchObject({ error: -405 });
    expect(await asks("right", ids[1])).toMatchObject({ error: 0 });
    // Wrong passwords of other conferences bring the account to its limit.
    for (const id of ids.slice(1)) {
      for (let i = 0; i < PASSWORD_TRIES - 1; i += 1) await asks("wrong", id);
    }
    await host.restart();
    expect(await asks("right", ids[4])).toMatchObject({ error: -405 });
    host.clock.advance(PASSWORD_MS);
    expect(await asks("right", ids[4])).toMatchObject({ error: 0 });
  }, 30_000);

  it("lock an account that tries passwords of many conferences", async () => {
    let wrong = 0;
    for (let c = 0; wrong < PASSWORD_TRIES_ALL; c += 1) {
      host.clock.advance(1000);
      const { confrId } = await ticket(host, "zhangwei", { password: "right" }, "1");
      for (let i = 0; i < PASSWORD_TRIES - 1 && wrong < PASSWORD_TRIES_ALL; i += 1) {
        host.clock.advance(1000);
        expect(await ticket(host, "lina", { confrId, password: "x" })).toMatchObject({
          error: -502,
        });
        wrong += 1;
      }
    }
    const { confrId } = await ticket(host, "zhangwei", { password: "right" }, "1");
    expect(await ticket(host, "lina", { confrId, password: "right" })).toMatchObject({
      error: -405,
    });
  }, 30_000);

  it.each([
    ["a name with a NUL", { name: "a\0" }, -9527],
    ["a name that is half a character", { liveCfg: { a: "\ud800" } }, -9527],
    ["a NUL deep in the live configuration", { liveCfg: { a: [{ "\0": 1 }] } }, -9527],
    [
      "a live configuration without end",
      `{"uid":"zhangwei","confrType":10,"liveCfg":{"a":${"[".repeat(5000)}${"]".repeat(5000)}}}`,
      -9527,
    ],
    ["limits out of bounds", { maxTalkerCount: 0 }, -9527],
    ["another's name", { uid: "lina" }, -405],
    ["an unknown type", { confrType: 15 }, -9527],
  ])("are refused for %s and store nothing", async (_, wish, error) => {
    const before = await everything(host);
    const body = typeof wish === "string" ? wish : { uid: "zhangwei", confrType: 10, ...wish };
    expect((await call(host, "zhangwei", "/easemob/rtc/req/ticket", body)).body.error).toBe(error);
    expect(await everything(host)).toEqual(before);
  });

  it("are refused once the conference has ended", async () => {
    const { confrId, admin, lina, invited } = await meeting(host);
    admin.send({ op: op.closeConference, tsxId: "x", sessId: admin.sessId });
    await lina.waitForFrame({ op: op.closeConference, reason: 11 });
    expect(await ticket(host, "chenjie", { confrId })).toMatchObject({ error: -506 });
    expect(await ticket(host, "wangfang", { confrId })).toMatchObject({ error: -405 });
    expect((await join(host, invited.ticket)).answer).toMatchObject({ result: -506 });
    await until("the end is stored", async () => (await rowOf(host, confrId))["end_reason"] === 11);
  });
});

describe("Lists, named conferences and hosts", () => {
  it(covers(conferencesOpenCall, ["success", "refused", "foreign"]), async () => {
    await host.pg.query("DELETE FROM conferences");
    const entered = async (user: string, company?: string) => {
      const made = await ticket(host, user, {}, company);
      await join(host, made.ticket);
      return made;
    };
    const one = (await entered("zhangwei", "1")).confrId;
    const two = (await entered("wangfang", "2")).confrId;
    const none = (await entered("lina")).confrId;
    await ticket(host, "zhangwei", { confrType: 13, callee: "lina" });
    const { confrId, roleToken } = await entered("zhangwei", "1");
    await call(host, "zhangwei", CONFR_REST.disband(P), { confrId, roleToken });
    const sorted = (...ids: (string | undefined)[]) => ids.map((id) => id ?? "").toSorted();
    expect(await lobby("zhangwei")).toEqual(sorted(one, none));
    expect(await lobby("wangfang")).toEqual(sorted(two, none));
    expect(await lobby("lina")).toEqual(sorted(one, two, none));
    expect(await lobby("lina", "2")).toEqual(sorted(two, none));
    const foreign = { company: "1" };
    const path = conferencesOpenCall.path;
    expect((await call(host, "wangfang", path, undefined, foreign)).status).toBe(403);
    expect((await call(host, null, path)).status).toBe(401);
  });

  it("the lobby lists a conference while somebody is inside, and hears of each coming and going", async () => {
    const heard: unknown[] = [];
    const publish = vi.spyOn(host.deps.bus, "publish").mockImplementation((topic, message) => {
      if (topic === DATA_CHANGES) heard.push(message);
      return Promise.resolve();
    });
    const toCompany = {
      tags: ["conferences"],
      supplierId: "1",
      except: null,
      only: null,
    };
    const expectNews = async (count: number) => {
      await until("the announcement", () => {
        host.clock.advance(LOBBY_NEWS_MS);
        return heard.length >= count;
      });
      expect(heard.at(-1)).toEqual(toCompany);
    };
    const { confrId = "", ticket: given } = await ticket(host, "zhangwei", {}, "1");
    expect(await lobby("lina", "1")).not.toContain(confrId);
    const admin = await join(host, given);
    expect(await lobby("lina", "1")).toContain(confrId);
    await expectNews(1);
    admin.send({ op: op.leave, tsxId: "x", sessId: admin.sessId });
    await admin.waitForFrame({ op: op.response, tsxId: "x" });
    expect(await lobby("lina", "1")).not.toContain(confrId);
    await expectNews(2);
    // without a company: the creator and the colleagues
    const none = await ticket(host, "lina");
    await join(host, none.ticket);
    await until("the announcement", () => {
      host.clock.advance(LOBBY_NEWS_MS);
      return heard.length >= 3;
    });
    const { people } = heard.at(-1) as { people: string[] };
    expect(people.toSorted()).toEqual(
      ["lina", ...(await host.directory.colleagues("lina"))].toSorted(),
    );
    publish.mockRestore();
  });

  it("a conference that was ended stays ended for a query that began before", async () => {
    const { confrId, roleToken, ticket: given } = await ticket(host, "zhangwei", {}, "1");
    await join(host, given);
    await call(host, "zhangwei", CONFR_REST.disband(P), { confrId, roleToken });
    await expect.poll(async () => (await rowOf(host, confrId ?? ""))["ended_at"]).not.toBeNull();
    // What such a query answers: the row as it was.
    await host.pg.query("UPDATE conferences SET ended_at = NULL WHERE id = $1", [confrId]);
    expect(await lobby("zhangwei")).not.toContain(confrId);
    const select = await call(host, "zhangwei", CONFR_REST.select(P), { uid: "zhangwei", confrId });
    expect(select.body.error).not.toBe(0);
  });

  it("a named conference is created by the first person and joined by others of the company with its password", async () => {
    const path = CONFR_REST.joinRoom("hyzh", "console");
    const joinRoom = async (user: string, more: object = {}, company?: string) => {
      const body = { roomName: "晨会", password: "p", memName: user, ...more };
      return (await call(host, user, path, body, company === undefined ? {} : { company })).body;
    };
    const all = await Promise.all(
      ["zhangwei", "chenjie", "zhangwei"].map((user) => joinRoom(user)),
    );
    const ids = new Set(all.map((answer) => answer["confrId"]));
    expect(ids.size).toBe(1);
    expect(all.map((answer) => answer.error)).toEqual([0, 0, 0]);
    const [confrId] = ids;
    expect(await joinRoom("lina", {}, "1")).toMatchObject({ error: 0, confrId, isCreator: false });
    expect(await joinRoom("lina", { password: "wrong" }, "1")).toMatchObject({ error: -502 });
    const other = await joinRoom("wangfang");
    expect(other).toMatchObject({ error: 0, isCreator: true });
    expect(other["confrId"]).not.toBe(confrId);
    expect(await joinRoom("zhangwei", { confrType: 13 })).toMatchObject({ error: -405 });
    expect(await joinRoom("zhangwei", { memName: "lina" })).toMatchObject({ error: -405 });
    expect(await joinRoom("zhangwei", { roomName: "" })).toMatchObject({ error: -9527 });
    // With the given limits.
    const small = await joinRoom("zhangwei", { roomName: "小", maxTalkerCount: 2, rec: true });
    expect(await rowOf(host, String(small["confrId"]))).toMatchObject({
      limits: { maxTalkerCount: 2 },
      rec: true,
    });
  });

  it("server.json gives the own host to clients with the app key", async () => {
    const hosts = async (key: string, headers: Record<string, string> = {}) => {
      const query = new URLSearchParams({ app_key: key }).toString();
      const response = await fetch(`${host.origin}${CONFR_REST.hosts(P)}?${query}`, { headers });
      return hostsSchema.parse(await response.json()).rest.hosts;
    };
    const domain = new URL(host.origin).host;
    expect(await hosts("hyzh#console")).toEqual([{ protocol: "http", domain }]);
    // The platform's SDK encodes the key itself, before the query encodes it.
    expect(await hosts(encodeURIComponent("hyzh#console"))).toEqual([{ protocol: "http", domain }]);
    expect(await hosts("hyzh%2523console")).toEqual([]);
    expect(await hosts("hyzh%")).toEqual([]);
    expect(await hosts("hyzh#console", { "x-forwarded-proto": "https" })).toMatchObject([
      { protocol: "https" },
    ]);
    expect(await hosts("other#app")).toEqual([]);
    const deploy = await fetch(host.origin + CONFR_REST.deploy(P));
    expect(await deploy.json()).toEqual({});
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "limit.server: Select reveals a conference only with its password": async () => {
    const { confrId } = await ticket(host, "zhangwei", { password: "p", name: "例会" }, "1");
    const select = async (user: string, more: object) =>
      selectResponseSchema.parse(
        (await call(host, user, CONFR_REST.select(P), { uid: user, confrId, ...more })).body,
      );
    expect(await select("lina", {})).toMatchObject({ error: -502 });
    expect(await select("lina", { password: "p" })).toMatchObject({
      error: 0,
      confr: {
        confrId,
        type: 10,
        name: "例会",
        hasPassword: true,
        createdBy: "zhangwei",
        createdByName: "zhangwei",
        members: 0,
        limits: {
          maxTalkerCount: 100,
          maxAudienceCount: 600,
          maxVideoCount: 9,
          maxPubDesktopCount: 2,
        },
      },
    });
    expect(await select("wangfang", { password: "p" })).toEqual({
      error: -405,
      errorMessage: "会议不存在或无权进入",
    });
    expect(await select("lina", { uid: "zhangwei", password: "p" })).toMatchObject({
      error: -405,
    });
  },
});
