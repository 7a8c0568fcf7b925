/** Who loses access is out in all tabs, in words (docs/session.md#end-of-access); colleagues no longer see or reach the person. */
import { answerButton, dial, openChat, timer } from "../support/calls.ts";
import { composer } from "../support/chat.ts";
import { dismiss } from "../support/dismissal.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { goTo } from "../support/outage.ts";
import { logIn, PASSWORD } from "../support/people.ts";

const HUAAN = "华安物业服务有限公司";
const CHENGNAN = "城南消防工程有限公司";
/** What a page says whose requests are refused on purpose. */
const REFUSED = /40[013]|WebSocket/;

test("A dismissed employee is out in all tabs with words, the call ends with a reason, and colleagues no longer see the person", async ({
  people,
}) => {
  people.expectComplaints(REFUSED);
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const lina = await people.loggedIn("lina", { tabs: 3, path: "/im/people" });
  const wei = await people.loggedIn("zhangwei", { path: "/im/people" });
  const [weiPage] = wei.pages;
  await lina.pages[1]!.goto("/supplier/employees");
  const colleague = await people.loggedIn("ops", { path: "/im/people" });
  const row = colleague.pages[0]!.locator('[data-user="lina"]');
  await expect(row).toHaveAttribute("data-online", "true");
  await openChat(weiPage!, "李娜");
  await composer(weiPage!).fill("在吗");
  await composer(weiPage!).press("Enter");
  await dial(weiPage!, "李娜", "语音通话");
  await answerButton(lina.pages[0]!).click();
  await expect(timer(weiPage!).first()).toBeVisible();

  // The message stays for 5 s, which a slow machine needs for the pages below.
  await Promise.all([
    expect(weiPage!.getByText("通话已结束：其中一方已不在企业").first()).toBeVisible(),
    dismiss(admin.pages[0]!, "李娜"),
  ]);

  for (const page of lina.pages) {
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText(/您已不在企业中（已离职或账号已解绑）/)).toBeVisible();
    await expect(page.getByRole("navigation")).toHaveCount(0);
  }
  // Who has written with the person keeps what was written.
  await expect(weiPage!.locator('[data-user="lina"]')).toHaveAttribute("data-online", "false");
  await expect(row).toHaveCount(0);
  await shoot(lina.pages[0]!, "dismissed-login");
  await lina.pages[0]!.getByRole("button", { name: /English|切换语言/ }).click();
  await expect(lina.pages[0]!.getByText(/You are no longer in the company/)).toBeVisible();
  await lina.pages[0]!.getByRole("button", { name: "Language" }).click();

  // She comes back as the administrator decides: not as staff of before, but for operations.
  const [page] = admin.pages;
  await goTo(page!, "离职员工", "员工管理");
  await page!.getByRole("button", { name: "复职 李娜" }).click();
  const dialog = page!.getByRole("dialog", { name: "办理复职：李娜" });
  await expect(dialog.getByRole("switch", { name: "账号 lina 重新加入企业" })).toBeChecked();
  await dialog.locator('[data-field$="roleIds"]').getByRole("combobox").click();
  await page!.getByRole("option", { name: "运维人员", exact: true }).click();
  await page!.keyboard.press("Escape");
  await expectAccessible(page!, "the way back of an employee");
  await dialog.getByRole("button", { name: "复职" }).click();
  await expect(page!.getByText("已办理复职")).toBeVisible();
  await expect(page!.getByRole("button", { name: "复职 李娜" })).toHaveCount(0);
  await goTo(page!, "员工列表", "员工管理");
  await page!.getByRole("button", { name: "李娜", exact: true }).click();
  const detail = page!.getByRole("dialog", { name: "员工详情" });
  await detail.getByRole("tab", { name: "变更记录" }).click();
  const changes = detail.getByRole("list", { name: "变更记录" }).getByRole("listitem");
  await expect(changes.nth(0)).toContainText("复职");
  await expect(changes.nth(1)).toContainText("离职");
  await shoot(page!, "reinstate-history");

  await logIn(lina.pages[0]!, "lina");
  await goTo(lina.pages[0]!, "运行监控", "系统监控");
  await expect(lina.pages[0]!).toHaveURL(/\/monitor\/runtime/);
});

test("Who is dismissed by one of two companies chooses the other one, and a browser in the other company goes on", async ({
  people,
}) => {
  people.expectComplaints(REFUSED);
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const wei = await people.loggedIn("zhangwei", { tabs: 2, path: "/dashboard" });
  const there = await people.loggedIn("zhangwei", { path: "/dashboard" });
  const wang = await people.loggedIn("wangfang", { path: "/im/people" });
  const [page] = there.pages;
  await page!.getByRole("button", { name: /^当前企业/ }).click();
  await page!.getByRole("menuitem", { name: CHENGNAN }).click();
  // The switch loads the page again.
  const loaded = page!.waitForEvent("load");
  await page!.getByRole("button", { name: "确定" }).click();
  await loaded;
  await expect(page!.getByRole("button", { name: new RegExp(CHENGNAN) })).toBeVisible();
  await page!.goto("/im/people");
  await openChat(page!, "王芳");
  await composer(page!).fill("写到一半");

  // A busy server answers late whether the platform locked the company. In one tab it never does.
  await wei.pages[1]!.evaluate(() => {
    Object.assign(globalThis.consoleCore.commands.rest, { call: () => new Promise(() => {}) });
  });

  await dismiss(admin.pages[0]!, "张伟");

  for (const tab of wei.pages) {
    await expect(tab.getByRole("heading", { name: `您已不在企业“${HUAAN}”中` })).toBeVisible();
    await expect(tab.getByRole("navigation")).toHaveCount(0);
  }
  await shoot(wei.pages[0]!, "dismissed-outside");
  await expect(composer(page!)).toHaveValue("写到一半");
  await composer(page!).press("Enter");
  await openChat(wang.pages[0]!, "张伟");
  await expect(wang.pages[0]!.getByText("写到一半").first()).toBeVisible();

  await wei.pages[0]!.getByRole("button", { name: `进入“${CHENGNAN}”` }).click();
  for (const tab of wei.pages) {
    await expect(tab).toHaveURL(/\/dashboard$/);
    await expect(tab.getByRole("button", { name: new RegExp(CHENGNAN) })).toBeVisible();
  }
});

test("A device that is signed out from another one is out in words, and the other goes on", async ({
  people,
}) => {
  people.expectComplaints(REFUSED);
  const away = await people.loggedIn("wangfang", { tabs: 2, path: "/dashboard" });
  const here = await people.loggedIn("wangfang", { path: "/profile/index" });
  await here.pages[0]!.getByRole("button", { name: /^退出登录 / })
    .first()
    .click();
  await here.pages[0]!.getByRole("button", { name: "确定" }).click();
  for (const page of away.pages) {
    await expect(page.getByText(/您在此设备的登录已被结束/)).toBeVisible();
    await expect(page).toHaveURL(/\/login/);
  }
  await here.pages[0]!.reload();
  await expect(here.pages[0]!).toHaveURL(/\/profile\/index$/);
});

test("An account that the administrator disables is out in words and cannot log in until it is enabled again", async ({
  people,
}) => {
  people.expectComplaints(REFUSED);
  const ops = await people.loggedIn("ops", { tabs: 2, path: "/dashboard" });
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const [desk, away] = [admin.pages[0]!, ops.pages[0]!];
  await desk.getByRole("textbox", { name: "搜索姓名、工号、电话、部门" }).fill("运维值班");
  await desk.getByRole("button", { name: "运维值班", exact: true }).click();
  const details = desk.getByRole("dialog", { name: "员工详情" });
  await details.getByRole("button", { name: "停用账号" }).click();
  await desk.getByRole("button", { name: "确定" }).click();
  for (const page of ops.pages) {
    await expect(page.getByText(/您的账号已停用，登录已结束/)).toBeVisible();
  }
  await away.getByLabel("用户名").fill("ops");
  await away.getByLabel("密码").fill(PASSWORD);
  await away.getByRole("button", { name: "登录" }).click();
  await expect(away.getByText("用户名或密码错误")).toBeVisible();
  await details.getByRole("button", { name: "启用账号" }).click();
  await desk.getByRole("button", { name: "确定" }).click();
  await expect(details.getByRole("button", { name: "停用账号" })).toBeVisible();
  await shoot(desk, "employee-account");
  await logIn(away, "ops");
  await expect(away).toHaveURL(/\/dashboard$/);
});
