/** A company that the platform's administrator locks: its people are out of it within two seconds (docs/server.md#locked-companies). */
import { openChat } from "../support/calls.ts";
import { composer } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { logIn, PASSWORD } from "../support/people.ts";

const HUAAN = "华安物业服务有限公司";
const CHENGNAN = "城南消防工程有限公司";
const REASON = "长期未完成整改";

test("A company is locked with a reason and unlocked; its tabs are out in words, and other companies go on", async ({
  people,
}) => {
  people.expectComplaints(/40[013]|WebSocket/);
  const wang = await people.loggedIn("wangfang", { tabs: 2, path: "/im/people" });
  const here = await people.loggedIn("zhangwei", { path: "/im/people" });
  const there = await people.loggedIn("zhangwei", { tabs: 2, path: "/dashboard" });
  const [away] = there.pages;
  await away!.getByRole("button", { name: /^当前企业/ }).click();
  await away!.getByRole("menuitem", { name: CHENGNAN }).click();
  const loaded = away!.waitForEvent("load");
  await away!.getByRole("button", { name: "确定" }).click();
  await loaded;
  for (const tab of there.pages) {
    await expect(tab.getByRole("button", { name: new RegExp(CHENGNAN) })).toBeVisible();
  }
  const [goesOn] = here.pages;
  await openChat(goesOn!, "李娜");
  await composer(goesOn!).fill("写到一半");

  const admin = await people.loggedIn("admin", { path: "/monitor/companies" });
  const [desk] = admin.pages;
  const row = desk!.getByRole("row").filter({ hasText: CHENGNAN });
  await expect(row).toContainText("正常");
  await expect(
    desk!.getByRole("row").filter({ hasText: HUAAN }).getByRole("button", { name: /^锁定/ }),
  ).toHaveCount(0);
  // By the keyboard, with a reason.
  await tabTo(desk!, row.getByRole("button", { name: `锁定 ${CHENGNAN}` }));
  await desk!.keyboard.press("Enter");
  const dialog = desk!.getByRole("dialog", { name: `锁定“${CHENGNAN}”` });
  await expect(dialog.getByLabel("锁定原因")).toBeFocused();
  await dialog.getByRole("button", { name: "锁定" }).click();
  await expect(dialog.getByText("请填写锁定原因")).toBeVisible();
  await dialog.getByLabel("锁定原因").fill(REASON);
  await shoot(desk!, "company-lock");
  await expectAccessible(desk!, "lock of a company");
  await dialog.getByRole("button", { name: "锁定" }).click();

  for (const page of wang.pages) {
    await expect(page.getByText(/您所在的企业已被平台锁定，登录已结束/)).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
  }
  for (const tab of there.pages) {
    await expect(tab.getByRole("heading", { name: `企业“${CHENGNAN}”已被平台锁定` })).toBeVisible();
    await expect(tab.getByText(`锁定原因：${REASON}`)).toBeVisible();
    await expect(tab.getByRole("navigation")).toHaveCount(0);
  }
  await shoot(away!, "company-locked-outside");
  await expectAccessible(away!, "out of a locked company");
  // The other company of the same person goes on.
  await expect(composer(goesOn!)).toHaveValue("写到一半");
  await composer(goesOn!).press("Enter");
  await expect(goesOn!.getByText("已发送").first()).toBeVisible();
  await away!.getByRole("button", { name: `进入“${HUAAN}”` }).click();
  await expect(away!.getByRole("button", { name: new RegExp(HUAAN) })).toBeVisible();

  await expect(row).toContainText("已锁定");
  await expect(row).toContainText(REASON);
  await shoot(desk!, "companies");
  await expectAccessible(desk!, "companies");
  const [login] = wang.pages;
  await login!.getByLabel("用户名").fill("wangfang");
  await login!.getByLabel("密码").fill(PASSWORD);
  await login!.getByRole("button", { name: "登录" }).click();
  await expect(
    login!.getByText(`企业“${CHENGNAN}”已被平台锁定：${REASON}。如有疑问，请联系平台管理员`),
  ).toBeVisible();
  await login!.getByRole("button", { name: /English|切换语言/ }).click();
  await login!.getByLabel("Password").fill(PASSWORD);
  await login!.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(
    login!.getByText(`“${CHENGNAN}” was locked by the platform: ${REASON}`),
  ).toBeVisible();

  await row.getByRole("button", { name: `解锁 ${CHENGNAN}` }).click();
  await desk!.getByRole("button", { name: "确定" }).click();
  await expect(row).toContainText("正常");
  await login!.getByRole("button", { name: /^Language/ }).click();
  await logIn(login!, "wangfang");
  await expect(login!).toHaveURL(/\/(dashboard|im\/people)$/);
});
