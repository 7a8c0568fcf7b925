/** Rights that are taken away from a person who works with them (docs/session.md#changed-rights). */
import type { Page } from "@playwright/test";
import { OPTIONS_PERMISSION } from "../../src/shared/domain/conference-types.ts";
import { CONFERENCE_PAGE, createConference, slice } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// Another environment means another server: no other test meets the role of this one.
test.use({ serverEnv: { TEST_SERVER: "taken rights" } });

/** The administrator makes a role over the settings for 李娜, and gives and takes its parts by REST. */
async function roleOf(admin: Page, name: string) {
  const id = await admin.evaluate(async (called) => {
    const { rest } = globalThis.consoleCore.commands;
    const made = await rest.call({ call: "roles.create", body: { name: called } });
    const tree = await rest.call({ call: "menus.tree" });
    const system = tree.find(({ code }) => code === "system")!;
    const entry = system.childMenu.find(({ uri }) => uri === "/system/config")!;
    await rest.call({
      call: "menus.saveRoleMenus",
      query: { roleId: made.id },
      body: [{ menuId: system.id }, { menuId: entry.id }],
    });
    return made.id;
  }, name);
  const permissions = (...held: string[]) =>
    admin.evaluate(
      async ([roleId, wanted]) => {
        const { rest } = globalThis.consoleCore.commands;
        const { records } = await rest.call({ call: "roles.list" });
        const { version } = records.find((role) => role.id === roleId)!;
        await rest.call({
          call: "roles.update",
          body: { id: roleId, version, permissions: wanted },
        });
      },
      [id, held] as const,
    );
  const lina = (call: "roles.assign" | "roles.take") =>
    admin.evaluate(
      async ([roleId, what]) => {
        const { rest } = globalThis.consoleCore.commands;
        const assigned = what === "roles.assign" ? "false" : "true";
        const { records } = await rest.call({
          call: "roles.people",
          query: { roleId, assigned, keyword: "李娜" },
        });
        const accountIds = records.map(({ accountId }) => accountId);
        await rest.call({ call: what, body: { roleId, accountIds } });
      },
      [id, call] as const,
    );
  return { permissions, give: () => lina("roles.assign"), take: () => lina("roles.take") };
}

const LIST = "system:config:list";
const EDIT = "system:config:edit";

test("A page whose right is taken away says so in every tab, keeps what was typed for copying, and comes back with the right", async ({
  people,
}) => {
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  const role = await roleOf(admin, "参数员甲");
  await role.permissions(LIST, EDIT);
  await role.give();
  const lina = await people.loggedIn("lina", { path: "/system/config", tabs: 2 });
  const [page, second] = [lina.pages[0]!, lina.pages[1]!];
  // The clipboard of a browser without a window is not there for every page.
  await page.evaluate(() => {
    const writeText = async (text: string): Promise<void> => {
      document.body.dataset["copied"] = text;
    };
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  });
  const list = (of: Page) => of.getByRole("row").filter({ hasText: "值班电话" });
  const taken = (of: Page) =>
    of.getByRole("status").filter({ hasText: "您现在没有“参数配置”的权限" });
  for (const tab of [page, second]) await expect(list(tab)).toBeVisible();
  await page.bringToFront();
  await page.getByRole("button", { name: "新增" }).click();
  const form = page.getByRole("dialog", { name: "新增参数" });
  await form.getByLabel("参数名称").fill("消防值班");
  await form.getByLabel("参数键值").fill("119\n第二行");

  // The whole role: its menu entry is gone too.
  await role.take();
  for (const tab of [page, second]) {
    await expect(taken(tab)).toBeVisible();
    await expect(list(tab)).toHaveCount(0);
    await expect(tab).toHaveURL(/\/system\/config$/);
  }
  await expect(form).toHaveCount(0);
  const kept = page.getByRole("article", { name: "新增参数" });
  await expect(kept.getByText("消防值班")).toBeVisible();
  await expect(kept.getByRole("textbox")).toHaveCount(0);
  await expect(second.getByRole("article")).toHaveCount(0);
  await kept.getByRole("button", { name: "复制内容" }).click();
  await expect(page.getByText("已复制")).toBeVisible();
  await expect(page.locator("body")).toHaveAttribute(
    "data-copied",
    "参数名称：消防值班\n参数键值：119\n第二行",
  );
  await shoot(page, "taken-page");
  await expectAccessible(page, "page whose right was taken away");

  await role.give();
  for (const tab of [page, second]) {
    await expect(list(tab)).toBeVisible();
    await expect(taken(tab)).toHaveCount(0);
  }
  await page.getByRole("button", { name: "新增" }).click();
  await expect(form.getByText("已恢复上次未保存的内容")).toBeVisible();
  await expect(form.getByLabel("参数名称")).toHaveValue("消防值班");
  await role.take();
});

test("A list and an open form follow their permissions while the menu entry stays", async ({
  people,
}) => {
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  const role = await roleOf(admin, "参数员乙");
  await role.permissions(LIST, EDIT);
  await role.give();
  const lina = await people.loggedIn("lina", { path: "/system/config" });
  const page = lina.pages[0]!;
  const list = page.getByRole("row").filter({ hasText: "值班电话" });
  await page.getByRole("button", { name: "编辑 值班电话" }).click();
  const form = page.getByRole("dialog", { name: "修改参数" });
  await form.getByLabel("参数名称").fill("夜间值班电话");

  // Who may read but no longer write keeps the list, and sees what was typed.
  await role.permissions(LIST);
  await expect(form.getByText("您现在没有“修改参数”的权限")).toBeVisible();
  await expect(form.getByRole("article")).toContainText("夜间值班电话");
  await expect(form.getByLabel("参数名称")).toHaveCount(0);
  await expect(
    page.locator('[data-page="/system/config"]').getByText("值班电话").first(),
  ).toBeVisible();
  await shoot(page, "taken-form");
  await role.permissions(LIST, EDIT);
  await expect(form.getByLabel("参数名称")).toHaveValue("夜间值班电话");

  // Without any permission there is no list, although the entry is there.
  await role.permissions();
  await expect(page.getByText("您现在没有“参数配置”的权限")).toBeVisible();
  await expect(list).toHaveCount(0);
  await expect(page.getByRole("article")).toContainText("夜间值班电话");
  await role.permissions(LIST, EDIT);
  await expect(list).toBeVisible();
  await page.getByRole("button", { name: "编辑 值班电话" }).click();
  await expect(form.getByLabel("参数名称")).toHaveValue("夜间值班电话");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("row").filter({ hasText: "夜间值班电话" })).toBeVisible();
});

test("Who loses the right to choose the kind of a conference reads it in the form and gets the default kind, and the server refuses any other", async ({
  people,
}) => {
  const admin = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  const page = (await people.loggedIn("lina", { path: CONFERENCE_PAGE })).pages[0]!;
  const role = await roleOf(admin, "会议高级设置");
  await role.permissions(OPTIONS_PERMISSION);
  await role.give();
  const form = page.getByRole("form", { name: "创建会议" });
  const more = form.getByText("高级设置");
  const words = form.getByText("您已没有设置会议类型和人数上限的权限");
  await more.click();
  const limit = form.getByLabel("发言人数上限");
  await limit.fill("5");
  await limit.press("Tab");
  await expect(words).toHaveCount(0);

  await role.permissions();
  await expect(words).toBeVisible();
  await expect(more).toHaveCount(0);
  await shoot(page, "conference-options-taken");
  const confrId = await createConference(page, "默认的会议");
  const listed = await admin.evaluate(() =>
    globalThis.consoleCore.commands.rest.call({ call: "conferences.open" }),
  );
  expect(listed.conferences.find((one) => one.confrId === confrId)).toMatchObject({
    type: 10,
    limits: { maxTalkerCount: 100 },
  });
  await page.getByRole("button", { name: "离开会议" }).click();
  await page.getByRole("button", { name: "为所有人结束" }).click();
  await expect(form).toBeVisible();
  // A page that does not know of the loss yet asks for a live conference.
  const refused = await page.evaluate(() =>
    globalThis.consoleCore.commands.conference.create({ type: 12, name: "直播" }).then(
      () => "created",
      (error: Error) => error.message,
    ),
  );
  expect(refused).toBe("没有设置会议类型和人数上限的权限，请联系管理员");
  await expect.poll(async () => (await slice(page)).status).toBe("idle");
});
