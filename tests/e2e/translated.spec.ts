/** A page that the browser translates goes on working: nothing throws, what changes is shown, and nothing typed is lost. */
import type { Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { composer, say } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";
import { translatePages } from "../support/translator.ts";

test.use({ serverEnv: { TEST_SERVER: "translated" } });

const expectTranslated = (page: Page) =>
  expect.poll(() => page.locator("#root font font").count()).toBeGreaterThan(10);

test("Messages are sent, read, answered and taken back in a translated page", async ({ people }) => {
  const zhang = await people.loggedIn("zhangwei");
  const a = zhang.pages[0]!;
  const b = (await people.loggedIn("lina")).pages[0]!;
  await translatePages(a.context());
  await a.reload();
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  await expectTranslated(a);
  await composer(a).fill("写到一半");
  await say(b, "翻译中的消息");
  const theirs = a.locator("li.message").filter({ hasText: "翻译中的消息" });
  await expect(theirs).toBeVisible();
  await expect(composer(a), "what was typed").toHaveValue("写到一半");
  for (const text of ["第一条", "第二条", "第三条"]) {
    await say(a, text);
    const own = a.locator("li.message").filter({ hasText: text });
    await expect(own, "the state follows").toContainText("已读");
    await expect(own.getByText(text, { exact: true })).toHaveCount(1);
  }
  await theirs.hover();
  await theirs.getByRole("button", { name: "消息操作" }).click();
  await a.getByRole("menuitem", { name: "回复" }).click();
  await say(a, "收到");
  const last = a.locator("li.message").filter({ hasText: "收到" }).last();
  await last.hover();
  await last.getByRole("button", { name: "消息操作" }).click();
  await a.getByRole("menuitem", { name: "撤回" }).click();
  await expect(a.getByText("你撤回了一条消息")).toBeVisible();
  await expect(a.getByText("收到", { exact: true })).toHaveCount(0);
  await shoot(a, "chat-translated");
});

test("Every page of the menus works in a translated page", async ({ people }) => {
  test.setTimeout(600_000);
  const page = (await people.loggedIn("admin", { path: "/dashboard" })).pages[0]!;
  await translatePages(page.context());
  await page.reload();
  await expect(page.getByRole("navigation", { name: "主菜单" }).getByText("系统监控")).toBeVisible();
  const uris = await page.evaluate(() =>
    globalThis.consoleCore.state.session.menus.flatMap((entry) =>
      entry.childMenu.length === 0 ? [entry.uri] : entry.childMenu.map(({ uri }) => uri),
    ),
  );
  for (const uri of uris) {
    await page.goto(uri);
    const area = page.locator(`[data-page="${uri}"]`);
    await expect(area.getByRole("heading").or(area.getByRole("button")).first()).toBeVisible();
    await expectTranslated(page);
    // with the page's own filters and the form for a new row, where it has them
    const total = area.getByTestId("list-total");
    if ((await total.count()) > 0) {
      await expect(total).toHaveText(/\d/);
      const search = area.getByRole("textbox").first();
      if ((await search.count()) > 0) {
        const before = await total.textContent();
        await search.fill("没有这样的内容");
        await expect(total, "a changed number shows").toHaveText(/0/);
        await search.fill("");
        await expect(total).toHaveText(before ?? "");
      }
    }
    const create = area.getByRole("button", { name: "新增", exact: true });
    if ((await create.count()) > 0) {
      await create.first().click();
      const form = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "保存" }) });
      await form.getByRole("button", { name: "保存" }).click();
      await expect(form.locator("[data-wrong=true]").first(), "what is missing").toBeVisible();
      await page.keyboard.press("Escape");
      await expect(form).toHaveCount(0);
    }
    await expect(area.getByText("页面出现错误"), uri).toHaveCount(0);
  }
  // tags, menus and the language of the frame
  await page.getByRole("button", { name: "切换语言" }).click();
  await expect(page.getByRole("navigation").getByText("Monitoring").first()).toBeVisible();
  await page.getByRole("button", { name: /language/i }).click();
  await expect(page.getByRole("navigation", { name: "主菜单" }).getByText("系统监控")).toBeVisible();
});
