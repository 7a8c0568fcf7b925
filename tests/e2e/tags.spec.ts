/** Visited pages as tags, and pages that keep what is in them (docs/session.md#frame). */
import type { Page } from "@playwright/test";
import { callStatus, openChat } from "../support/calls.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { goTo } from "../support/outage.ts";

declare global {
  // Holds what the page would draw, set by this test.
  var holdRendering: (hold: boolean) => void;
}

const tagRow = (page: Page) => page.getByRole("navigation", { name: "已打开的页面" });
const tag = (page: Page, name: string) => tagRow(page).getByRole("link", { name });
const menu = (page: Page) => page.getByRole("menu", { name: "页签操作" });
const titles = (page: Page) => tagRow(page).getByRole("link");
const side = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name });

test("Text, selection and scroll position are still there when a person returns to a page", async ({
  people,
}) => {
  const ops = await people.loggedIn("ops", { path: "/im/people" });
  const page = ops.pages[0]!;
  await openChat(page, "李娜");
  const box = page.getByRole("textbox").last();
  await box.fill("写到一半的话");
  await page.getByRole("textbox", { name: "搜索姓名" }).fill("李");
  await goTo(page, "运行监控", "系统监控");
  await expect(page.getByRole("heading", { name: "运行监控" })).toBeVisible();
  await expect(box).toBeHidden();
  const area = page.locator('[data-page="/monitor/runtime"]');
  await area.evaluate((e) => e.scrollTo(0, 300));
  await tag(page, "人员与消息").click();
  await expect(page).toHaveURL(/\/im\/people\?chat=lina$/);
  await expect(box).toHaveValue("写到一半的话");
  await expect(page.getByRole("textbox", { name: "搜索姓名" })).toHaveValue("李");
  await tag(page, "运行监控").click();
  await expect.poll(() => area.evaluate((e) => e.scrollTop)).toBe(300);

  // A reload restores the tags and their queries.
  await page.reload();
  await expect(page.getByRole("heading", { name: "运行监控" })).toBeVisible();
  await expect(titles(page)).toHaveText(["首页", "人员与消息", "运行监控"]);
  await tag(page, "人员与消息").click();
  await expect(page.getByRole("heading", { name: "李娜" })).toBeVisible();

  // A message counts as read when its conversation is visible, not while its page is hidden.
  const li = await people.loggedIn("lina");
  const theirs = li.pages[0]!;
  await goTo(page, "运行监控", "系统监控");
  await openChat(theirs, "运维值班");
  const reply = theirs.getByRole("textbox").last();
  await reply.fill("在吗");
  await reply.press("Enter");
  await expect(side(page, "人员与消息")).toContainText("1");
  await expect(theirs.getByText("已送达").last()).toBeVisible();
  await tag(page, "人员与消息").click();
  await expect(theirs.getByText("已读").last()).toBeVisible();
  await expect(side(page, "人员与消息")).toHaveText("人员与消息");

  // Refreshing restarts the page, and unsent text is kept.
  await page.getByRole("textbox", { name: "搜索姓名" }).fill("李");
  await box.fill("写到一半的话");
  await tag(page, "人员与消息").click({ button: "right" });
  await menu(page).getByRole("menuitem", { name: "刷新页面" }).click();
  await expect(page).toHaveURL(/\/im\/people\?chat=lina$/);
  await expect(page.getByRole("textbox", { name: "搜索姓名" })).toHaveValue("");
  await expect(box).toHaveValue("写到一半的话");

  // A logout removes the tags.
  await page.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => sessionStorage.getItem("hyzh-tagsView"))).toBeNull();
});

test("Tags close by button, middle button, menu and keyboard", async ({ people, browserName }) => {
  const ops = await people.loggedIn("ops", { path: "/im/people" });
  const page = ops.pages[0]!;
  const open = async (name: string) => {
    await (name === "运行监控" ? goTo(page, name, "系统监控") : side(page, name).click());
    await expect(tag(page, name)).toHaveAttribute("aria-current", "page");
  };
  await open("运行监控");
  await expect(titles(page)).toHaveText(["首页", "人员与消息", "运行监控"]);
  await expect(tagRow(page).getByRole("button", { name: "关闭首页" })).toHaveCount(0);

  // After the visible page is closed, the last remaining one appears.
  await tagRow(page).getByRole("button", { name: "关闭运行监控" }).click();
  await expect(page).toHaveURL(/\/im\/people$/);
  await tag(page, "人员与消息").click({ button: "middle" });
  await expect(page).toHaveURL(/\/dashboard$/);
  await tag(page, "首页").click({ button: "middle" });
  await expect(titles(page)).toHaveText(["首页"]);

  await open("人员与消息");
  await open("运行监控");
  await tag(page, "首页").click({ button: "right" });
  await expect(menu(page).getByRole("menuitem")).toHaveText([
    "刷新页面",
    "关闭其他",
    "关闭左侧",
    "关闭右侧",
    "全部关闭",
  ]);
  await expect(menu(page).getByRole("menuitem", { name: "关闭左侧" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(menu(page)).toBeHidden();
  await tag(page, "人员与消息").click({ button: "right" });
  await menu(page).getByRole("menuitem", { name: "关闭右侧" }).click();
  await expect(page).toHaveURL(/\/im\/people$/);
  await expect(titles(page)).toHaveText(["首页", "人员与消息"]);

  // With the keyboard alone.
  await open("运行监控");
  await tag(page, "运行监控").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(tag(page, "人员与消息")).toBeFocused();
  await page.keyboard.press("Delete");
  await expect(titles(page)).toHaveText(["首页", "运行监控"]);
  await expect(tag(page, "运行监控")).toBeFocused();
  // Firefox's driver does not know the key, so dispatch the event that it causes.
  if (browserName === "firefox") await page.locator(":focus").dispatchEvent("contextmenu");
  else await page.keyboard.press("ContextMenu");
  await expect(menu(page).getByRole("menuitem", { name: "刷新页面" })).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(tag(page, "首页")).toBeFocused();
  await expect.poll(() => callStatus(page)).toBe("idle");
});

test("In the message field, what was written outlives the core", async ({ people }) => {
  const ops = await people.loggedIn("ops", { path: "/im/people", killsCore: true });
  const page = ops.pages[0]!;
  await openChat(page, "李娜");
  const box = page.getByRole("textbox").last();
  await box.fill("写到一半的话");
  const first = await coreId(page);
  await killCore(page);
  await expect.poll(() => coreId(page)).not.toBe(first);
  await expect(box).toHaveValue("写到一半的话");
  await expect(page).toHaveURL(/\?chat=lina$/);
});

test("Too many tags can be scrolled, with arrows at the ends", async ({ people }) => {
  const ops = await people.loggedIn("ops", { path: "/im/people" });
  const page = ops.pages[0]!;
  const row = tagRow(page).getByRole("list");
  await row.evaluate((e) => {
    e.style.maxWidth = "180px";
  });
  await goTo(page, "运行监控", "系统监控");
  // The new tag is scrolled into view and the first one out of view.
  await expect(tag(page, "运行监控")).toBeInViewport();
  const right = tagRow(page).getByRole("button", { name: "向右滚动" });
  await expect(right).toBeDisabled();
  await tagRow(page).getByRole("button", { name: "向左滚动" }).click();
  await expect(right).toBeEnabled();
  await expect.poll(() => row.evaluate((e) => e.scrollLeft)).toBe(0);
});

test("After a reload of a narrow window the whole active tag is visible beside the arrows", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const page = admin.pages[0]!;
  await page.setViewportSize({ width: 390, height: 800 });
  const active = tagRow(page).locator('[data-active="true"]');
  for (const [path, title] of [
    ["/im/people", "人员与消息"],
    ["/monitor/runtime", "运行监控"],
    ["/DataBatchImport/index", "批量导入并邀请"],
  ] as const) {
    await page.goto(path);
    await expect(active).toContainText(title);
  }
  await page.reload();
  const right = tagRow(page).getByRole("button", { name: "向右滚动" });
  await expect(right).toBeVisible();
  const gap = async (): Promise<number> => {
    const [arrow, shown] = [await right.boundingBox(), await active.boundingBox()];
    return (arrow?.x ?? 0) - ((shown?.x ?? 0) + (shown?.width ?? 0));
  };
  await expect.poll(gap).toBeGreaterThanOrEqual(0);
});

/** Runs before the page. `holdRendering(true)` holds back React's background rendering, as a busy machine does. */
function holdBackgroundRendering(): void {
  const held: (() => void)[] = [];
  let holding = false;
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (...args: unknown[]) {
    const [message] = args;
    // React's scheduler wakes itself up with null; ports to workers carry objects.
    const post = (): void => void Reflect.apply(postMessage, this, args);
    if (holding && message === null) held.push(post);
    else post();
  };
  Object.assign(globalThis, {
    holdRendering(hold: boolean) {
      holding = hold;
      if (!hold) for (const post of held.splice(0)) post();
    },
  });
}
const holdRendering = (page: Page, hold: boolean): Promise<void> =>
  page.evaluate((on) => globalThis.holdRendering(on), hold);

test("A question that is asked while the next page is still being rendered stays, unless the person goes back", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { path: "/dashboard" });
  await zhang.context.addInitScript(holdBackgroundRendering);
  const page = zhang.pages[0]!;
  await page.reload();
  const question = page.getByRole("dialog");
  const ask = async () => {
    await page.getByRole("button", { name: /^当前企业/ }).click();
    // The menu gets its place by background rendering, so no pointer reaches it yet.
    await page.getByRole("menuitem", { name: "城南消防工程有限公司" }).dispatchEvent("click");
    await expect(question).toBeVisible();
  };
  await expect(page.getByRole("button", { name: /^当前企业/ })).toBeVisible();
  await holdRendering(page, true);
  await side(page, "人员与消息").click();
  await expect(page).toHaveURL(/\/im\/people$/);
  await ask();
  await holdRendering(page, false);
  await expect(tag(page, "人员与消息")).toHaveAttribute("aria-current", "page");
  await expect(question).toBeVisible();
  await page.getByRole("button", { name: "取消" }).click();
  await expect(question).toBeHidden();

  await holdRendering(page, true);
  await tag(page, "首页").click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await ask();
  await page.goBack();
  await holdRendering(page, false);
  await expect(page).toHaveURL(/\/im\/people$/);
  await expect(question).toBeHidden();
});

test("A question does not stay over another page, and another company has its own tags", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { path: "/dashboard" });
  const page = zhang.pages[0]!;
  await side(page, "人员与消息").click();
  await expect(page).toHaveURL(/\/im\/people$/);
  const ask = async () => {
    await page.getByRole("button", { name: /^当前企业/ }).click();
    await page.getByRole("menuitem", { name: "城南消防工程有限公司" }).click();
    await expect(page.getByText("确认要切换到企业[城南消防工程有限公司]吗?")).toBeVisible();
  };
  await ask();
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("dialog")).toBeHidden();
  await ask();
  await page.getByRole("button", { name: "确定" }).click();
  await expect(page.getByRole("button", { name: /城南消防工程有限公司/ }).first()).toBeVisible();
  await expect(titles(page)).toHaveText(["首页"]);
});
