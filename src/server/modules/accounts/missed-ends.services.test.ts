/** A whole platform whose messages between the processes are lost for a moment (docs/server.md#end-of-access). */
import { Redis } from "ioredis";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { openCore } from "../fleet/fleet.harness.ts";

const { TEST_REDIS_URL: url = "" } = process.env;

let platform: TestPlatform;
let admin: Redis;
beforeAll(async () => {
  admin = new Redis(url);
  platform = await startTestPlatform({
    env: { REDIS_URL: url, PROCESS_URL: "http://127.0.0.1:1" },
  });
}, 120_000);
afterAll(async () => {
  await platform.close();
  admin.disconnect();
});

it("A login that ended unheard loses its socket when the processes hear each other again; others keep theirs", async () => {
  const coreOf = async (name: string) => {
    const { access_token: token } = await platform.login(name);
    const { body } = await platform.ask("GET", restCalls.fleetTicket.path, { token });
    const ticket = restCalls.fleetTicket.data.parse(body.data).url ?? "";
    return openCore(`${platform.origin}${ticket}`, { core: `core-${name}` });
  };
  const lina = await coreOf("lina");
  const zhangwei = await coreOf("zhangwei");
  // As another process would end it, without its message.
  await platform.db.execute(sql`UPDATE sessions SET revoked_at = now(), end_reason = 'signed-out'
    WHERE account_id = (SELECT id FROM accounts WHERE username = 'lina')`);
  expect(await lina.report({ n: 1 })).toMatchObject({ result: 0 });
  await admin.call("CLIENT", "KILL", "TYPE", "pubsub");
  expect(await lina.socket.closed()).toBe(4401);
  expect(await zhangwei.report({ n: 1 })).toMatchObject({ result: 0 });
  zhangwei.socket.close();
});
