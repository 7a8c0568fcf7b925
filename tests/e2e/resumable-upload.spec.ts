/** A large file in chat comes in parts, and goes on where it broke off (docs/chat.md#resumable-uploads). */
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { createGroup, openGroup, openGroupFiles } from "../support/groups.ts";
import { startGateway } from "../support/gateway.ts";
import { loggedIn } from "../support/people.ts";

/** Seven parts of 2 MB. */
const SIZE = 13 * 1024 * 1024;
const PARTS = 7;
const PATHS = /\/chatfiles\/resumable/;
const dialog = (page: Page) => page.getByRole("dialog").filter({ hasText: "发送给" });
const card = (page: Page, name: string) => page.locator(".message-card").filter({ hasText: name });
const shaOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

test("An upload of 13 MB survives an outage, F5, the death of the core and of the tab, and sends each part once", async ({
  browser,
  people,
  server,
}) => {
  test.setTimeout(300_000);
  const b = (await people.loggedIn("lina")).pages[0]!;
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei");
  const sent = () => gateway.passed(PATHS, "PATCH");
  // The part after the last one has failed, so that the next request is a question.
  const breaksOffAfter = async (parts: number): Promise<void> => {
    await expect.poll(() => gateway.refusals(), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(sent()).toBe(parts);
  };
  try {
    const a = zhang.pages[0]!;
    await openChat(a, "李娜");
    await openChat(b, "张伟");
    const content = randomBytes(SIZE);

    // The gateway passes the creation and two parts, then it fails.
    gateway.refuse(PATHS, 503, 3);
    await a
      .locator('.composer input[type="file"]')
      .setInputFiles({ name: "large.bin", mimeType: "", buffer: content });
    await dialog(a).getByRole("button", { name: "发送（1）" }).click();
    await breaksOffAfter(2);
    await expect(card(a, "large.bin")).toContainText("13 MB");

    // One question where it broke off, and one part more. Then the core dies.
    gateway.refuse(PATHS, 503, 2);
    await breaksOffAfter(3);
    const before = await coreId(a);
    await killCore(a);
    await expect.poll(() => coreId(a)).not.toBe(before);

    gateway.refuse(PATHS, 503, 2);
    await breaksOffAfter(4);
    await a.reload();
    await a.close();

    gateway.refuse(null);
    await zhang.open("/im/people?chat=lina");
    await expect(card(b, "large.bin")).toBeVisible({ timeout: 60_000 });
    expect(sent()).toBe(PARTS);
    expect(gateway.passed(PATHS, "POST")).toBe(1);

    const download = b.waitForEvent("download");
    await card(b, "large.bin").getByRole("link", { name: "下载 large.bin" }).click();
    expect(shaOf(await readFile(await (await download).path()))).toBe(shaOf(content));
  } finally {
    await zhang.close();
    await gateway.close();
  }
});

test("A file of 13 MB that is shared with a group goes on after an outage", async ({
  browser,
  server,
}) => {
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei");
  const sent = () => gateway.passed(PATHS, "PATCH");
  try {
    const page = zhang.pages[0]!;
    const groupId = await createGroup(page, "大文件群", ["lina"]);
    await openGroup(page, groupId);
    const files = await openGroupFiles(page);
    // The creation and three parts pass.
    gateway.refuse(PATHS, 503, 4);
    const choose = page.waitForEvent("filechooser");
    await files.getByRole("button", { name: "上传文件" }).click();
    await (await choose).setFiles([{ name: "large.bin", mimeType: "", buffer: randomBytes(SIZE) }]);
    await expect.poll(sent, { timeout: 60_000 }).toBe(3);
    gateway.refuse(null);
    await expect(files.getByRole("listitem")).toHaveText(/^large\.bin13 MB/, { timeout: 60_000 });
    expect([sent(), gateway.passed(PATHS, "POST")]).toEqual([PARTS, 1]);
    await page.evaluate(
      (id) => globalThis.consoleCore.commands.group.dissolve({ groupId: id }),
      groupId,
    );
  } finally {
    await zhang.close();
    await gateway.close();
  }
});
