/**
 * Clients of the platform's SDK on the whole platform, on a page of another origin: real logins, chat tokens, sockets and database.
 * Requests have the form in which the SDK sends them.
 */
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openSocket, until } from "../../src/server/host.harness.ts";
import { platformForTests } from "../../src/server/asking.harness.ts";
import { QUALITY_PATH } from "../../src/shared/protocol/qoe.ts";
import { CONFR_LIMITS, CONFR_PATH } from "../../src/shared/protocol/confr-signalling.ts";
import {
  confrErrorSchema,
  CONFR_REST,
  joinRoomResponseSchema,
} from "../../src/shared/protocol/rest/confr.ts";
import { chatUserSchema } from "../../src/shared/protocol/rest/entities.ts";
import { ticketPath, ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";

const APP = "https://app.example.org";
const EVIL = "https://evil.example";
const P = "easemob";
const { host: platform } = platformForTests([], {
  env: { MEDIA_BIND: "127.0.0.1", ALLOWED_ORIGINS: `http://localhost:1,${APP}` },
});

async function send(path: string, body: object, origin = APP, method?: "DELETE") {
  const response = await fetch(platform.origin + path, {
    method: method ?? "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The chat token of a person, as the chat SDK gets it, and the name with the app key. */
async function chatIdentity(user: string): Promise<{ name: string; token: string }> {
  const { access_token: token } = await platform.login(user);
  const { body: account } = await platform.ask("GET", "/uaa/api/account", { token });
  const query = new URLSearchParams({
    accountId: (account.data as { id: string }).id,
    source: "环信",
    systemName: "hyzh#console",
  });
  const path = `/dc-im/api/user/hx/accountId?${query.toString()}`;
  const chat = chatUserSchema.parse((await platform.ask("GET", path, { token })).body.data);
  const { body } = await send("/hyzh/console/token", {
    grant_type: "password",
    username: chat.userName,
    password: chat.password,
  });
  const granted = body as { access_token: string };
  return { name: `hyzh#console_${chat.userName}`, token: granted.access_token };
}
const loginIdentity = async (user: string) => ({
  name: user,
  token: (await platform.login(user)).access_token,
});

/** The close code, or the status of a refused upgrade; "open" otherwise. */
const dial = (url: string, origin: string): Promise<number | "open"> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { origin });
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.on("open", () => {
      socket.terminate();
      resolve("open");
    });
  });

describe("An application on another origin", () => {
  it.each([
    ["the login's token", loginIdentity],
    ["the chat's token", chatIdentity],
  ])(
    "joins a conference by its name, administers it and reports its quality with %s",
    async (_, identity) => {
      const { name: memName, token } = await identity("zhangwei");
      const roomName = `房间 ${memName}`;
      const { maxTalkerCount } = CONFR_LIMITS;
      const asked = { roomName, password: "p", memName, token, maxTalkerCount };
      const made = await send(CONFR_REST.joinRoom("hyzh", "console"), asked);
      expect(made.status).toBe(200);
      expect(made.headers.get("access-control-allow-origin")).toBe(APP);
      expect(made.headers.get("access-control-allow-credentials")).toBeNull();
      const conference = joinRoomResponseSchema.strict().parse(made.body);
      expect(conference).toMatchObject({ error: 0, isCreator: true });

      const terminal = {
        browser: "chrome",
        browserVersion: 120,
        version: "3.4.1",
        userAgent: "UA",
      };
      const { confrId } = conference;
      const wish = { uid: memName, token, confrId, password: "p", role: 7, terminal };
      const answer = await send(`${ticketPath(P)}?_ct=1&CONFRID=${confrId}`, wish);
      const granted = ticketResponseSchema.strict().parse(answer.body);
      expect(granted).toMatchObject({ error: 0, type: 10, ticket: { memName: "zhangwei" } });
      const { ticket, roleToken = "" } = granted;
      if (ticket?.qoeUpUrl === undefined) throw new Error("no ticket");
      // A page over TLS gets addresses over TLS; this test has no TLS in front.
      const own = platform.origin.replace("http:", "ws:");
      expect(ticket.url).toBe(`${own.replace("ws:", "wss:")}${CONFR_PATH}`);
      const signalling = ticket.url.replace("wss:", "ws:");
      const upload = `${ticket.qoeUpUrl.replace("wss:", "ws:")}?orgName=hyzh&appName=console&memName=undefined&ts=1&access_token=${token}`;
      expect(upload).toContain(`${own}${QUALITY_PATH}?`);

      for (const url of [`${signalling}?0`, upload]) {
        expect(await dial(url, APP)).toBe("open");
        expect(await dial(url, EVIL)).toBe(403);
      }
      const socket = await openSocket(`${signalling}?1`);
      socket.send({ op: 200, tsxId: "e", ticket });
      expect(await socket.waitForFrame({ tsxId: "e" })).toMatchObject({ result: 0, role: 7 });

      const attrs = { roleToken, cattrs: [{ key: "k", val: "v", op: "UPDATE" }] };
      const changed = await send(CONFR_REST.attrs(P), attrs);
      expect(confrErrorSchema.strict().parse(changed.body)).toEqual({ error: 0 });
      await socket.waitForFrame({ op: 402 });

      const quality = await openSocket(upload);
      quality.send({
        type: 0,
        confrId,
        memId: "zhangwei",
        memName: "zhangwei",
        time: 1,
        result: 0,
      });
      quality.send({ type: 1, sId: "s", rtcId: "r", isPub: true, vW: 640 });
      quality.send({ type: 2, event: 14 });
      const kinds = async (): Promise<number[]> => {
        const { rows } = await platform.platform.database.pool.query<{ kind: number }>(
          "SELECT kind FROM quality_samples WHERE confr_id = $1 ORDER BY kind",
          [confrId],
        );
        return rows.map(({ kind }) => kind);
      };
      await until("the records are stored", async () => (await kinds()).length === 3);
      expect(await kinds()).toEqual([0, 1, 2]);

      const live = { confrId, roleToken, liveId: "l" };
      const deleted = await send(CONFR_REST.deleteLive(P), live, APP, "DELETE");
      expect(confrErrorSchema.strict().parse(deleted.body)).toMatchObject({ error: -405 });
      const disbanded = await send(CONFR_REST.disband(P), { confrId, roleToken });
      expect(disbanded.body).toEqual({ error: 0 });
      await socket.waitForFrame({ op: 204 });
      socket.ws.terminate();
      quality.ws.terminate();
    },
  );

  it("finds the hosts, and asks for a conference by name and a DELETE by preflight", async () => {
    const query = new URLSearchParams({ app_key: encodeURIComponent("hyzh#console") });
    const hosts = await fetch(`${platform.origin}${CONFR_REST.hosts(P)}?${query.toString()}`, {
      headers: { origin: APP },
    });
    expect(hosts.headers.get("access-control-allow-origin")).toBe(APP);
    const domain = new URL(platform.origin).host;
    expect(await hosts.json()).toEqual({ rest: { hosts: [{ protocol: "http", domain }] } });
    for (const [path, method] of [
      [CONFR_REST.joinRoom("hyzh", "console"), "POST"],
      [CONFR_REST.deleteLive(P), "DELETE"],
    ] as const) {
      const headers = {
        "access-control-request-method": method,
        "access-control-request-headers": "content-type",
      };
      const preflight = (origin: string) =>
        fetch(platform.origin + path, { method: "OPTIONS", headers: { ...headers, origin } });
      const allowed = await preflight(APP);
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get("access-control-allow-origin")).toBe(APP);
      expect(allowed.headers.get("access-control-allow-methods")).toContain(method);
      const refused = await preflight(EVIL);
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("that is not allowed reads no answer", async () => {
    const { name: uid, token } = await loginIdentity("lina");
    const answer = await send(ticketPath(P), { uid, token }, EVIL);
    expect([...answer.headers.keys()].filter((k) => k.startsWith("access-control"))).toEqual([]);
  });
});

describe("The calls of the chat provider", () => {
  it("still answer every other path beside that by name, and none of them without a token", async () => {
    const conference = await send("/hyzh/console/conferences/room", {});
    expect(conference).toMatchObject({ status: 401, body: { error: -405 } });
    const other = await send("/hyzh/console/conferences/other", {});
    expect(other).toMatchObject({ status: 401, body: { error: "unauthorized" } });
  });
});

it("A role token dies with the login that it names", async () => {
  const { name: uid, token } = await loginIdentity("zhangwei");
  const { body } = await send(ticketPath(P), { uid, token, confrType: 10 });
  const { roleToken } = ticketResponseSchema.parse(body);
  const other = await loginIdentity("zhangwei");
  await platform.ask("POST", "/uaa/logout", { token });
  const disband = await send(CONFR_REST.disband(P), { roleToken });
  expect(disband.body).toMatchObject({ error: -405 });
  // The person's other login goes on, with a token of its own.
  const { confrId } = ticketResponseSchema.parse(body);
  const again = await send(ticketPath(P), { uid, token: other.token, confrId });
  const own = ticketResponseSchema.parse(again.body).roleToken;
  expect((await send(CONFR_REST.disband(P), { roleToken: own })).body).toEqual({ error: 0 });
});
