/** Past calls and the notification of a ring: answered, missed by somebody without a device, live in every tab, called back, removed, exported. */
import { readFile } from "node:fs/promises";
import { readXlsx } from "../../src/server/base/xlsx/xlsx.harness.ts";
import { answerButton, callStatus, dial, hangUpButton } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { setVisible, shownNotices, stubNotices } from "../support/system-notices.ts";
import { expectAccessible, shoot } from "../support/look.ts";

// Another environment means another server: one where nobody has called, or imported thousands of employees.
test.use({ serverEnv: { TEST_SERVER: "few rows" } });

test("Calls stand in the lists of both people, and a click calls back", async ({ people }) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const [a, list] = [zhang.pages[0]!, zhang.pages[1]!];
  await list.goto("/im/calls");
  await expect(list.getByText("暂无数据")).toBeVisible();
  await shoot(list, "calls-empty");

  // 李娜 has no device: the caller hangs up, and later her list shows it.
  await dial(a, "李娜", "语音通话");
  await expect.poll(() => callStatus(a)).toBe("sendRing");
  await hangUpButton(a).first().click();
  const rows = list.getByRole("row").filter({ hasText: "李娜" });
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("呼出 · 语音");
  await expect(rows.first()).toContainText("已取消");
  const li = await people.loggedIn("lina", { path: "/im/calls" });
  const b = li.pages[0]!;
  const missed = b.getByRole("row").filter({ hasText: "张伟" });
  await expect(missed).toHaveCount(1);
  await expect(missed).toContainText("未接来电");

  // She calls back from the list, and both lists show the call with its length.
  await missed.getByRole("button", { name: "语音 张伟" }).click();
  await answerButton(a).click();
  await expect.poll(() => callStatus(b)).toBe("chat");
  await hangUpButton(a).first().click();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("呼入 · 语音");
  await expect(rows.first()).toContainText("已接通");
  await expect(rows.first()).toContainText(/00:0\d/);
  await expect(missed.first()).toContainText("呼出 · 语音");
  await expectAccessible(list, "list of calls");
  await shoot(list, "calls");

  // Both calls stand in the conversation.
  await expect(a.locator(".message-call")).toHaveText([/^语音：已取消/, /^语音：通话时长 00:0\d/]);
  await shoot(a, "call-entries");

  // Filter, export, remove.
  await list.getByRole("combobox", { name: "结果" }).click();
  await list.getByRole("option", { name: "已取消" }).click();
  await expect(rows).toHaveCount(1);
  const download = list.waitForEvent("download");
  await list.getByRole("button", { name: "导出" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^通话记录-\d{8}-\d{6}\.xlsx$/);
  const cells = readXlsx(await readFile(await file.path()));
  expect(cells).toHaveLength(2);
  expect(cells[0]).toEqual(["对方", "类型", "参与人", "结果", "时间", "通话时长", "通话质量"]);
  expect([cells[1]?.[0], cells[1]?.[1], cells[1]?.[3]]).toEqual([
    "李娜 (lina)",
    "呼出 · 语音",
    "已取消",
  ]);
  await rows.first().getByRole("button", { name: "删除 李娜" }).click();
  await list.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(rows).toHaveCount(0);
  // Her list is hers.
  await expect(missed).toHaveCount(2);
});

test("A ring shows one notification of the system when no tab is visible, and takes it away", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina", { tabs: 2 });
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  for (const page of li.pages) await stubNotices(page);
  await b.getByRole("button", { name: /^用户菜单/ }).click();
  await b.getByRole("menuitem", { name: "布局设置" }).click();
  const drawer = b.getByRole("dialog", { name: "系统布局配置" });
  const choice = drawer.getByRole("switch", { name: "来电桌面通知" });
  await choice.click();
  await expect(choice).toBeChecked();
  await drawer.getByRole("button", { name: "关闭" }).click();
  await setVisible(li.pages, false);
  const shown = () => shownNotices(li.pages);
  await dial(a, "李娜", "语音通话");
  await expect.poll(shown).toEqual(["张伟: 邀请您语音通话"]);
  await hangUpButton(a).first().click();
  await expect.poll(shown).toEqual([]);
});
