import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestHost } from "../../host.harness.ts";
import { readAgoraToken } from "./agora-token.harness.ts";
import { agoraUidOf, AGORA_TOKEN_TTL } from "./agora-tokens.ts";
import { startHost } from "./call.harness.ts";
import { TICKET_BURST } from "./rest.ts";

const APP_ID = "970ca35de60c44645bbae8a215061b33";
const CERTIFICATE = "5cfd2fd1755d40ecb72977518be15d3b";

const get = async (host: TestHost, user: string | null, query: Record<string, string>) => {
  const all = new URLSearchParams({ appkey: "hyzh#console", ...query });
  const response = await fetch(`${host.origin}/token/rtcToken/v1?${all}`, {
    headers: user === null ? {} : { authorization: `Bearer token-${user}` },
  });
  const body = (await response.json()) as {
    code: string;
    accessToken: string;
    agoraUserId: number;
    expireTime: number;
  };
  return { status: response.status, body };
};
const ask = (host: TestHost, user: string, channelName: string) =>
  get(host, user, { userAccount: user, channelName });

describe("The token service of the Agora engine", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({ AGORA_APP_ID: APP_ID, AGORA_APP_CERTIFICATE: CERTIFICATE });
  });
  afterAll(() => host.close());

  it("signs a token for the app, the channel and the account, with all privileges until its end", async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await ask(host, "lina", "call 1");
    expect(status).toBe(200);
    const { code, accessToken, agoraUserId, expireTime } = body;
    expect(code).toBe("RES_0K");
    expect(agoraUserId).toBe(agoraUidOf("lina"));
    expect(expireTime).toBe(host.clock.now() + AGORA_TOKEN_TTL * 1000);
    const read = readAgoraToken(accessToken, CERTIFICATE);
    expect(read).toMatchObject({
      appId: APP_ID,
      lifetime: AGORA_TOKEN_TTL,
      services: 1,
      service: 1,
      channel: "call 1",
      uid: String(agoraUserId),
      // To join, and to publish sound, picture and data.
      privileges: {
        1: AGORA_TOKEN_TTL,
        2: AGORA_TOKEN_TTL,
        3: AGORA_TOKEN_TTL,
        4: AGORA_TOKEN_TTL,
      },
      valid: true,
    });
    expect(read.issuedAt).toBeGreaterThanOrEqual(before);
    expect(read.issuedAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  });

  it("gives each account of a channel its own number, and the same one again", async () => {
    const first = await ask(host, "lina", "call-2");
    const second = await ask(host, "zhangwei", "call-2");
    const again = await ask(host, "lina", "call-2");
    expect(second.body.agoraUserId).not.toBe(first.body.agoraUserId);
    expect(again.body.agoraUserId).toBe(first.body.agoraUserId);
  });

  it("refuses who may not talk with the founder of the channel", async () => {
    expect((await ask(host, "zhangwei", "call-3")).status).toBe(200);
    expect((await ask(host, "lina", "call-3")).status).toBe(200);
    const refused = await ask(host, "wangfang", "call-3");
    expect([refused.status, refused.body.code]).toEqual([403, "RES_403"]);
  });

  it("lets one of two that ask at the same time found the channel", async () => {
    const answers = await Promise.all([
      ask(host, "zhangwei", "call-4"),
      ask(host, "wangfang", "call-4"),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  it("refuses without a login, another's account, and what is no channel name", async () => {
    const lina = { userAccount: "lina", channelName: "c1" };
    expect((await get(host, null, lina)).status).toBe(401);
    expect((await get(host, "nobody", lina)).status).toBe(401);
    expect((await get(host, "zhangwei", lina)).status).toBe(400);
    for (const channelName of ["", "a".repeat(64), "通话", "a\u0000", "a/b", '"']) {
      expect((await get(host, "lina", { ...lina, channelName })).status).toBe(400);
    }
    expect((await get(host, "lina", { userAccount: "lina" })).status).toBe(400);
  });

  it("limits how often an account may ask", async () => {
    const answers = await Promise.all(
      Array.from({ length: TICKET_BURST + 1 }, () => ask(host, "chenjie", "call-5")),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

describe("A server without an Agora certificate", () => {
  it.each([
    [{}, "未配置声网 (AGORA_APP_ID)，不能签发视频令牌"],
    [{ AGORA_APP_ID: APP_ID }, "未配置声网证书 (AGORA_APP_CERTIFICATE)，请把网关地址指向令牌服务"],
  ])("says what is missing: %o", async (env, msg) => {
    const host = await startHost(env);
    expect(await ask(host, "lina", "c1")).toEqual({
      status: 404,
      body: { code: "RES_NOT_CONFIGURED", msg },
    });
    await host.close();
  });
});
