/** Alerts over the chat gateway: messages of the platform, and what connected consoles get at once. */
import { expect, it } from "vitest";
import { alertExt, alertMessageSchema } from "../../../../shared/protocol/alert-message.ts";
import { alertCalls } from "../../../../shared/protocol/rest/alerts.ts";
import { restCalls } from "../../../../shared/protocol/rest/index.ts";
import { openTestDatabase } from "../../../base/database/database.harness.ts";
import { platformForTests } from "../../../asking.harness.ts";
import { startTestServer } from "../../chat/chat.harness.ts";
import { signInToChat } from "../../chat/sign-in.harness.ts";
import { createPlatformVoice } from "../../chat/platform-voice.ts";
import { MessageBodyCodec } from "../../chat/wire/wire.ts";

const { host } = platformForTests();

async function connected(name: string) {
  const { access_token: token } = await host.login(name);
  return { ...(await signInToChat(host.origin, token)), token };
}

it("A message of the platform waits for who is not connected, has a name, and is not answered", async () => {
  const { access_token: token } = await host.login("ops");
  const { rows } = await host.platform.database.pool.query<{ id: string }>(
    "SELECT id::text AS id FROM accounts WHERE username = 'lina'",
  );
  const made = await host.ask("POST", alertCalls.alertChannelCreate.path, {
    token,
    supplierId: "1",
    json: {
      name: "值班",
      type: "chat",
      target: rows[0]?.id ?? "",
      format: "json",
      leastLevel: "warning",
      language: "zh",
      on: true,
    },
  });
  const { id } = alertCalls.alertChannelCreate.data.parse(made.body.data);
  const tested = await host.ask("POST", `${alertCalls.alertChannelCreate.path}/${id}/test`, {
    token,
    supplierId: "1",
    json: {},
  });
  expect(tested.body.data).toEqual({ success: true, error: "" });

  const lina = await connected("lina");
  lina.client.sync({ queue: { name: lina.userName } });
  await lina.client.until("the message", () => lina.client.received.length > 0);
  expect(lina.client.received).toMatchObject([{ from: "_platform" }]);
  expect(lina.client.received[0]?.text).toContain("测试消息");
  const query = new URLSearchParams({
    userName: "_platform",
    source: "环信",
    systemName: "hyzh#console",
  });
  const named = await host.ask("GET", `${restCalls.chatUser.path}?${query.toString()}`, {
    token: lina.token,
  });
  expect(named.body.data).toMatchObject({ userName: "_platform", name: "系统告警" });
  expect((await lina.client.text("9", "_platform", "收到")).status).toMatchObject({
    errorCode: 1,
    reason: "nonroster",
  });
});

it("A connected console gets an alert while the database is away", async () => {
  const database = await openTestDatabase();
  const server = await startTestServer({ database });
  try {
    const alice = await server.client("alice");
    const voice = createPlatformVoice(server.gateway.acts, server.gateway.hub);
    await voice.say("alice", "一", "k");
    await voice.say("alice", "一", "k");
    await alice.until("the message", () => alice.received.length > 0);
    await database.close();
    const alert = {
      key: "2b1c7a52-7c1e-4bd0-9a55-1f0d8b5a9e01",
      rule: "database-away",
      ruleName: "",
      level: "critical",
      subject: { kind: "database", name: "PostgreSQL" },
      companyName: "",
    } as const;
    await voice.signal("alice", "alert", alertExt("began", alert, ["1", "2"]));
    await voice.signal("nobody", "alert", alertExt("began", alert, ["1"]));
    await alice.until("the alert", () => alice.received.length > 1);
    expect(alice.received).toMatchObject([
      { from: "_platform", text: "一" },
      { from: "@platform", action: "alert" },
    ]);
    const body = MessageBodyCodec.decode(alice.received[1]?.meta.payload ?? new Uint8Array());
    const pairs = (body.ext ?? []) as { readonly key: string; readonly stringValue?: string }[];
    const ext = Object.fromEntries(pairs.map(({ key, stringValue = "" }) => [key, stringValue]));
    expect(alertMessageSchema.parse(ext)).toMatchObject({
      event: "began",
      rule: "database-away",
      subjectName: "PostgreSQL",
      companies: ["1", "2"],
    });
  } finally {
    await server.close().catch(() => undefined);
  }
}, 60_000);
