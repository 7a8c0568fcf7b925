/** The search of the frame finds records besides pages (docs/session.md#frame). */
import type { Page } from "@playwright/test";
import { createConference } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { callerOf } from "../support/rest-caller.ts";

declare global {
  // Lets held searches go on, and lets them succeed again; set by this test.
  var letGo: () => void;
  var mend: () => void;
}

const groupsOf = (page: Page) =>
  page
    .getByRole("listbox")
    .getByRole("group")
    .evaluateAll((groups) => groups.map((one) => one.getAttribute("aria-label")));

test("Ctrl K finds records of each kind by keyboard alone and opens them; what was opened last comes first", async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "admin");
  const make = async (path: string, json: object): Promise<string> => {
    const { status, data } = await ask("POST", path, json);
    expect([path, status]).toEqual([path, 200]);
    return (data as { id: string }).id;
  };
  const employee = await make("/scm-supplier/api/sec/employee", {
    name: "寻人甲",
    employeeNo: "XUN-77",
    phone: "13900007777",
  });
  await make("/system/dept", { parentId: null, name: "寻物部" });
  const dict = await make("/umc-rbac/api/dict/type", {
    dictType: "xun_kind",
    dictName: "寻物类别",
  });
  await make("/system/notice", {
    noticeTitle: "寻物启事",
    noticeType: "1",
    status: "0",
    noticeContent: "<p>丢失钥匙一串</p>",
  });
  const lina = await people.loggedIn("lina", { path: "/im/conference" });
  await createConference(lina.pages[0]!, "寻访例会");

  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  const field = page.getByRole("combobox", { name: "搜索页面和记录" });
  const chosen = page.getByRole("option", { selected: true });
  const search = async (word: string): Promise<void> => {
    await expect(page.getByRole("heading").first()).toBeVisible();
    await page.keyboard.press("ControlOrMeta+k");
    await expect(field).toBeFocused();
    await page.keyboard.type(word);
  };
  await search("寻");
  await expect
    .poll(() => groupsOf(page))
    .toEqual(["员工", "部门", "字典", "进行中的会议", "通知公告"]);
  await expect(chosen).toContainText("寻人甲");
  await shoot(page, "search-records");
  await expectAccessible(page, "search with records");
  await page.keyboard.press("ArrowUp");
  await expect(chosen).toContainText("寻物启事");
  await page.keyboard.press("Enter");
  const bulletin = page.getByRole("dialog", { name: "寻物启事" });
  await expect(bulletin).toContainText("丢失钥匙一串");
  await page.keyboard.press("Escape");
  await expect(bulletin).toHaveCount(0);

  // By number and by phone; the record opens beside its list.
  await search("xun-77");
  await expect(chosen).toContainText("寻人甲");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/supplier/employees?row=${employee}`);
  await expect(page.getByRole("dialog", { name: "详情" })).toContainText("寻人甲");
  await page.keyboard.press("Escape");
  await search("13900007777");
  await expect(page.getByRole("option")).toHaveText([/^寻人甲/]);
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);

  // What was opened last comes first, with a text and without one.
  await search("寻");
  await expect(page.getByRole("group", { name: "最近打开" }).getByRole("option")).toHaveText([
    /^寻人甲/,
    /^寻物启事/,
  ]);
  await expect(chosen).toContainText("寻人甲");
  await expect(page.getByRole("option").filter({ hasText: "寻人甲" })).toHaveCount(1);
  await expect(page.getByRole("option").filter({ hasText: "寻物类别" })).toBeVisible();
  while (!(await chosen.innerText()).includes("寻物类别")) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/dict/type/data/${dict}`);
  await search("寻物部");
  await expect(chosen).toContainText("寻物部");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/system/dept");
  await expect(page.getByRole("textbox", { name: "搜索部门名称" })).toHaveValue("寻物部");
  await search("寻访");
  await expect(chosen).toContainText("寻访例会");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/im\/conference\?id=\d{9}$/);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("group", { name: "最近打开" }).getByRole("option")).toHaveText([
    /^寻访例会/,
    /^寻物部/,
    /^寻物类别/,
    /^寻人甲/,
    /^寻物启事/,
  ]);
});

test("Results of an older text are never shown, a kind that fails says so and is read again, in English too", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const page = admin.pages[0]!;
  await expect(page.getByRole("heading").first()).toBeVisible();
  // Answers for 李 come late, and bulletins do not come at first.
  await page.evaluate(() => {
    const { rest } = globalThis.consoleCore.commands;
    const call = rest.call as (input: { call: string; query?: unknown }) => Promise<unknown>;
    const held: (() => void)[] = [];
    let fails = true;
    Object.assign(globalThis, {
      letGo: () => held.splice(0).forEach((go) => go()),
      mend: () => (fails = false),
    });
    Object.assign(rest, {
      call: async (input: { call: string; query?: { keyword?: string } }) => {
        if (input.call === "bulletins.top" && input.query?.keyword !== undefined && fails) {
          throw new Error("no bulletins");
        }
        const answer = await call(input);
        if (input.query?.keyword === "李") await new Promise<void>((go) => held.push(go));
        return answer;
      },
    });
  });
  await page.keyboard.press("ControlOrMeta+k");
  const field = page.getByRole("combobox", { name: "搜索页面和记录" });
  await field.fill("李");
  await expect(page.getByRole("status").filter({ hasText: "正在搜索…" })).toBeVisible();
  await field.fill("王芳芳不存在");
  await expect(page.getByRole("alert")).toContainText("部分结果未能加载");
  await page.evaluate(() => globalThis.letGo());
  await expect(page.getByRole("option")).toHaveCount(0);
  await shoot(page, "search-failed");
  await expectAccessible(page, "search of which a part failed");
  await page.evaluate(() => globalThis.mend());
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "重试" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "没有找到" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "切换语言" }).click();
  await page.reload();
  await expect(page.getByRole("heading").first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search pages and records" }).fill("李娜");
  await expect(page.getByRole("group", { name: "Employees" }).getByRole("option")).toContainText([
    "李娜",
  ]);
  await expect(page.getByText("Shift+Enter writes a message")).toBeVisible();
  await shoot(page, "search-english");
});

test("Staff find colleagues, conferences and bulletins, and nothing of what they may not see", async ({
  people,
}) => {
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const page = lina.pages[0]!;
  await expect(page.getByRole("heading").first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  const field = page.getByRole("combobox", { name: "搜索页面和记录" });
  await field.fill("gender");
  await expect(page.getByRole("status").filter({ hasText: "没有找到" })).toBeVisible();
  await field.fill("客户服务部");
  await expect.poll(() => groupsOf(page)).toEqual(["员工"]);
  await field.fill("张伟");
  await expect(page.getByRole("option", { selected: true })).toContainText("张伟");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/im\/people\?chat=zhangwei$/);
});
