/**
 * The REST calls as clients of the platform's SDK make them: names with the app key, the token in the body, a terminal that is an
 * object. Each request is valid by its schema, and each answer by its own.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  confrErrorSchema,
  CONFR_REST,
  joinRoomResponseSchema,
  joinRoomSchema,
  selectResponseSchema,
  selectSchema,
} from "../../../shared/protocol/rest/confr.ts";
import {
  ticketPath,
  ticketRequestSchema,
  type TicketResponse,
  ticketResponseSchema,
} from "../../../shared/protocol/rest/rtc.ts";
import type { TestHost } from "../../host.harness.ts";
import { createCredentials } from "../chat/credentials.ts";
import { call, join, rowOf, startHost } from "./host.harness.ts";
import type { FakeNode } from "./node.fake.ts";

const P = "easemob";
const TERMINAL = {
  browser: "chrome",
  browserVersion: 120,
  version: "3.4.1",
  userAgent: "Mozilla/5.0",
};
let host: TestHost & { readonly node: FakeNode };
beforeAll(async () => {
  host = await startHost({ TRUSTED_PROXIES: "127.0.0.1" });
}, 60_000);
afterEach(() => host.reset());
afterAll(() => host.close());

interface Identity {
  readonly name: string;
  readonly token: string;
}
/** Each person in both ways: the bare name with the login's token, the name with the app key with the chat's. */
const identities = async (user: string): Promise<readonly Identity[]> => {
  const credentials = createCredentials(host.deps.config.APP_SECRET, host.clock);
  const { token } = await credentials.issue(user, `session-${user}`);
  return [
    { name: user, token: `token-${user}` },
    { name: `hyzh#console_${user}`, token },
  ];
};

async function req({ name, token }: Identity, wish: Record<string, unknown>, origin?: string) {
  const body = { uid: name, token, terminal: TERMINAL, ...wish };
  expect(ticketRequestSchema.safeParse(body).success).toBe(true);
  const path = `${ticketPath(P)}?_ct=1&REGION=cn${"confrId" in wish ? "&CONFRID=1" : ""}`;
  const answer = await call(host, null, path, body, origin === undefined ? {} : { origin });
  return { status: answer.status, body: ticketResponseSchema.strict().parse(answer.body) };
}

describe("Clients of the platform's SDK", () => {
  it("create a conference and ask for a ticket without its type, as either identity", async () => {
    const creators = await identities("zhangwei");
    const guests = await identities("lina");
    for (const [i, creator] of creators.entries()) {
      const wish = { confrType: 10, password: "p", rec: false, recMerge: false };
      const made = await req(creator, wish);
      expect(made).toMatchObject({
        status: 200,
        body: {
          error: 0,
          type: 10,
          confrType: 10,
          ticket: { memName: "zhangwei", caller: "zhangwei", type: "CONFR", url: "/conference" },
        },
      });
      const { confrId } = made.body;
      expect((await join(host, made.body.ticket)).answer).toMatchObject({ result: 0, role: 7 });
      const guest = guests[i] ?? guests[0];
      if (guest === undefined) throw new Error("no identity");
      const select = { uid: guest.name, token: guest.token, confrId, password: "p" };
      expect(selectSchema.safeParse(select).success).toBe(true);
      const { body } = await call(host, null, `${CONFR_REST.select(P)}?_ct=1`, select);
      expect(selectResponseSchema.strict().parse(body)).toMatchObject({ error: 0 });
      const invited = await req(guest, { confrId, password: "p", role: "1" });
      expect(invited.body).toMatchObject({ error: 0, type: 10, ticket: { memName: "lina" } });
      expect((await join(host, invited.body.ticket)).answer).toMatchObject({ result: 0, role: 1 });
    }
  });

  it.each([
    [11, 10],
    [12, 10],
    [14, 14],
    [undefined, 10],
  ])("that ask for type %s get type %s, because nobody mixes", async (confrType, type) => {
    const [creator] = await identities("zhangwei");
    const [guest] = await identities("lina");
    if (creator === undefined || guest === undefined) throw new Error("no identity");
    const { body } = await req(creator, confrType === undefined ? {} : { confrType });
    const created = confrType ?? 10;
    expect(body).toMatchObject({ error: 0, type, confrType: created });
    expect((await rowOf(host, body.confrId ?? ""))["type"]).toBe(created);
    // The rules of the type hold all the same: everyone enters a live conference as audience.
    const invited = await req(guest, { confrId: body.confrId });
    expect(invited.body).toMatchObject({ error: 0, type, confrType: created });
    const role = created === 12 ? 1 : 3;
    expect((await join(host, invited.body.ticket)).answer).toMatchObject({ result: 0, role });
  });

  it("enter a call of two by its id alone", async () => {
    const [, caller] = await identities("zhangwei");
    const [, callee] = await identities("lina");
    if (caller === undefined || callee === undefined) throw new Error("no identity");
    const made = await req(caller, { confrType: 13, callee: callee.name });
    expect(made.body).toMatchObject({ error: 0, type: 13, ticket: { callee: "lina" } });
    const answered = await req(callee, { confrId: made.body.confrId });
    expect(answered.body).toMatchObject({ error: 0, type: 13, ticket: { type: "P2P" } });
  });

  it("join a conference by its name, beside which its configuration stands", async () => {
    for (const { name, token } of await identities("zhangwei")) {
      const create = {
        roomName: "晨会",
        password: "p",
        memName: name,
        token,
        rec: true,
        recMerge: false,
        supportWechatMiniProgram: true,
        useVCodes: ["H264", "VP8"],
        maxTalkerCount: 5,
        nickName: "张伟",
        ext: { a: 1 },
      };
      expect(joinRoomSchema.safeParse(create).success).toBe(true);
      const { body } = await call(host, null, CONFR_REST.joinRoom("hyzh", "console"), create);
      const conference = joinRoomResponseSchema.strict().parse(body);
      expect(conference).toMatchObject({ error: 0, isCreator: true });
      expect(await rowOf(host, conference.confrId ?? "")).toMatchObject({
        rec: true,
        rec_merge: false,
        vcodes: ["H264", "VP8"],
        limits: { maxTalkerCount: 5 },
      });
      const entered = await req(
        { name, token },
        { confrId: conference.confrId, password: "p", role: 3 },
      );
      expect(entered.body).toMatchObject({ error: 0, type: 10 });
    }
  });

  it("are refused as somebody else, with a chat token whose login has ended, and with one that is bound to no login", async () => {
    const [bare, chat] = await identities("zhangwei");
    if (bare === undefined || chat === undefined) throw new Error("no identity");
    const credentials = createCredentials(host.deps.config.APP_SECRET, host.clock);
    const unbound = await credentials.issue("zhangwei", null);
    const foreign = await credentials.issue("lina", "session-zhangwei");
    const other = createCredentials("y".repeat(40), host.clock);
    const forged = await other.issue("zhangwei", "session-zhangwei");
    const refused: [string, Identity, number][] = [
      ["another's name", { ...chat, name: "hyzh#console_lina" }, 200],
      ["another application's name", { ...chat, name: "other#app_zhangwei" }, 200],
      ["a forged chat token", { ...chat, token: forged.token }, 401],
      ["a chat token of another's login", { ...chat, token: foreign.token }, 401],
      ["a chat token without a login", { ...chat, token: unbound.token }, 401],
      ["no token", { ...chat, token: "" }, 401],
    ];
    for (const [what, identity, status] of refused) {
      const answer = await req(identity, {});
      expect(answer, what).toMatchObject({ status, body: { error: -405 } });
    }
    host.directory.endSession("session-zhangwei");
    for (const identity of [bare, chat]) {
      expect(await req(identity, {})).toMatchObject({ status: 401, body: { error: -405 } });
    }
  });

  it("are given complete socket addresses where they cannot complete a path themselves", async () => {
    const [me] = await identities("zhangwei");
    if (me === undefined) throw new Error("no identity");
    const { host: here } = new URL(host.origin);
    const addresses = async (origin?: string): Promise<(string | undefined)[]> => {
      const { ticket } = (await req(me, {}, origin)).body as TicketResponse;
      return [ticket?.url, ticket?.qoeUpUrl?.replace(/ticket=[^&]+/, "ticket=T")];
    };
    const quality = "/quality?ticket=T&rest=";
    expect(await addresses()).toEqual(["/conference", quality]);
    expect(await addresses(`http://${here}`)).toEqual(["/conference", `ws://${here}${quality}`]);
    expect(await addresses("http://app.example")).toEqual([
      `ws://${here}/conference`,
      `ws://${here}${quality}`,
    ]);
    expect(await addresses("https://app.example")).toEqual([
      `wss://${here}/conference`,
      `wss://${here}${quality}`,
    ]);
  });

  it.each([
    ["a terminal that is a text", { terminal: "web" }],
    ["a terminal with a text that is too long", { terminal: { browser: "x".repeat(201) } }],
    ["a role that is none", { role: "admin" }],
    ["a name with a NUL", { uid: "hyzh#console_\0" }],
  ])("are refused for %s", async (_, wish) => {
    const body = { uid: "zhangwei", token: "token-zhangwei", ...wish };
    const { body: answer } = await call(host, null, ticketPath(P), body);
    expect(confrErrorSchema.strict().parse(answer)).toMatchObject({ error: -9527 });
  });
});
