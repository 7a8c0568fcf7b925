/**
 * What an owner does with the members of a group, by the keyboard alone, and what the others see of it in all of their tabs. The company's
 * departments in the contact book, which lead to people.
 */
import type { Locator, Page } from "@playwright/test";
import { bubbles, composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { createGroup, expectConnected, membersPanel, openGroup } from "../support/groups.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { timeLimit } from "../support/time-limits.ts";

/** Milliseconds within which everybody sees a step. */
const SOON = { timeout: timeLimit(1000), intervals: [20] };
const NAME = "交接班群";

const press = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
};

test("By keyboard the owner names an admin, removes and blocks a member, lets them in again and hands the group over, and all tabs of all see it", async ({
  people,
}) => {
  test.setTimeout(120_000);
  const [zhang, li, admin] = await Promise.all([
    people.loggedIn("zhangwei"),
    people.loggedIn("lina", { tabs: 2 }),
    people.loggedIn("admin", { tabs: 2 }),
  ]);
  const owner = zhang.pages[0]!;
  await expectConnected([...li.pages, ...admin.pages]);
  const groupId = await createGroup(owner, NAME, ["lina", "admin"]);
  for (const page of [owner, ...li.pages, ...admin.pages]) {
    await openGroup(page, groupId);
    await expect(page.getByRole("heading", { name: NAME })).toBeVisible();
  }
  const panel = membersPanel(owner);
  await press(owner, owner.getByRole("button", { name: "群成员" }));
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  /** The owner does this to the member, and confirms it. */
  const act = async (name: string, what: string, asks = true): Promise<void> => {
    const more = owner.getByRole("button", { name: `管理${name}` });
    const member = panel.getByRole("listitem").filter({ has: more });
    const manage = panel.getByRole("button", { name: `管理${name}` });
    if ((await manage.getAttribute("aria-expanded")) !== "true") await press(owner, manage);
    await press(owner, member.getByRole("button", { name: what, exact: true }));
    if (!asks) return;
    const question = owner.getByRole("dialog");
    await expect(question).toBeVisible();
    await press(owner, question.getByRole("button", { name: "确定" }));
    await expect(question).toBeHidden();
    const hasFocus = () => owner.evaluate(() => document.activeElement !== document.body);
    await expect.poll(hasFocus, "the focus is somewhere after the question").toBe(true);
  };

  // An admin rules from now on, in each tab.
  await act("李娜", "设为管理员", false);
  await press(li.pages[0]!, li.pages[0]!.getByRole("button", { name: "群成员" }));
  for (const button of ["群公告", "群设置", "群黑名单"]) {
    await expect(membersPanel(li.pages[0]!).getByRole("button", { name: button })).toBeVisible();
  }
  await act("李娜", "取消管理员", false);
  await expect(membersPanel(li.pages[0]!).getByRole("button", { name: "群公告" })).toHaveCount(0);
  await shoot(owner, "group-panel");
  await expectAccessible(owner, "group-panel");

  await act("管理员", "移出群聊");
  for (const page of admin.pages) {
    await expect.poll(() => page.getByText("您已不在此群聊中").count(), SOON).toBeGreaterThan(0);
    await expect(composer(page)).toHaveCount(0);
  }
  for (const page of li.pages) {
    await expect.poll(() => page.getByText("2 人", { exact: true }).count(), SOON).not.toBe(0);
  }
  await expect.poll(() => panel.getByRole("listitem").count(), SOON).toBe(2);

  // Removed people may be invited again.
  await press(owner, panel.getByRole("button", { name: "邀请成员" }));
  const invite = owner.getByRole("dialog", { name: `邀请加入${NAME}` });
  await tabTo(owner, invite.getByRole("textbox", { name: "搜索姓名" }));
  await owner.keyboard.type("管理员");
  const choice = invite.getByRole("checkbox", { name: "管理员" });
  await expect(choice).toHaveCount(1);
  await choice.focus();
  await owner.keyboard.press("Space");
  await press(owner, invite.getByRole("button", { name: "完成" }));
  await expect(invite).toBeHidden();
  for (const page of admin.pages) await expect.poll(() => composer(page).count(), SOON).toBe(1);
  await sendText(owner, "欢迎回来");
  for (const page of [...li.pages, ...admin.pages]) {
    await expect.poll(async () => (await bubbles(page)).at(-1), SOON).toBe("欢迎回来");
  }

  // Blocked people may not, until they are unblocked.
  await act("管理员", "移入黑名单");
  for (const page of admin.pages) await expect.poll(() => composer(page).count(), SOON).toBe(0);
  await press(owner, panel.getByRole("button", { name: "群黑名单" }));
  const blocked = owner.getByRole("dialog", { name: "群黑名单" });
  await expect(blocked.getByRole("listitem")).toHaveCount(1);
  await expectAccessible(owner, "group-blocked");
  await press(owner, blocked.getByRole("button", { name: "将管理员移出黑名单" }));
  await expect(blocked.getByText("群黑名单中没有人")).toBeVisible();
  await owner.keyboard.press("Escape");
  await expect(blocked).toBeHidden();

  await act("李娜", "转让群主");
  await expect(panel.getByRole("button", { name: "退出群聊" })).toBeVisible();
  await expect(membersPanel(li.pages[0]!).getByRole("button", { name: "解散群聊" })).toBeVisible();
  await press(li.pages[0]!, membersPanel(li.pages[0]!).getByRole("button", { name: "解散群聊" }));
  await press(li.pages[0]!, li.pages[0]!.getByRole("dialog").getByRole("button", { name: "确定" }));
  for (const page of [owner, ...li.pages]) {
    await expect.poll(() => composer(page).count(), SOON).toBe(0);
  }
});

test("The contact book unfolds departments by keyboard, on a wide window and on a phone, and leads to a colleague", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { path: "/im/people" });
  const page = zhang.pages[0]!;
  const book = page.getByRole("complementary", { name: "通讯录" });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto("/im/people");
    await press(page, page.getByRole("button", { name: /^通讯录/ }));
    await press(page, book.getByRole("button", { name: "部门", exact: true }));
    const departments = book.locator(".book-department");
    await expect.poll(() => departments.count()).toBeGreaterThan(1);
    const department = departments.filter({ hasText: "客户服务部" });
    await press(page, department.getByRole("button").first());
    const colleague = department.getByRole("listitem").first();
    await expect(colleague).toBeVisible();
    await shoot(page, `book-departments-${width}`);
    await expectAccessible(page, `book-departments-${width}`);
    const name = (await colleague.locator(".ellipsis").first().textContent()) ?? "";
    await press(page, colleague.getByRole("button"));
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await expect(composer(page)).toBeVisible();
  }
});
