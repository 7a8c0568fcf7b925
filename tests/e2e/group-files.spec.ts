/** Files that members share with a group: shared by one, listed at once by the other, saved, and deleted by who may. */
import { readFile } from "node:fs/promises";
import { composer } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { createGroup, expectConnected, openGroup, openGroupFiles } from "../support/groups.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("A shared file stands in the panel of every member at once; they save it, and who shared it deletes it", async ({
  people,
}) => {
  const [zhang, li] = await Promise.all(
    ["zhangwei", "lina"].map(async (name) => (await people.loggedIn(name)).pages[0]!),
  );
  await expectConnected([li!]);
  const groupId = await createGroup(zhang!, "文件测试群", ["lina"]);
  for (const page of [zhang!, li!]) {
    await openGroup(page, groupId);
    await expect(composer(page)).toBeVisible();
    await openGroupFiles(page);
    await expect(page.getByText("还没有群文件")).toBeVisible();
  }
  const dialog = (page: typeof zhang) => page!.getByRole("dialog", { name: "群文件" });
  const choose = li!.waitForEvent("filechooser");
  await dialog(li).getByRole("button", { name: "上传文件" }).click();
  await (
    await choose
  ).setFiles([
    { name: "巡查表.txt", mimeType: "text/plain", buffer: Buffer.from("一号楼正常") },
    { name: "空.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) },
  ]);
  await expect(li!.getByText("空.txt 是空文件，无法发送")).toBeVisible();
  for (const page of [zhang, li]) {
    await expect(dialog(page).getByRole("listitem")).toHaveText(/^巡查表\.txt15 B · (我|李娜) · /);
  }
  await expectAccessible(li!, "group-files");
  await shoot(li!, "group-files");

  const saved = zhang!.waitForEvent("download");
  await dialog(zhang).getByRole("button", { name: "下载 巡查表.txt" }).click();
  expect(await readFile(await (await saved).path(), "utf8")).toBe("一号楼正常");

  await dialog(li).getByRole("button", { name: "删除 巡查表.txt" }).click();
  await li!.getByRole("dialog").last().getByRole("button", { name: "确定" }).click();
  for (const page of [zhang, li]) {
    await expect(dialog(page).getByText("还没有群文件")).toBeVisible();
  }
  await zhang!.evaluate(
    (id) => globalThis.consoleCore.commands.group.dissolve({ groupId: id }),
    groupId,
  );
});
