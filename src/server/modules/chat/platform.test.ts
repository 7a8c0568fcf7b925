/** Tests the console's steps into chat, with the real directory and the demo data: login, chat account, chat token, socket. */
import { expect, test } from "vitest";
import { contactsCall } from "../../../shared/protocol/rest/im.ts";
import { accountCall, logoutCall } from "../../../shared/protocol/rest/auth.ts";
import { platformForTests } from "../../asking.harness.ts";
import { openClient } from "./client.harness.ts";
import { signInToChat } from "./sign-in.harness.ts";

const { host: platform } = platformForTests();

async function signIn(username: string, resource = "web_1") {
  const { access_token: accessToken } = await platform.login(username);
  return { ...(await signInToChat(platform.origin, accessToken, resource)), accessToken };
}

test("Colleagues write to each other, people of another company cannot", async () => {
  const wei = await signIn("zhangwei");
  const na = await signIn("lina");
  const fang = await signIn("wangfang");
  expect((await wei.client.text("1", na.userName, "你好")).status?.errorCode).toBe(0);
  await na.client.until("text", () => na.client.received.length === 1);
  expect(na.client.received[0]).toMatchObject({ from: wei.userName, text: "你好" });
  expect((await na.client.text("2", fang.userName, "hi")).status).toMatchObject({
    errorCode: 1,
    reason: "nonroster",
  });
  const contacts = contactsCall.data.parse(
    (await platform.ask("GET", "/dc-im/api/friend/hx/page", { token: na.accessToken })).body.data,
  );
  expect(contacts.records.find((r) => r.userName === wei.userName)).toMatchObject({
    name: "张伟",
    online: true,
  });
  expect(contacts.records.map((r) => r.userName)).not.toContain(fang.userName);
});

test("A logout ends the chat of that login immediately and permanently", async () => {
  const wei = await signIn("zhangwei", "web_logout");
  const elsewhere = await signIn("zhangwei", "web_elsewhere");
  await platform.ask("POST", logoutCall.path, { token: wei.accessToken, json: {} });
  await wei.client.until("closed", () => wei.client.closed !== null);
  expect(wei.client.closed?.code).toBe(4401);
  const again = await openClient(new URL(platform.origin).host);
  expect((await again.login(wei.userName, "web_logout", wei.chatToken)).status?.errorCode).toBe(1);
  expect((await elsewhere.client.unread()).status?.errorCode).toBe(0);
});

test("An access token of the console is not a chat token, and vice versa", async () => {
  const wei = await signIn("zhangwei", "web_tokens");
  const other = await openClient(new URL(platform.origin).host);
  expect((await other.login(wei.userName, "web_x", wei.accessToken)).status?.errorCode).toBe(1);
  const refused = await platform.ask("GET", accountCall.path, { token: wei.chatToken });
  expect(refused.status).toBe(401);
});
