import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestHost } from "../../host.harness.ts";
import { createCall, enter, postTicket, rowsIn, startHost } from "./call.harness.ts";
import { TICKET_BURST } from "./rest.ts";

describe("POST /{provider}/rtc/req/ticket", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({
      TURN_URL: "turn:turn.example:3478",
      TURN_SECRET: "north",
      STUN_URL: "stun:turn.example:3478",
    });
  });
  afterAll(() => host.close());

  it("creates a call between caller and callee and gives each a ticket", async () => {
    const { status, body } = await postTicket(host, "zhangwei", {
      uid: "zhangwei",
      confrType: 13,
      callee: "lina",
      terminal: { browser: "chrome", browserVersion: 120, version: "3.4.1", userAgent: "UA" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      error: 0,
      type: 13,
      ticket: {
        confrId: body.confrId,
        memName: "zhangwei",
        caller: "zhangwei",
        callee: "lina",
        url: "/signalling",
        qoeUpUrl: expect.stringMatching(/^\/quality\?ticket=ey[^&]+&rest=$/) as string,
        timestamp: host.clock.now(),
      },
    });
    expect(body.rtcCfg?.iceServers.map((s) => s.urls)).toEqual([
      "stun:turn.example:3478",
      "turn:turn.example:3478",
    ]);
    const stored = await host.pg.query(
      "select type, caller, callee, ended_at from conferences where id = $1",
      [body.confrId],
    );
    expect(stored.rows).toEqual([{ type: 13, caller: "zhangwei", callee: "lina", ended_at: null }]);
    const joined = await postTicket(host, "lina", {
      uid: "lina",
      confrType: 13,
      confrId: body.confrId,
    });
    expect(joined.body).toMatchObject({
      error: 0,
      confrId: body.confrId,
      ticket: { memName: "lina" },
    });
  });

  it("accepts the token of the body when there is no header", async () => {
    const request = { uid: "lina", confrType: 13, callee: "zhangwei" };
    expect(await postTicket(host, null, { ...request, token: "token-lina" })).toMatchObject({
      status: 200,
      body: { error: 0 },
    });
    expect(await postTicket(host, null, { ...request, token: "nonsense" })).toMatchObject({
      status: 401,
      body: { error: -405, errorMessage: "登录已过期，请重新登录" },
    });
    expect((await postTicket(host, null, request)).status).toBe(401);
    expect((await postTicket(host, null, "{")).status).toBe(401);
  });

  it.each([
    [
      "another's uid",
      { uid: "lina", confrType: 13, callee: "chenjie" },
      -405,
      "uid 不是当前登录用户",
    ],
    ["no callee", { uid: "zhangwei", confrType: 13 }, -9527, "缺少被叫 callee"],
    [
      "oneself",
      { uid: "zhangwei", confrType: 13, callee: "zhangwei" },
      -405,
      "不能和自己音视频通话",
    ],
    ["a stranger", { uid: "zhangwei", confrType: 13, callee: "wangfang" }, -405, "不能与对方通话"],
    ["nobody", { uid: "zhangwei", confrType: 13, callee: "no-one" }, -405, "不能与对方通话"],
    [
      "an unknown id",
      { uid: "zhangwei", confrType: 13, confrId: "nope" },
      -405,
      "通话不存在或无权进入",
    ],
    ["a NUL", { uid: "zhangwei", confrType: 13, confrId: "a\0b" }, -405, "通话不存在或无权进入"],
    [
      "an unknown type",
      { uid: "zhangwei", confrType: 15, callee: "lina" },
      -9527,
      /^请求内容不正确/,
    ],
    ["an array", [], -9527, /^请求内容不正确/],
    ["null", null, -9527, /^请求内容不正确/],
    ["broken JSON", "{", -9527, /^请求内容不正确/],
  ])("refuses %s", async (_name, request, error, message) => {
    const before = await rowsIn(host, "conferences");
    const { status, body } = await postTicket(host, "zhangwei", request);
    expect({ status, error: body.error }).toEqual({ status: 200, error });
    expect(body.errorMessage).toMatch(message);
    expect(body.ticket).toBeUndefined();
    expect(await rowsIn(host, "conferences")).toBe(before);
    host.clock.advance(2000);
  });

  it("refuses a body that is too large", async () => {
    const { status, body } = await postTicket(host, "zhangwei", "x".repeat(40_000));
    expect({ status, body }).toEqual({
      status: 413,
      body: { error: -9527, errorMessage: "请求内容过大" },
    });
  });

  it("gives no ticket for other people's calls or for ended ones", async () => {
    const { confrId, caller } = await createCall(host);
    const stranger = await postTicket(host, "chenjie", { uid: "chenjie", confrType: 13, confrId });
    expect(stranger.body).toEqual({ error: -405, errorMessage: "通话不存在或无权进入" });
    const socket = await enter(host, caller);
    socket.send({ op: 107, tsxId: "t", sessId: socket.sessId, reason: 0 });
    await socket.waitForFrame({ op: 1001, tsxId: "t" });
    const late = async () =>
      (await postTicket(host, "lina", { uid: "lina", confrType: 13, confrId })).body;
    await expect.poll(late).toEqual({ error: -506, errorMessage: "通话已结束" });
    socket.close();
  });

  it("slows down only the account that sends too many requests", async () => {
    const request = { uid: "chenjie", confrType: 13, callee: "lina" };
    const before = await rowsIn(host, "conferences");
    host.clock.advance(60_000);
    for (let i = 0; i < TICKET_BURST; i += 1) {
      expect((await postTicket(host, "chenjie", request)).body.error).toBe(0);
    }
    expect((await postTicket(host, "chenjie", request)).body).toEqual({
      error: -405,
      errorMessage: "操作过于频繁，请稍后再试",
    });
    expect(await rowsIn(host, "conferences")).toBe(before + TICKET_BURST);
    await createCall(host);
    host.clock.advance(1000);
    expect((await postTicket(host, "chenjie", request)).body.error).toBe(0);
  });
});
