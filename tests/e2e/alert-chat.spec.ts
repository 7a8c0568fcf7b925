/** Alerts come by chat too: as a conversation in the platform's name, which people read and cannot answer. */
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { callerOf } from "../support/rest-caller.ts";
import { consoleStarted } from "../support/started.ts";

test("A message about alerts stands among the conversations in the platform's name, and cannot be answered", async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "ops");
  const { data } = await ask("GET", "/uaa/api/account");
  const made = await ask("POST", "/monitor/alertChannel", {
    name: "值班",
    type: "chat",
    target: (data as { id: string }).id,
    format: "json",
    leastLevel: "warning",
    language: "zh",
    on: true,
  });
  const { id } = made.data as { id: string };
  const tested = await ask("POST", `/monitor/alertChannel/${id}/test`, {});
  expect(tested.data).toEqual({ success: true, error: "" });
  const ops = await people.loggedIn("ops", { path: "/im/people" });
  const page = ops.pages[0]!;
  await page.goto("/im/people?chat=_platform");
  await consoleStarted(page);
  const conversation = page.getByRole("region", { name: "系统告警" });
  await expect(conversation.getByText("这是一条测试消息")).toBeVisible();
  await expect(conversation.getByText("不能回复")).toBeVisible();
  await expect(conversation.getByRole("textbox")).toHaveCount(0);
  await expect(conversation.getByRole("button", { name: /语音|视频/ })).toHaveCount(0);
  await expectAccessible(page, "alerts by chat");
  await shoot(page, "alert-chat");
});
