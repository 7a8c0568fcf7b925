/** Names after an @ in a group: offered, chosen by key and mouse, and announced to the named person. */
import { composer } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { createGroup, expectConnected, openGroup } from "../support/groups.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("Typing @ in a group offers names; keys and mouse choose one, and the named person's list says so", async ({
  people,
}) => {
  const [zhang, li] = await Promise.all(
    ["zhangwei", "lina"].map(async (name) => (await people.loggedIn(name)).pages[0]!),
  );
  await expectConnected([li!]);
  const groupId = await createGroup(zhang!, "提醒测试群", ["lina", "admin"]);
  await openGroup(zhang!, groupId);
  const input = composer(zhang!);
  await input.pressSequentially("请@");
  const list = zhang!.getByRole("listbox", { name: "选择提醒的人" });
  await expect(list.getByRole("option")).toHaveCount(3);
  await expect(list.getByRole("option").first()).toContainText("所有人");
  await expectAccessible(zhang!, "mentions");
  await shoot(zhang!, "mentions");
  // A busy browser draws late, and the person types on meanwhile.
  await zhang!.evaluate(() => {
    const draw = globalThis.requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (frame) => {
      setTimeout(() => draw(frame), 300);
      return 0;
    };
  });
  await input.pressSequentially("李");
  await expect(list.getByRole("option")).toHaveCount(1);
  await input.press("Enter");
  await expect(input).toHaveValue("请@李娜 ");
  await expect(list).toBeHidden();
  await input.pressSequentially("和@");
  await input.press("Escape");
  await expect(list).toBeHidden();
  await input.press("Backspace");
  await input.pressSequentially("@");
  await list.getByRole("option").filter({ hasText: "管理员" }).click();
  await expect(input).toHaveValue("请@李娜 和@管理员 ");
  await input.press("Enter");
  await expect(input).toHaveValue("");
  await expect(li!.locator(`.contact-row:has([data-group="${groupId}"])`)).toContainText(
    "[有人@我]",
  );
  await zhang!.evaluate(
    (id) => globalThis.consoleCore.commands.group.dissolve({ groupId: id }),
    groupId,
  );
});
