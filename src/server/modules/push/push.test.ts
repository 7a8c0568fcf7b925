import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountInfoSchema, chatUserSchema } from "../../../shared/protocol/rest/entities.ts";
import { QUIET_CALLS } from "../../../shared/protocol/quiet-calls.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import type { CallAction } from "../../../shared/protocol/call-message.ts";
import { covers } from "../../covers.harness.ts";
import { startTestPlatform, type Answer, type TestPlatform } from "../../platform.harness.ts";
import { whoMay } from "../../who-may.harness.ts";
import { openClient, type TestClient } from "../chat/client.harness.ts";
import { BODY, CONTENT, KEY_VALUE_STRING, MessageBodyCodec } from "../chat/wire/wire.ts";
import { MAX_SUBSCRIPTIONS } from "./store.ts";
import { mayPushTo } from "./hosts.ts";
import { startPushService, type TestPushService, vapidOf } from "./push-service.harness.ts";

export const MAY = whoMay({
  "push.key": "++++",
  "push.subscribe": "++++",
  "push.unsubscribe": "++++",
});

interface Login {
  readonly token: string;
  readonly userName: string;
  readonly password: string;
}

describe("Web Push", () => {
  let service: TestPushService;
  let platform: TestPlatform;
  const clients: TestClient[] = [];
  let serial = 0;

  beforeAll(async () => {
    service = await startPushService();
    platform = await startTestPlatform({
      env: { PUSH_ORIGINS: service.origin, PUSH_CONTACT: "mailto:ops@city.example" },
    });
  }, 120_000);
  afterAll(async () => {
    await platform.close();
    await service.close();
  });
  beforeEach(async () => {
    service.status = 201;
    for (const { socket } of clients.splice(0)) socket.terminate();
    // Calls of an earlier test count for nothing any more.
    platform.clock.advance(31_000);
    await rows("DELETE FROM push_subscriptions RETURNING id");
  });

  const rows = async (statement: string): Promise<Record<string, unknown>[]> =>
    (await platform.platform.database.pool.query<Record<string, unknown>>(statement)).rows;

  async function login(name: string): Promise<Login> {
    const { access_token: token } = await platform.login(name);
    const info = await platform.ask("GET", restCalls.account.path, { token });
    const { id } = accountInfoSchema.parse(info.body.data);
    const user = await platform.ask(
      "GET",
      `/dc-im/api/user/hx/accountId?accountId=${id}&source=x&systemName=hyzh%23console`,
      { token },
    );
    const { userName, password } = chatUserSchema.parse(user.body.data);
    return { token, userName, password: password ?? "" };
  }
  async function connect({ userName, password }: Login): Promise<TestClient> {
    const response = await fetch(`${platform.origin}/hyzh/console/token`, {
      method: "POST",
      body: JSON.stringify({ grant_type: "password", username: userName, password }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const client = await openClient(new URL(platform.origin).host);
    clients.push(client);
    const answer = await client.login(userName, `web_${(serial += 1)}`, token);
    expect(answer.status?.errorCode).toBe(0);
    return client;
  }
  const post = (path: string, json: unknown, token?: string): Promise<Answer> =>
    platform.ask("POST", path, { json, ...(token === undefined ? {} : { token }) });

  async function subscribe({ token }: Login, language: "zh" | "en" = "zh") {
    const browser = service.browser();
    const answer = await post(restCalls.pushSubscribe.path, { ...browser, language }, token);
    expect(answer.status).toBe(200);
    return browser.endpoint;
  }
  /** A message of a call, as the console sends it. */
  async function sendCallMessage(
    client: TestClient,
    from: Login,
    to: Login,
    action: CallAction,
    callId: string,
    more: Record<string, string> = {},
  ): Promise<void> {
    const ext: Record<string, string> = {
      callId,
      channel: "conference",
      type: "1",
      ts: String(platform.clock.now()),
      fromUser: from.userName,
      toUser: to.userName,
      fromUserDevId: "desk",
      toUserDevId: "",
      media: "voice",
      ...more,
    };
    const answer = await client.upload(
      String((serial += 1)),
      to.userName,
      {
        type: BODY.chat,
        contents: [{ type: CONTENT.command, action }],
        ext: Object.entries(ext).map(([key, stringValue]) => ({
          key,
          type: KEY_VALUE_STRING,
          stringValue,
        })),
      },
      { routetype: 1 },
    );
    expect(answer.status?.errorCode ?? 0).toBe(0);
  }

  it(
    covers([restCalls.pushKey, restCalls.pushSubscribe, restCalls.pushUnsubscribe], "success"),
    async () => {
      const na = await login("lina");
      const key = await platform.ask("GET", restCalls.pushKey.path, { token: na.token });
      const { publicKey } = restCalls.pushKey.data.parse(key.body.data);
      expect(Buffer.from(publicKey, "base64url")).toHaveLength(65);
      const endpoint = await subscribe(na);
      expect(await rows("SELECT endpoint, succeeded_at FROM push_subscriptions")).toEqual([
        { endpoint, succeeded_at: null },
      ]);
      expect((await post(restCalls.pushUnsubscribe.path, { endpoint }, na.token)).status).toBe(200);
      expect(await rows("SELECT 1 FROM push_subscriptions")).toEqual([]);
    },
  );

  it(
    covers([restCalls.pushSubscribe, restCalls.pushUnsubscribe, restCalls.pushRefuse], "invalid"),
    async () => {
      const na = await login("lina");
      const { keys } = service.browser();
      const fieldsOf = async (json: unknown, path: string = restCalls.pushSubscribe.path) => {
        const { status, body } = await post(path, json, na.token);
        expect(status).toBe(400);
        return Object.keys((body.details?.["fields"] ?? {}) as object);
      };
      const good = { endpoint: service.browser().endpoint, keys, language: "zh" };
      const refused = [
        "http://127.0.0.1:1/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://fcm.googleapis.com:8443/x",
        "https://user@fcm.googleapis.com/x",
        "https://169.254.169.254/latest",
        "file:///etc/passwd",
      ];
      for (const endpoint of refused) {
        expect([endpoint, await fieldsOf({ ...good, endpoint })]).toEqual([endpoint, ["endpoint"]]);
      }
      const notOnCurve = Buffer.alloc(65, 7).toString("base64url");
      expect(await fieldsOf({ ...good, keys: { ...keys, p256dh: notOnCurve } })).toEqual([
        "keys.p256dh",
      ]);
      expect(await fieldsOf({ ...good, keys: { ...keys, auth: "short" } })).toEqual(["keys.auth"]);
      expect(await fieldsOf({ endpoint: "no address" }, restCalls.pushUnsubscribe.path)).toEqual([
        "endpoint",
      ]);
      expect(await fieldsOf({ token: "short" }, restCalls.pushRefuse.path)).toEqual(["token"]);
      expect(await rows("SELECT 1 FROM push_subscriptions")).toEqual([]);
    },
  );

  it(
    covers([restCalls.pushKey, restCalls.pushSubscribe, restCalls.pushUnsubscribe], "refused"),
    async () => {
      expect((await platform.ask("GET", restCalls.pushKey.path)).status).toBe(401);
      const body = { ...service.browser(), language: "zh" };
      expect((await post(restCalls.pushSubscribe.path, body)).status).toBe(401);
      expect((await post(restCalls.pushUnsubscribe.path, body)).status).toBe(401);
    },
  );

  it(covers(restCalls.pushUnsubscribe, "foreign"), async () => {
    const endpoint = await subscribe(await login("lina"));
    const wei = await login("zhangwei");
    expect((await post(restCalls.pushUnsubscribe.path, { endpoint }, wei.token)).status).toBe(200);
    expect(await rows("SELECT endpoint FROM push_subscriptions")).toEqual([{ endpoint }]);
  });

  it("accepts the push services of the usual browsers", () => {
    const services = [
      "https://fcm.googleapis.com/fcm/send/abc",
      "https://updates.push.services.mozilla.com/wpush/v2/abc",
      "https://wns2-par02p.notify.windows.com/w/?token=abc",
      "https://web.push.apple.com/abc",
    ];
    expect(services.filter((endpoint) => mayPushTo(endpoint, []))).toEqual(services);
  });

  it("makes one pair of keys, and keeps one subscription per login and 20 per account", async () => {
    const na = await login("lina");
    await subscribe(na);
    const second = await subscribe(na);
    expect(await rows("SELECT endpoint FROM push_subscriptions")).toEqual([{ endpoint: second }]);
    const endpoints = [second];
    for (let n = 0; n < MAX_SUBSCRIPTIONS; n += 1) {
      platform.clock.advance(1000);
      endpoints.push(await subscribe(await login("lina")));
    }
    const kept = await rows("SELECT endpoint FROM push_subscriptions ORDER BY created_at");
    expect(kept.map(({ endpoint }) => endpoint)).toEqual(endpoints.slice(-20));
    expect(await rows("SELECT id FROM push_keys")).toEqual([{ id: 1 }]);
  }, 60_000);

  it("rings a browser without a tab once per call, encrypted and signed, and takes the ring back when another device answers", async () => {
    const [wei, na] = [await login("zhangwei"), await login("lina")];
    const endpoint = await subscribe(na, "en");
    const caller = await connect(wei);
    for (let n = 0; n < 3; n += 1) await sendCallMessage(caller, wei, na, "sendRing", "call-1");
    const [ring] = await service.until(1, endpoint);
    expect(ring?.payload).toMatchObject({
      kind: "ring",
      callId: "call-1",
      from: wei.userName,
      name: "张伟",
      media: "voice",
      language: "en",
    });
    expect(ring?.headers).toMatchObject({
      ttl: "30",
      urgency: "high",
      "content-encoding": "aes128gcm",
    });
    expect(ring?.body.includes("call-1")).toBe(false);
    const { claims, key, valid } = vapidOf(ring?.headers ?? {});
    const answer = await platform.ask("GET", restCalls.pushKey.path, { token: na.token });
    expect([valid, key]).toEqual([true, restCalls.pushKey.data.parse(answer.body.data).publicKey]);
    expect(claims).toMatchObject({ aud: service.origin, sub: "mailto:ops@city.example" });

    await sendCallMessage(caller, wei, na, "confirmAnswer", "call-1", { result: "accept" });
    await sendCallMessage(caller, wei, na, "cancelCall", "call-1");
    const [, end, ...more] = await service.until(2, endpoint);
    expect(end?.payload).toMatchObject({ kind: "end", callId: "call-1", how: "answered" });
    // The two pushes of a call replace each other at the push service.
    expect(end?.headers["topic"]).toBe(ring?.headers["topic"]);
    // The next call shows that nothing more came of this one.
    await sendCallMessage(caller, wei, na, "sendRing", "call-2");
    expect((await service.until(3, endpoint))[2]?.payload).toMatchObject({ callId: "call-2" });
    expect(more).toEqual([]);
    expect(await rows("SELECT succeeded_at IS NULL AS never FROM push_subscriptions")).toEqual([
      { never: false },
    ]);
  });

  it("says that a call was missed, after a cancel and after 30 s", async () => {
    const [wei, na] = [await login("zhangwei"), await login("lina")];
    const endpoint = await subscribe(na);
    const caller = await connect(wei);
    await sendCallMessage(caller, wei, na, "sendRing", "cancelled", { media: "video" });
    await service.until(1, endpoint);
    await sendCallMessage(caller, wei, na, "cancelCall", "cancelled");
    const [, cancelled] = await service.until(2, endpoint);
    expect(cancelled?.payload).toMatchObject({ kind: "end", how: "missed", media: "video" });
    expect(cancelled?.headers["ttl"]).toBe("86400");
    await sendCallMessage(caller, wei, na, "sendRing", "forgotten");
    await service.until(3, endpoint);
    platform.clock.advance(29_999);
    platform.clock.advance(1);
    const [, , , forgotten] = await service.until(4, endpoint);
    expect(forgotten?.payload).toMatchObject({ kind: "end", callId: "forgotten", how: "missed" });
  });

  it("leaves out a browser whose login is connected or has ended, and rings the others of the person", async () => {
    const wei = await login("zhangwei");
    const [desk, closed, left] = [await login("lina"), await login("lina"), await login("lina")];
    const endpoints = [await subscribe(desk), await subscribe(closed), await subscribe(left)];
    await platform.ask("POST", restCalls.logout.path, { token: left.token, json: {} });
    await connect(desk);
    const caller = await connect(wei);
    await sendCallMessage(caller, wei, desk, "sendRing", "one-of-three");
    await service.until(1, endpoints[1]);
    await sendCallMessage(caller, wei, desk, "cancelCall", "one-of-three");
    await service.until(2, endpoints[1]);
    const paths = service.received.map(({ path }) => `${service.origin}${path}`);
    expect(endpoints.map((one) => paths.filter((path) => path === one).length)).toEqual([0, 2, 0]);
  });

  it("rings a browser in its tab that opens while the call rings, though the caller repeats no more", async () => {
    const wei = await login("zhangwei");
    const [desk, phone] = [await login("lina"), await login("lina")];
    const endpoint = await subscribe(phone);
    await connect(desk);
    const caller = await connect(wei);
    await sendCallMessage(caller, wei, desk, "sendRing", "late");
    await service.until(1, endpoint);
    const opened = await connect(phone);
    await opened.until("the ring", () => opened.received.length > 0);
    expect(opened.received[0]).toMatchObject({ from: wei.userName, action: "sendRing" });
  });

  it("rings no browser of a person who does not want to be disturbed, and says so to the caller while no device is connected", async () => {
    const [wei, na] = [await login("zhangwei"), await login("lina")];
    const endpoint = await subscribe(na);
    const choose = (value: string | null) =>
      platform.ask("PUT", restCalls.preferenceSet.path, {
        token: na.token,
        json: { key: QUIET_CALLS, value },
      });
    await choose(JSON.stringify({ on: true, note: "三点后回电" }));
    const caller = await connect(wei);
    await sendCallMessage(caller, wei, na, "sendRing", "quiet");
    await caller.until("the reply", () => caller.received.length > 0);
    const [reply] = caller.received;
    expect(reply).toMatchObject({ from: na.userName, action: "confirmRing" });
    const body = MessageBodyCodec.decode(reply?.meta.payload ?? new Uint8Array());
    const ext = Object.fromEntries(
      (body.ext as { key: string; stringValue: string }[]).map((p) => [p.key, p.stringValue]),
    );
    expect(ext).toMatchObject({
      callId: "quiet",
      status: "false",
      quiet: "true",
      note: "三点后回电",
    });
    await choose(null);
    // The next call shows that the first was not pushed.
    await sendCallMessage(caller, wei, na, "sendRing", "loud");
    expect((await service.until(1, endpoint))[0]?.payload).toMatchObject({ callId: "loud" });
  });

  it(covers(restCalls.pushRefuse, "success"), async () => {
    const [wei, na] = [await login("zhangwei"), await login("lina")];
    const second = await login("lina");
    const [endpoint, other] = [await subscribe(na), await subscribe(second)];
    const caller = await connect(wei);
    await sendCallMessage(caller, wei, na, "sendRing", "refused");
    const [ring] = await service.until(1, endpoint);
    await service.until(1, other);
    const token = ring?.payload.kind === "ring" ? ring.payload.token : "";
    const wrong = await post(restCalls.pushRefuse.path, { token: "x".repeat(43) });
    expect(wrong.status).toBe(200);
    for (let n = 0; n < 2; n += 1) {
      expect((await post(restCalls.pushRefuse.path, { token })).status).toBe(200);
    }
    const [, end] = await service.until(2, other);
    expect(end?.payload).toMatchObject({ kind: "end", how: "refused" });
    await caller.until("the refusal", () => caller.received.length > 0);
    const [refusal, ...more] = caller.received;
    expect(refusal).toMatchObject({ from: na.userName, action: "sendAnswer" });
    const body = MessageBodyCodec.decode(refusal?.meta.payload ?? new Uint8Array());
    const ext = Object.fromEntries(
      (body.ext as { key: string; stringValue: string }[]).map((p) => [p.key, p.stringValue]),
    );
    expect(ext).toMatchObject({
      callId: "refused",
      channel: "conference",
      result: "refuse",
      fromUser: na.userName,
      toUser: wei.userName,
      toUserDevId: "desk",
    });
    expect(more).toEqual([]);
    // The browser that refused has put its notification away itself.
    expect(service.received.filter(({ path }) => endpoint.endsWith(path))).toHaveLength(1);
  });

  it("rings and refuses a group call alike", async () => {
    const [wei, na] = [await login("zhangwei"), await login("lina")];
    const endpoint = await subscribe(na);
    const caller = await connect(wei);
    await sendCallMessage(caller, wei, na, "sendRing", "of-a-group", {
      type: "2",
      channel: "123456789",
    });
    const [ring] = await service.until(1, endpoint);
    expect(ring?.payload).toMatchObject({ kind: "ring", callId: "of-a-group", name: "张伟" });
    const token = ring?.payload.kind === "ring" ? ring.payload.token : "";
    await post(restCalls.pushRefuse.path, { token });
    await caller.until("the refusal", () => caller.received.length > 0);
    const body = MessageBodyCodec.decode(caller.received[0]?.meta.payload ?? new Uint8Array());
    const ext = Object.fromEntries(
      (body.ext as { key: string; stringValue: string }[]).map((p) => [p.key, p.stringValue]),
    );
    expect(ext).toMatchObject({ callId: "of-a-group", channel: "123456789", type: "2" });
    expect(ext["result"]).toBe("refuse");
  });

  it("removes a subscription that its push service no longer knows", async () => {
    const [wei, na] = [await login("zhangwei"), await login("lina")];
    const caller = await connect(wei);
    for (const status of [404, 410]) {
      const endpoint = await subscribe(na);
      service.status = status;
      await sendCallMessage(caller, wei, na, "sendRing", `gone-${status}`);
      await service.until(1, endpoint);
      await expect.poll(() => rows("SELECT 1 FROM push_subscriptions")).toEqual([]);
    }
  });

  it("rings no stranger, and no more than three calls of one person within the time of a ring", async () => {
    const [wei, na, fang] = [await login("zhangwei"), await login("lina"), await login("wangfang")];
    const endpoint = await subscribe(na);
    const stranger = await connect(fang);
    await expect(sendCallMessage(stranger, fang, na, "sendRing", "stranger")).rejects.toThrow(
      "expected 1",
    );
    const caller = await connect(wei);
    for (const n of [1, 2, 3, 4, 5])
      await sendCallMessage(caller, wei, na, "sendRing", `many-${n}`);
    await service.until(3, endpoint);
    platform.clock.advance(30_000);
    const all = await service.until(6, endpoint);
    const rings = all.filter(({ payload }) => payload.kind === "ring");
    expect(rings.map(({ payload }) => payload.callId).sort()).toEqual([
      "many-1",
      "many-2",
      "many-3",
    ]);
  });
});
