/**
 * The core's chat with the provider's unmodified SDK on a cloud that the configuration names: one platform plays the cloud's socket and
 * REST for clients, a stand-in the REST for servers, and another platform is the one whose chat is there.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type CloudStandIn,
  startCloudStandIn,
} from "../../src/server/modules/chat/cloud/cloud.harness.ts";
import {
  createGroupCast,
  type GroupCast,
} from "../../src/server/modules/chat/groups/cast.harness.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import { systemClock } from "../../src/server/base/clock.ts";
import { consoleConfigSchema } from "../../src/shared/protocol/config.ts";
import { accountCall } from "../../src/shared/protocol/rest/auth.ts";
import { startGroupCore } from "./group-core.ts";

let provider: GroupCast;
let cloud: CloudStandIn;
let host: TestPlatform;
/** Hosts that anything in this process asked. */
const asked = new Set<string>();
const plainFetch = globalThis.fetch;
const plainSocket = globalThis.WebSocket;

beforeAll(async () => {
  cloud = await startCloudStandIn();
  provider = await createGroupCast(["zhangwei", "lina"]);
  const address = provider.platform.origin;
  // The globals that the cast made for the SDK would make the second database take this process for a browser.
  const shim = Object.getOwnPropertyDescriptor(globalThis, "window");
  Reflect.deleteProperty(globalThis, "window");
  host = await startTestPlatform({
    clock: systemClock,
    env: {
      EASEMOB_URL: `${address.replace("http", "ws")}/websocket`,
      EASEMOB_API_URL: cloud.url,
      EASEMOB_CLIENT_ID: CLIENT_ID,
      EASEMOB_CLIENT_SECRET: CLIENT_SECRET,
    },
  });
  if (shim !== undefined) Object.defineProperty(globalThis, "window", shim);
  cloud.userToken = async (userName) => {
    const query = new URLSearchParams({
      accountId: provider.accountId[userName] ?? "",
      source: "环信",
      systemName: "hyzh#console",
    });
    const { password } = (await provider.ask(userName, "GET", `/user/hx/accountId?${query}`)) as {
      password: string;
    };
    const response = await plainFetch(`${address}/hyzh/console/token`, {
      method: "POST",
      body: JSON.stringify({ grant_type: "password", username: userName, password }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  globalThis.fetch = (input, init) => {
    asked.add(new URL(input instanceof Request ? input.url : input).host);
    return plainFetch(input, init);
  };
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct(target, [url, ...rest]: [string]) {
      asked.add(new URL(url).host);
      return new target(url, ...rest);
    },
  });
}, 180_000);
afterAll(async () => {
  provider.closeAll();
  await host.close();
  await provider.platform.close();
  await cloud.close();
  // Last: the SDK reads the globals for each frame, also while its connections close.
  globalThis.fetch = plainFetch;
  globalThis.WebSocket = plainSocket;
});

it("The core logs in with the provider's token, and receives what a person there writes", async () => {
  const { access_token: token } = await host.login("lina");
  const account = (await host.ask("GET", accountCall.path, { token })).body.data as { id: string };
  const config = consoleConfigSchema.parse(
    await (await plainFetch(`${host.origin}/console-config.json`)).json(),
  );
  asked.clear();
  const core = startGroupCore({
    origin: host.origin,
    token,
    user: { accountId: account.id, username: "lina", name: "李娜", supplierId: "1" },
    // A cloud has both at one host; here two programs share its part.
    easemob: { ...config.easemob, apiUrl: provider.platform.origin },
  });
  await expect.poll(() => core.store.get("chat").connection, { timeout: 20_000 }).toBe("open");
  const wei = await provider.login("zhangwei");
  const sent = provider.sdk.message.create({
    type: "txt",
    chatType: "singleChat",
    to: "lina",
    msg: "水泵已检查",
  });
  await wei.conn["send"]?.(sent);
  await expect
    .poll(() =>
      Object.values(core.store.get("chat").conversations["zhangwei"]?.messages ?? {}).map(
        (message) => message.msg,
      ),
    )
    .toEqual(["水泵已检查"]);
  await core.stop();
  expect(cloud.wrong).toEqual([]);
  const own = [host.origin, provider.platform.origin, cloud.url].map((url) => new URL(url).host);
  expect([...asked].filter((one) => !own.includes(one))).toEqual([]);
  expect(asked.has(new URL(provider.platform.origin).host)).toBe(true);
});
