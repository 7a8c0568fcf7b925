/** Group calls on the server: who may make one, enter it and invite, what others see of it, and when it ends. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { CONFR_PATH } from "../../../shared/protocol/confr-signalling.ts";
import { callRecordsCall } from "../../../shared/protocol/rest/call-records.ts";
import { CONFR_REST } from "../../../shared/protocol/rest/confr.ts";
import { conferencesOpenCall } from "../../../shared/protocol/rest/conferences.ts";
import {
  GROUP_CALL_PEOPLE,
  groupCallOpenCall,
  groupCallPastCall,
  groupCallStartCall,
} from "../../../shared/protocol/rest/group-calls.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { ticketPath, type TicketResponse } from "../../../shared/protocol/rest/rtc.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { covers } from "../../covers.harness.ts";
import { createManualClock, openSocket, type TestSocket, until } from "../../host.harness.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { CALL_NEWS_MS, createCallNews } from "../tickets/call-news.ts";
import { createGroupCallRecords } from "./group-call-records.ts";
import { createGroupCallStore } from "./group-call-store.ts";

export const MAY = whoMay({
  "groupCall.start": "++++",
  "groupCall.invite": "++++",
  "groupCall.open": "++++",
  "groupCall.past": "++++",
});

const PATH = groupCallStartCall.path;
const GROUP = "900001";

/** 张伟, 李娜, 管理员 and ops are colleagues; 王芳 works for another company, of which 张伟 is a member too. */
describe("Group calls", () => {
  let platform: TestPlatform;
  const token: Record<string, string> = {};
  const sockets: TestSocket[] = [];
  const everyone = ["zhangwei", "lina", "wangfang", "admin", "ops"];
  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const name of everyone) token[name] = (await platform.login(name)).access_token;
    const { pool } = platform.platform.database;
    await pool.query(
      `INSERT INTO im_groups (id, name, owner_id, public, approval, allow_invites)
        SELECT $1, '值班群', id, false, false, true FROM accounts WHERE username = 'zhangwei'`,
      [GROUP],
    );
    await pool.query(
      `INSERT INTO im_group_members (group_id, account_id)
        SELECT $1, id FROM accounts WHERE username IN ('zhangwei', 'lina', 'wangfang')`,
      [GROUP],
    );
  }, 120_000);
  afterAll(() => platform.close());
  beforeEach(async () => {
    for (const socket of sockets.splice(0)) socket.close();
    await platform.platform.database.pool.query(
      "UPDATE conferences SET ended_at = now(), call_recorded = true",
    );
    platform.clock.advance(120_000);
  });

  const ask = (who: string, method: string, path: string, json?: unknown): Promise<Answer> =>
    platform.ask(method, path, {
      token: token[who] ?? "",
      ...(json === undefined ? {} : { json }),
    });
  const start = (who: string, people: readonly string[], groupId: string | null = null) =>
    ask(who, "POST", PATH, { callId: "k1", media: "video", groupId, people });
  const invite = (who: string, confrId: string, people: readonly string[]) =>
    ask(who, "POST", `${PATH}/${confrId}/people`, { people });
  async function started(who: string, people: readonly string[], groupId: string | null = null) {
    const { status, body } = await start(who, people, groupId);
    expect([status, body.msg]).toEqual([200, "操作成功"]);
    return groupCallStartCall.data.parse(body.data).confrId;
  }
  async function open(who: string): Promise<z.infer<typeof groupCallOpenCall.data>["calls"]> {
    const { status, body } = await ask(who, "GET", PATH);
    expect(status).toBe(200);
    return groupCallOpenCall.data.parse(body.data).calls;
  }
  const provider = async (who: string, path: string, json: unknown) => {
    const response = await fetch(`${platform.origin}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token[who] ?? ""}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(json),
    });
    return (await response.json()) as TicketResponse;
  };
  const ticket = (who: string, confrId: string) =>
    provider(who, ticketPath("easemob"), { uid: who, confrId });
  async function enter(who: string, confrId: string) {
    const { ticket: given, error } = await ticket(who, confrId);
    expect(error).toBe(0);
    const socket = await openSocket(`${platform.origin}${CONFR_PATH}?n=1`);
    sockets.push(socket);
    socket.send({ op: OP.enter, tsxId: "e", tkt: given, res: { ops: [1002, 1003] } });
    const answer = await socket.waitForFrame({ op: OP.response, tsxId: "e" });
    expect(answer["result"]).toBe(0);
    return { socket, sessId: String(answer["sessId"]), roleToken: String(answer["roleToken"]) };
  }
  async function leave({ socket, sessId }: Awaited<ReturnType<typeof enter>>): Promise<void> {
    socket.send({ op: OP.leave, tsxId: "l", sessId });
    await socket.waitForFrame({ op: OP.response, tsxId: "l" });
  }

  it(
    covers(
      [restCalls.groupCallStart, restCalls.groupCallInvite, restCalls.groupCallOpen],
      "success",
    ),
    async () => {
      const confrId = await started("zhangwei", ["lina"]);
      expect(confrId).toMatch(/^[1-9]\d{8}$/);
      await enter("zhangwei", confrId);
      expect(await open("lina")).toMatchObject([
        {
          confrId,
          callId: "k1",
          media: "video",
          groupId: null,
          startedBy: "zhangwei",
          startedByName: "张伟",
          inside: 1,
        },
      ]);
      expect(await open("admin")).toEqual([]);
      await enter("lina", confrId);
      expect((await invite("lina", confrId, ["admin"])).status).toBe(200);
      expect(await open("admin")).toMatchObject([{ confrId, inside: 2 }]);
      await enter("admin", confrId);
    },
  );

  it(covers([restCalls.groupCallStart, restCalls.groupCallInvite], "foreign"), async () => {
    const strangers = await start("lina", ["wangfang"]);
    expect([strangers.status, strangers.body.msg]).toEqual([400, "不能与对方通话"]);
    expect((await start("admin", [], GROUP)).status).toBe(404);
    const confrId = await started("zhangwei", ["lina"]);
    expect((await ticket("admin", confrId)).error).toBe(-405);
    expect((await ticket("wangfang", confrId)).error).toBe(-405);
    expect((await invite("admin", confrId, ["ops"])).status).toBe(404);
    expect((await invite("zhangwei", "123456789", ["ops"])).status).toBe(404);
    // That the database does not answer is not the answer that there is no such call.
    const { pool } = platform.platform.database;
    await pool.query("ALTER TABLE conferences RENAME TO hidden");
    try {
      expect((await invite("lina", confrId, ["admin"])).status).toBe(500);
    } finally {
      await pool.query("ALTER TABLE hidden RENAME TO conferences");
    }
  });

  it(covers([restCalls.groupCallStart, restCalls.groupCallInvite], "invalid"), async () => {
    const self = await start("zhangwei", ["lina", "zhangwei"]);
    expect([self.status, self.body.msg]).toEqual([400, "不能和自己音视频通话"]);
    const nobody = await start("zhangwei", []);
    expect([nobody.status, nobody.body.msg]).toEqual([400, "请选择要呼叫的人"]);
    const confrId = await started("zhangwei", ["lina"]);
    const many = Array.from({ length: GROUP_CALL_PEOPLE + 1 }, (_, i) => `p${i}`);
    expect((await invite("zhangwei", confrId, many)).status).toBe(400);
    await platform.platform.database.pool.query(
      `INSERT INTO group_call_people SELECT $1, 'p' || n FROM generate_series(1, $2) n`,
      [confrId, GROUP_CALL_PEOPLE - 1],
    );
    const over = await invite("zhangwei", confrId, ["admin"]);
    expect(over.body.msg).toBe(`一次通话最多邀请 ${GROUP_CALL_PEOPLE} 人`);
  });

  it(
    covers(
      [restCalls.groupCallStart, restCalls.groupCallInvite, restCalls.groupCallOpen],
      "refused",
    ),
    async () => {
      const confrId = await started("zhangwei", ["lina"]);
      const body = { callId: "k", media: "voice", groupId: null, people: ["lina"] };
      const without = [
        platform.ask("POST", PATH, { json: body }),
        platform.ask("POST", `${PATH}/${confrId}/people`, { json: { people: ["lina"] } }),
        platform.ask("GET", PATH),
      ];
      for (const answer of await Promise.all(without)) {
        expect([answer.status, answer.body.error]).toEqual([401, "auth.required"]);
      }
    },
  );

  it("lets every member of the group enter the group's call, and a start at the same moment or later finds the same call", async () => {
    const all = await Promise.all(
      ["zhangwei", "lina", "wangfang", "lina"].map((who) => started(who, [], GROUP)),
    );
    expect(new Set(all).size).toBe(1);
    const [confrId = ""] = all;
    await enter("zhangwei", confrId);
    expect(await open("wangfang")).toMatchObject([{ confrId, groupId: GROUP }]);
    expect(await started("wangfang", [], GROUP)).toBe(confrId);
    await enter("wangfang", confrId);
    // 王芳 works elsewhere than 李娜, but both are members of the group.
    expect((await invite("wangfang", confrId, ["lina"])).status).toBe(200);
  });

  it("stands in no list of conferences", async () => {
    const confrId = await started("zhangwei", ["lina"], GROUP);
    await enter("zhangwei", confrId);
    const { body } = await ask("zhangwei", "GET", conferencesOpenCall.path);
    const { conferences } = conferencesOpenCall.data.parse(body.data);
    expect(conferences.map((one) => one.confrId)).not.toContain(confrId);
  });

  it("goes on while one person is inside and ends when the last person leaves", async () => {
    const confrId = await started("zhangwei", ["lina"]);
    const zhangwei = await enter("zhangwei", confrId);
    const lina = await enter("lina", confrId);
    await leave(zhangwei);
    platform.clock.advance(10_000);
    expect(await open("zhangwei")).toMatchObject([{ confrId, inside: 1 }]);
    // leaves and joins again while it goes on
    const again = await enter("zhangwei", confrId);
    await leave(again);
    await leave(lina);
    platform.clock.advance(1);
    await until("the call has ended", async () => (await open("lina")).length === 0);
    expect((await ticket("lina", confrId)).error).toBe(-506);
  });

  it("is over for others when its caller never entered it", async () => {
    const over = await started("zhangwei", ["lina"], GROUP);
    expect(await open("lina")).toHaveLength(1);
    platform.clock.advance(60_000);
    expect(await open("lina")).toEqual([]);
    expect(await started("lina", [], GROUP)).not.toBe(over);
  });

  it("lets everybody inside say whom they ring, and nobody rule the others", async () => {
    const confrId = await started("zhangwei", ["lina"]);
    const zhangwei = await enter("zhangwei", confrId);
    const { roleToken } = await enter("lina", confrId);
    const cattrs = [{ key: "admin", val: "{}", op: "UPDATE" }];
    expect(await provider("lina", CONFR_REST.attrs("easemob"), { roleToken, cattrs })).toEqual({
      error: 0,
    });
    expect(await zhangwei.socket.waitForFrame({ op: OP.attributes })).toMatchObject({
      cattrs: [{ key: "admin", val: "{}" }],
    });
    for (const wish of [
      { path: CONFR_REST.attrs("easemob"), body: { cstate: { muteAll: true } } },
      { path: CONFR_REST.kick("easemob"), body: { uids: ["zhangwei"] } },
      { path: CONFR_REST.disband("easemob"), body: {} },
    ]) {
      expect(await provider("lina", wish.path, { roleToken, ...wish.body })).toMatchObject({
        error: -405,
      });
    }
  });

  async function records(who: string, query = "") {
    const { status, body } = await ask(who, "GET", `${callRecordsCall.path}?type=2&${query}`);
    expect(status).toBe(200);
    return callRecordsCall.data.parse(body.data).records;
  }
  async function past(who: string, groupId = GROUP): Promise<Answer> {
    return ask(who, "GET", `${groupCallPastCall.path}?groupId=${groupId}`);
  }
  const forget = () => platform.platform.database.pool.query("DELETE FROM call_records");

  it("stands in the list of everybody concerned once it is over, with who was inside and how long", async () => {
    await forget();
    const began = platform.clock.now();
    const confrId = await started("zhangwei", ["lina", "admin", "ops"]);
    const zhangwei = await enter("zhangwei", confrId);
    platform.clock.advance(5_000);
    const lina = await enter("lina", confrId);
    const rung = { state: "refused", name: "管理员", by: "zhangwei", at: 1 };
    await provider("zhangwei", CONFR_REST.attrs("easemob"), {
      roleToken: zhangwei.roleToken,
      cattrs: [{ key: "admin", val: JSON.stringify(rung), op: "UPDATE" }],
    });
    platform.clock.advance(10_000);
    await leave(lina);
    platform.clock.advance(20_000);
    const again = await enter("lina", confrId);
    platform.clock.advance(1_000);
    await leave(zhangwei);
    expect(await records("zhangwei")).toEqual([]);
    platform.clock.advance(4_000);
    await leave(again);
    platform.clock.advance(1);
    await until("the record", async () => (await records("lina")).length === 1);
    const people = [
      {
        userName: "zhangwei",
        name: "张伟",
        enteredAt: began,
        leftAt: began + 36_000,
        inside: 36_000,
      },
      {
        userName: "lina",
        name: "李娜",
        enteredAt: began + 5_000,
        leftAt: began + 40_000,
        inside: 15_000,
      },
      ...["admin", "ops"].map((userName) => ({
        userName,
        name: expect.any(String) as string,
        enteredAt: null,
        leftAt: null,
        inside: 0,
      })),
    ];
    const common = { channel: confrId, type: 2, media: "video", groupId: null, people };
    expect(await records("zhangwei")).toMatchObject([
      { ...common, direction: "out", result: "answered", answeredAt: began },
    ]);
    expect(await records("lina", "keyword=张伟")).toMatchObject([
      {
        ...common,
        direction: "in",
        peer: "zhangwei",
        result: "answered",
        startedAt: began,
        answeredAt: began + 5_000,
        endedAt: began + 40_000,
      },
    ]);
    expect(await records("admin")).toMatchObject([{ ...common, result: "refused" }]);
    expect(await records("ops")).toMatchObject([{ ...common, result: "missed", answeredAt: null }]);
    // neither among the calls of two nor in the list of a person who was not concerned
    expect(await records("lina", "peer=zhangwei")).toEqual([]);
    expect(await records("wangfang")).toEqual([]);
  });

  it("counts as unanswered for its caller when only the caller was inside", async () => {
    await forget();
    const confrId = await started("zhangwei", ["lina"]);
    await leave(await enter("zhangwei", confrId));
    platform.clock.advance(1);
    await until("the record", async () => (await records("zhangwei")).length === 1);
    expect(await records("zhangwei")).toMatchObject([{ result: "no-response", name: "李娜" }]);
    expect(await records("lina")).toMatchObject([{ result: "missed", name: "张伟" }]);
  });

  it("is recorded by the sweep when nobody saw its end", async () => {
    await forget();
    const confrId = await started("zhangwei", ["lina"]);
    const { db, pool } = platform.platform.database;
    await pool.query("UPDATE conferences SET ended_at = now() WHERE id = $1", [confrId]);
    const heard: unknown[] = [];
    const { sweep } = createGroupCallRecords({
      db,
      clock: platform.clock,
      bus: { publish: (_topic, message) => Promise.resolve(void heard.push(message)) },
      track: () => undefined,
      people: createGroupCallStore(db).concerned,
      onError: (error) => {
        throw error;
      },
    });
    await sweep();
    await sweep();
    expect(heard).toMatchObject([{ tags: ["calls"], people: ["zhangwei", "lina"] }]);
    expect(await records("lina")).toMatchObject([{ channel: confrId, result: "missed" }]);
    expect(await records("zhangwei")).toMatchObject([{ result: "failed" }]);
  });

  it(covers(restCalls.groupCallPast, ["success", "foreign", "invalid", "refused"]), async () => {
    await forget();
    const confrId = await started("zhangwei", ["lina"], GROUP);
    const zhangwei = await enter("zhangwei", confrId);
    const lina = await enter("lina", confrId);
    await leave(zhangwei);
    await leave(lina);
    platform.clock.advance(1);
    const shown = async (who: string) =>
      groupCallPastCall.data
        .parse((await past(who)).body.data)
        .calls.filter((call) => call.confrId === confrId);
    await until("the entry", async () => (await shown("wangfang")).length === 1);
    expect(await shown("wangfang")).toMatchObject([
      { media: "video", startedBy: "zhangwei", startedByName: "张伟", people: 2 },
    ]);
    expect((await records("lina"))[0]).toMatchObject({ name: "值班群", groupId: GROUP });
    // 王芳 was neither rung nor inside
    expect(await records("wangfang")).toEqual([]);
    expect((await past("admin")).status).toBe(404);
    expect((await past("zhangwei", "x")).status).toBe(400);
    const without = await platform.ask("GET", `${groupCallPastCall.path}?groupId=${GROUP}`);
    expect(without.status).toBe(401);
  });

  it("is announced once for several changes, to those who may enter it", async () => {
    const confrId = await started("zhangwei", ["lina", "admin"], GROUP);
    const { db } = platform.platform.database;
    const heard: unknown[] = [];
    const clock = createManualClock();
    const news = createCallNews({
      tag: "groupCalls",
      clock,
      bus: { publish: (_topic, message) => Promise.resolve(void heard.push(message)) },
      people: createGroupCallStore(db).concerned,
      onError: (error) => {
        throw error;
      },
    });
    for (let i = 0; i < 3; i += 1) news.changed(confrId);
    clock.advance(CALL_NEWS_MS);
    await until("the news", () => heard.length > 0);
    expect(heard).toEqual([
      {
        tags: ["groupCalls"],
        supplierId: null,
        except: null,
        only: null,
        people: expect.arrayContaining(["admin", "lina", "wangfang", "zhangwei"]) as unknown,
      },
    ]);
    news.changed(confrId);
    news.stop();
    clock.advance(CALL_NEWS_MS);
    expect(heard).toHaveLength(1);
  });
});
