/** Dictionaries: how their entries look, that they are live in every page, and their file (docs/session.md#dictionaries). */
import { readFile } from "node:fs/promises";
import { readXlsx } from "../../src/server/base/xlsx/xlsx.harness.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { callerOf, records } from "../support/rest-caller.ts";

// Requests are counted.
test.use({ serverEnv: { TEST_SERVER: "dictionaries" } });

const DATA = "/umc-rbac/api/dict/data";

test("An entry gets colours and classes by keyboard, with the tag as it will look; what is no class is refused; the file has what the filter leaves", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: "/system/dict" });
  const page = admin.pages[0]!;
  await page.getByRole("link", { name: "safety_post" }).click();
  await expect(page.getByRole("row").filter({ hasText: "巡逻岗" })).toBeVisible();

  await tabTo(page, page.getByRole("button", { name: "新增" }));
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "新增字典数据" });
  await expect(form.getByLabel("字典标签")).toBeFocused();
  await page.keyboard.type("高空作业");
  await tabTo(page, form.getByLabel("字典键值"));
  await page.keyboard.type("high");
  await tabTo(page, form.getByLabel("标签样式"));
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const classes = form.getByLabel("样式属性");
  await tabTo(page, classes);
  await page.keyboard.type("bold 1<b>");
  const preview = form.getByRole("status", { name: "预览" }).locator(".dict-tag");
  await expect(preview).toHaveText("高空作业");
  await expect(preview).toHaveAttribute("data-kind", "danger");
  await expect(preview).toHaveClass("dict-tag");
  await page.keyboard.press("Enter");
  await expect(classes).toHaveAttribute("aria-invalid", "true");
  await expect(classes).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("bold round");
  await expect(preview).toHaveClass("dict-tag bold round");
  await shoot(page, "dict-entry-preview");
  await expectAccessible(page, "form of an entry with its tag");
  await page.keyboard.press("Enter");
  const tag = page.getByRole("row").filter({ hasText: "高空作业" }).locator(".dict-tag").first();
  await expect(tag).toHaveClass("dict-tag bold round");
  await expect(tag).toHaveAttribute("data-kind", "danger");

  await page.getByRole("search").getByLabel("字典标签").fill("岗");
  await expect(page.getByTestId("list-total").filter({ visible: true })).toHaveText("共 2 条");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^安全岗位-\d{8}-\d{6}\.xlsx$/);
  const [head, ...rows] = readXlsx(await readFile(await file.path()));
  expect(head?.slice(1, 8)).toEqual([
    "字典名称",
    "字典类型",
    "字典标签",
    "字典键值",
    "字典排序",
    "标签样式",
    "样式属性",
  ]);
  expect(rows.map((row) => row.slice(2, 5))).toEqual([
    ["safety_post", "巡逻岗", "patrol"],
    ["safety_post", "门岗", "gate"],
  ]);

  await page.goto("/system/config");
  const hidden = page.getByRole("row").filter({ hasText: "company.duty.phone" });
  await expect(hidden).toBeVisible();
  await page.getByRole("search").getByLabel("参数键名").fill("sys.index");
  await expect(hidden).toHaveCount(0);
  const settings = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出" }).click();
  const saved = await settings;
  expect(saved.suggestedFilename()).toMatch(/^参数配置-\d{8}-\d{6}\.xlsx$/);
  const cells = readXlsx(await readFile(await saved.path()));
  expect(cells.length).toBeGreaterThan(1);
  expect(cells.slice(1).every((row) => row.some((cell) => cell.startsWith("sys.index")))).toBe(
    true,
  );
});

test("All tabs read a dictionary once, and a change by another person reaches an open form and the tags", async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "admin");
  const requests = () =>
    server.metric("http_requests_total", { route: `${DATA}/type/:type`, method: "GET" });
  const admin = await people.loggedIn("admin", { path: "/dashboard", tabs: 4 });
  // One tab stays: a core that all tabs leave at once ends, and the next one reads again what it had read before it was connected.
  const tabs = admin.pages.slice(0, 3);
  const [page, other] = [tabs[0]!, tabs[1]!];
  await page.waitForFunction(() => globalThis.consoleCore.state.chat.connection === "open");
  const before = await requests();
  await Promise.all(
    tabs.map(async (one) => {
      await one.goto("/supplier/employees");
      await expect(one.getByText("李娜").first()).toBeVisible();
    }),
  );
  // gender, employee_status, certificate_type, and the one of the company's own field
  await expect.poll(async () => (await requests()) - before).toBe(4);

  await page.bringToFront();
  await page.getByRole("button", { name: "新增" }).click();
  const form = page.getByRole("dialog", { name: "新增员工" });
  await form.getByLabel("证件类型").click();
  await expect(page.getByRole("option", { name: "护照" })).toBeVisible();
  await expect(page.getByRole("option", { name: "驾驶证" })).toHaveCount(0);
  const made = await ask("POST", DATA, {
    dictType: "certificate_type",
    dictLabel: "驾驶证",
    dictValue: "driver",
    listClass: "warning",
  });
  expect(made.status).toBe(200);
  await expect(page.getByRole("option", { name: "驾驶证" })).toBeVisible();
  await page.getByRole("option", { name: "驾驶证" }).click();
  await form.getByLabel("姓名").fill("钱字典");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);

  await other.bringToFront();
  await other.getByRole("button", { name: "钱字典", exact: true }).click();
  const details = other.getByRole("dialog", { name: "员工详情" });
  const tag = details.locator(".dict-tag").filter({ hasText: "驾驶证" });
  await expect(tag).toHaveAttribute("data-kind", "warning");
  await expect(details.locator(".dict-tag").filter({ hasText: "在职" })).toHaveAttribute(
    "data-kind",
    "success",
  );
  await shoot(other, "dict-tags");
  await expectAccessible(other, "details of an employee with tags");
  const [entry] = records<{ id: string; version: number }>(
    await ask(
      "GET",
      `${DATA}/list?dictType=certificate_type&dictLabel=${encodeURIComponent("驾驶证")}`,
    ),
  );
  const renamed = { ...entry, dictLabel: "机动车驾驶证", listClass: "danger", cssClass: "outline" };
  expect((await ask("PUT", DATA, renamed)).status).toBe(200);
  const changed = details.locator(".dict-tag").filter({ hasText: "机动车驾驶证" });
  await expect(changed).toHaveAttribute("data-kind", "danger");
  await expect(changed).toHaveClass("dict-tag outline");
});
