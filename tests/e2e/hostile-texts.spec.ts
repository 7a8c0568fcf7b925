/**
 * Hostile texts (tests/support/hostile.ts) on the screens: none runs, and each is shown as it was written. What the server stores and
 * exports is in tests/server/hostile-*.test.ts.
 */
import type { Page } from "@playwright/test";
import { conversationRow, openChat, refuseButton } from "../support/calls.ts";
import { bubbles } from "../support/chat.ts";
import { CONFERENCE_PAGE, createConference } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { EVIL, HOSTILE, HOSTILE_NAMES } from "../support/hostile.ts";
import { expectNothingForeign, watchHostile } from "../support/hostile-page.ts";
import {
  BAD_COMPANY,
  BAD_FILE,
  BAD_NAME,
  KEPT,
  makeHostileRecords,
  SHOWN_BY_LISTS,
  someUpTo,
} from "../support/hostile-records.ts";
import { shoot } from "../support/look.ts";
import { menuUris } from "../support/menus.ts";
import { callerOf } from "../support/rest-caller.ts";

// Other tests count employees and find no bulletins.
test.use({ serverEnv: { TEST_SERVER: "hostile texts" } });
test.beforeAll(({ server }) => makeHostileRecords(server.url));

const PLATFORM = "城市综合安全服务平台";
const first = (length: number): string => someUpTo(length)[0] ?? "";

/** A text that a page of the menus shows, by the page's path. */
const SHOWN: Readonly<Record<string, string>> = {
  "/system/dept": someUpTo(100).find((text) => !text.includes("/")) ?? "",
  "/system/role": SHOWN_BY_LISTS[0] ?? "",
  "/system/config": SHOWN_BY_LISTS[0] ?? "",
  "/system/dict": SHOWN_BY_LISTS[0] ?? "",
  "/system/notice": KEPT[0] ?? "",
  "/supplier/dimission": BAD_NAME,
  "/supplier/invitations": `新员工 · ${first(100)}`,
  "/supplier/handedDocuments": BAD_FILE,
  "/monitor/companies": BAD_NAME,
  "/monitor/applies": BAD_NAME,
  "/employeeSetfield": SHOWN_BY_LISTS[0] ?? "",
};

/** Where the text is not among the first rows: the state of the row that has it. */
const IN_STATE: Readonly<Record<string, string>> = { "/supplier/handedDocuments": "待审核" };

test("No hostile text runs on any page of the menus, in a drawer, a search or a print, and each is shown as it was written", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const done = await watchHostile(admin.context, server.url);
  const page = await admin.open("/supplier/employees");
  const main = page.locator("#main");

  // Employees are found by a hostile search.
  const search = page
    .getByRole("searchbox")
    .or(page.getByPlaceholder(/搜索|姓名/))
    .first();
  for (const text of ["<script>ran=1</script>", "<svg onload=ran=1>", "=1+1"]) {
    await search.fill(text);
    const row = page.getByRole("row").filter({ hasText: text }).first();
    await expect(row).toBeVisible();
    await expectNothingForeign(page, text);
  }
  await expect(page.getByRole("row").filter({ hasText: "管理员" })).toHaveCount(0);
  // What is printed.
  await page.evaluate(() => {
    globalThis.print = () => undefined;
  });
  await page.getByRole("button", { name: "打印" }).click();
  const sheet = page.locator(".print-sheet");
  await expect(sheet.getByText("=1+1", { exact: true }).first()).toBeAttached();
  await expectNothingForeign(page, "print");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(sheet).toHaveCount(0);
  // What a drawer shows of one.
  const row = page.getByRole("row").nth(1).getByRole("button").first();
  const name = (await row.textContent()) ?? "";
  expect(KEPT).toContain(name);
  await row.click();
  const details = page.getByRole("dialog", { name: "员工详情" });
  await expect(details.getByText(name, { exact: true }).first()).toBeVisible();
  await expectNothingForeign(page, "details");
  await shoot(page, "hostile-employee");

  for (const uri of new Set([...(await menuUris(page)), ...Object.keys(SHOWN)])) {
    await page.goto(uri);
    const area = page.locator(`[data-page="${uri}"]`);
    await expect(area.getByRole("heading").or(area.getByRole("button")).first()).toBeVisible();
    const list = area.locator(".list-page");
    if ((await list.count()) > 0) {
      await expect(list.getByRole("row").nth(1).or(list.getByText("暂无数据"))).toBeVisible();
    }
    const shown = SHOWN[uri];
    const state = IN_STATE[uri];
    if (state !== undefined) {
      await area.getByRole("combobox", { name: "状态" }).click();
      await page.getByRole("option", { name: state }).click();
    }
    if (shown !== undefined) {
      await expect(area.getByText(shown, { exact: true }).first()).toBeVisible();
    }
    await expectNothingForeign(page, uri);
    expect(await page.title(), uri).toMatch(new RegExp(`${PLATFORM}$`));
  }

  // The search of the frame, whose results are texts of people.
  for (const text of [BAD_NAME, "{{=1+1}}"]) {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "搜索页面和记录" }).fill(text);
    await expect(page.getByRole("option").filter({ hasText: text }).first()).toBeVisible();
    await expectNothingForeign(page, `search for ${text}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  }

  // Addresses: a search, a path and a redirect that are hostile.
  const hostile = encodeURIComponent(BAD_NAME);
  for (const path of [
    `/supplier/employees?keyword=${hostile}`,
    `/${hostile}`,
    `/im/people?chat=${hostile}&name=${hostile}`,
    "/login?redirect=javascript:ran=1",
    `/login?redirect=//${EVIL}`,
  ]) {
    await page.goto(path);
    await expect(page.locator("#main, main, h1").first()).toBeVisible();
    await expectNothingForeign(page, path);
  }
  await expect(main.or(page.locator("main")).first()).toBeVisible();
  expect(done).toEqual([]);
});

test("No hostile text runs in chat, a ring, a conference, an invitation or a bulletin, nor in the frame of a hostile company", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: "/dashboard" });
  const done = await watchHostile(admin.context, server.url);
  const lina = await people.loggedIn("lina", { path: "/dashboard" });
  const doneToLina = await watchHostile(lina.context, server.url);
  const reader = await lina.open("/im/people");
  const [sender] = admin.pages;
  const names = HOSTILE_NAMES.slice(0, 10);
  await openChat(reader, "管理员");
  await sender!.evaluate(async (files) => {
    const { chat } = globalThis.consoleCore.commands;
    const nothing = { thumb: null, width: null, height: null, length: null };
    const dot = Uint8Array.from(
      atob(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      ),
      (sign) => sign.charCodeAt(0),
    );
    for (const name of files) {
      const file = new Blob(["x"], { type: "text/html" });
      await chat.sendFile({ chatId: "lina", kind: "file", file, name, ...nothing });
      const picture = new Blob([dot], { type: "image/png" });
      await chat.sendFile({ chatId: "lina", kind: "img", file: picture, name, ...nothing });
      await chat.sendCard({ chatId: "lina", person: { userName: "lina", name } });
    }
  }, names);
  // The file and the card; a picture comes without its name.
  await expect(reader.getByText(names.at(-1)!, { exact: true })).toHaveCount(2);
  await expect(reader.getByRole("button", { name: /^查看图片/ }).last()).toBeVisible();
  await expectNothingForeign(reader, "files and cards");
  const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
  for (let i = 0; i < HOSTILE.length; i += 20) {
    const said = HOSTILE.slice(i, i + 20).join("\n");
    await sender!.evaluate(
      (text) => globalThis.consoleCore.commands.chat.send({ chatId: "lina", text }),
      said,
    );
    await expect.poll(async () => plain((await bubbles(reader)).at(-1) ?? "")).toBe(plain(said));
  }
  await expectNothingForeign(reader, "chat");
  await shoot(reader, "hostile-chat");
  for (const link of await reader.locator(".message-bubble a").all()) {
    expect(await link.getAttribute("href")).toMatch(/^(https?:\/\/[^/@]+)?\/(?!\/)/);
  }

  // The list of conversations has her name, and the page of a group that of the group.
  const other = await admin.open("/im/people");
  await expect(conversationRow(other, BAD_NAME).first()).toBeVisible();
  await openChat(other, first(64));
  await expectNothingForeign(other, "a group");

  // She calls, and her name is in the ring and in the title of the page.
  await reader.getByRole("button", { name: "语音通话" }).click();
  await expect(
    other.getByRole("alertdialog").getByText(BAD_NAME, { exact: true }).first(),
  ).toBeVisible();
  for (const page of [other, reader]) await expectNothingForeign(page, "a ring");
  await refuseButton(other).click();
  await expect(reader.getByRole("dialog").filter({ hasText: "管理员" })).toHaveCount(0);

  await bulletinIsRead(reader);

  // Her conference, inside and in the lobby.
  await reader.goto(CONFERENCE_PAGE);
  await createConference(reader, BAD_NAME);
  await expect(reader.getByText(BAD_NAME).first()).toBeVisible();
  await expectNothingForeign(reader, "a conference");
  await other.goto(CONFERENCE_PAGE);
  await expect(other.getByRole("button", { name: `加入 ${BAD_NAME}` })).toBeVisible();
  await expectNothingForeign(other, "the lobby");

  // A person whose company and name are hostile: the frame, and the link that invites to the company.
  const owner = await people.loggedIn(BAD_COMPANY, { path: "/dashboard" });
  const doneToOwner = await watchHostile(owner.context, server.url);
  const page = await owner.open("/dashboard");
  await expect(page.getByText(BAD_NAME, { exact: true }).first()).toBeVisible();
  await expectNothingForeign(page, "the frame of the company");
  await shoot(page, "hostile-company");

  // The form comes back with what was wrong.
  people.expectComplaints(/status of 400/);
  const ask = await callerOf(server.url, "admin");
  for (const text of [BAD_NAME, '"><script>ran=1</script>']) {
    const { data } = await ask("POST", "/scm-supplier/api/sec/inviteEmployee/qr", {
      position: text,
    });
    await page.goto((data as { link: string }).link);
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await page.getByLabel("姓名").fill(text);
    await page.getByLabel("手机号").fill(text);
    await page.getByRole("button", { name: "获取验证码" }).click();
    await expect(page.getByLabel("姓名")).toHaveValue(text);
    const made = await page.locator("main script, main img, .brand script, .brand img").count();
    expect(made, "elements of an invitation").toBe(0);
  }
  expect([...done, ...doneToLina, ...doneToOwner]).toEqual([]);
});

async function bulletinIsRead(reader: Page): Promise<void> {
  await reader.getByRole("button", { name: /^通知公告，/ }).click();
  await reader.getByRole("dialog", { name: "通知公告" }).press("ArrowDown");
  await reader.keyboard.press("Enter");
  await expect(reader.locator(".rich-text")).toContainText("内容");
  await expectNothingForeign(reader, "a bulletin");
}
