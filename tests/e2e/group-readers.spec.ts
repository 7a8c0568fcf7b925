/** Who has read an own message in a group: the number below it, and the names after a click. */
import { bubbles, composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { createGroup, expectConnected, openGroup } from "../support/groups.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("Below an own message of a group stands how many have read it, and a click says who has and who has not", async ({
  people,
}) => {
  const [zhang, li, admin] = await Promise.all(
    ["zhangwei", "lina", "admin"].map(async (name) => (await people.loggedIn(name)).pages[0]!),
  );
  await expectConnected([li!, admin!]);
  const groupId = await createGroup(zhang!, "已读测试群", ["lina", "admin"]);
  await openGroup(zhang!, groupId);
  await expect(composer(zhang!)).toBeVisible();
  await sendText(zhang!, "请各位确认收到");
  const count = zhang!.locator(".message-readers");
  await expect(count).toHaveText("已读 0");
  await openGroup(li!, groupId);
  await expect.poll(() => bubbles(li!)).toEqual(["请各位确认收到"]);
  await expect(count).toHaveText("已读 1");

  await count.click();
  const dialog = zhang!.getByRole("dialog", { name: "已读情况" });
  await expect(dialog.locator(".group-inbox-text")).toHaveText(["李娜"]);
  await expectAccessible(zhang!, "group-readers");
  await shoot(zhang!, "group-readers");
  await dialog.getByText("未读（1）").click();
  await expect(dialog.locator(".group-inbox-text")).toHaveText(["管理员"]);
  await dialog.getByRole("button", { name: "关闭" }).last().click();

  await openGroup(admin!, groupId);
  await expect(count).toHaveText("全部已读");
  // A reload keeps the number, and others see none.
  await zhang!.reload();
  await expect(count).toHaveText("全部已读");
  await expect(li!.locator(".message-readers")).toHaveCount(0);
  await zhang!.evaluate(
    (id) => globalThis.consoleCore.commands.group.dissolve({ groupId: id }),
    groupId,
  );
});
