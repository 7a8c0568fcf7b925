/** What a person saves comes by one queue for all tabs (docs/session.md#downloads). */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Download, Page } from "@playwright/test";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { largeFile, queueLargeFile, uploadIn } from "../support/large-file.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { loggedIn } from "../support/people.ts";

test.use({ serverEnv: { TEST_SERVER: "downloads" } });

const FILES = "/system/files";
const ADDRESS = /\/common\/download/;
const MEGABYTES = 13;
/** One of 256 KiB, and seven of up to 2 MiB. */
const PARTS = 8;

const button = (page: Page) => page.getByRole("button", { name: /^文件下载/ });
const panel = (page: Page) => page.getByRole("dialog", { name: "文件下载" });
const stateOf = (page: Page) =>
  page.evaluate(() => Object.values(globalThis.consoleCore.state.downloads.byKey)[0]?.state);

/** The company has this file, and its list shows it. */
async function store(page: Page, name: string, megabytes: number): Promise<void> {
  await queueLargeFile(page, { key: name, name, megabytes });
  await expect
    .poll(async () => (await uploadIn(page, name))?.state, { timeout: 60_000 })
    .toBe("done");
  await page.evaluate((key) => globalThis.consoleCore.commands.uploads.cancel({ key }), name);
  await expect(page.locator(".header-import")).toHaveCount(0);
  await expect(page.getByRole("button", { name: `下载 ${name}` })).toBeVisible();
}
async function contentOf(download: Download) {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(await download.path()) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { name: download.suggestedFilename(), size, sha256: hash.digest("hex") };
}

test("A download of 13 MB survives an outage without a byte twice, begins again after the death of its core, survives its tab, and is saved once with equal bytes", async ({
  browser,
  server,
}) => {
  test.setTimeout(240_000);
  const gateway = await startGateway(server.url);
  const admin = await loggedIn(browser, gateway.url, "admin", { path: FILES, tabs: 2 });
  const [a, b] = [admin.pages[0]!, admin.pages[1]!];
  const passed = () => gateway.passed(ADDRESS, "GET");
  const saves: Download[] = [];
  for (const page of [a, b]) page.on("download", (one) => saves.push(one));
  const name = "年度 报告.pdf";
  const file = largeFile(MEGABYTES);
  const press = async (page: Page): Promise<void> => {
    await page.bringToFront();
    await page.getByRole("button", { name: `下载 ${name}` }).click();
  };
  try {
    await a.bringToFront();
    await store(a, name, MEGABYTES);

    // An outage: four parts pass, and the other four follow.
    gateway.refuse(ADDRESS, 503, 4);
    await press(a);
    await expect.poll(() => stateOf(a)).toBe("paused");
    expect(passed()).toBe(4);
    await expect(button(a)).toHaveAccessibleName("文件下载: 1 个 · 48%");
    gateway.refuse(null);
    await expect.poll(() => saves.length, { timeout: 30_000 }).toBe(1);
    expect(passed()).toBe(PARTS);
    expect(await contentOf(saves[0]!)).toEqual({ name, ...file });
    await expect(button(a)).toHaveCount(0);

    // The core dies, and the tab begins again.
    gateway.refuse(ADDRESS, 503, 4);
    await press(a);
    await expect.poll(() => stateOf(a)).toBe("paused");
    const before = await coreId(a);
    await killCore(a);
    await expect.poll(() => coreId(a)).not.toBe(before);
    gateway.refuse(null);
    await expect.poll(() => saves.length, { timeout: 30_000 }).toBe(2);
    expect(passed()).toBe(PARTS + 4 + PARTS);
    expect(await contentOf(saves[1]!)).toEqual({ name, ...file });

    // The tab ends, and another one saves the file.
    gateway.refuse(ADDRESS, 503, 4);
    await press(a);
    await expect.poll(() => stateOf(a)).toBe("paused");
    await a.close();
    await b.bringToFront();
    await expect(button(b)).toHaveAccessibleName("文件下载: 1 个 · 48%");
    gateway.refuse(null);
    await expect.poll(() => saves.length, { timeout: 30_000 }).toBe(3);
    expect(await contentOf(saves[2]!)).toEqual({ name, ...file });
    await expect(button(b)).toHaveCount(0);
    expect(passed()).toBe(PARTS + 4 + 2 * PARTS);
  } finally {
    await admin.close();
    await gateway.close();
  }
});

test("The list of downloads shows size, share and words, works by keyboard, wide and narrow, in both languages, and ends a download in every tab", async ({
  browser,
  server,
}) => {
  test.setTimeout(120_000);
  const gateway = await startGateway(server.url);
  const admin = await loggedIn(browser, gateway.url, "admin", { path: FILES, tabs: 2 });
  const [page, other] = [admin.pages[0]!, admin.pages[1]!];
  const name = "巡查记录.pdf";
  let saves = 0;
  page.on("download", () => (saves += 1));
  try {
    await page.bringToFront();
    await store(page, name, 3);
    gateway.refuse(ADDRESS, 503, 1);
    await page.getByRole("button", { name: `下载 ${name}` }).click();
    await expect(button(page)).toHaveAccessibleName("文件下载: 1 个 · 8%");
    await tabTo(page, button(page));
    await page.keyboard.press("Enter");
    await expect(panel(page)).toBeFocused();
    const line = panel(page).getByRole("listitem");
    await expect(line).toContainText(`${name}3 MB · 8% · 连接中断，恢复后自动继续`);
    await expect(line.getByRole("progressbar", { name: `下载进度 ${name}` })).toBeVisible();
    await shoot(page, "downloads");
    await expectAccessible(page, "downloads");
    await page.keyboard.press("Escape");
    await expect(button(page)).toBeFocused();

    // Beside an upload, one button has both.
    gateway.refuse(/\/common\/(upload|download)/, 503, 0);
    await queueLargeFile(page, { key: "up", name: "上报.pdf", megabytes: 3 });
    await page.getByRole("button", { name: "文件传输: 2 个 · 4%" }).click();
    const both = page.getByRole("dialog", { name: "文件传输" }).getByRole("listitem");
    await expect(both).toHaveCount(2);
    await shoot(page, "transfers");
    await page.getByRole("button", { name: "取消上传 上报.pdf" }).click();
    await expect(panel(page)).toBeVisible();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "切换语言" }).click();
    await page.getByRole("button", { name: "Downloads: 1 · 8%" }).click();
    const english = page.getByRole("dialog", { name: "Downloads" });
    await expect(english.getByRole("listitem")).toContainText("3 MB · 8% · The connection is lost");
    await english.getByRole("button", { name: `Cancel ${name}` }).click();
    await expect(english).toHaveCount(0);
    await other.bringToFront();
    await expect(other.getByRole("button", { name: /^(文件下载|Downloads)/ })).toHaveCount(0);
    gateway.refuse(null);
    expect([await stateOf(other), saves]).toEqual([undefined, 0]);
  } finally {
    await admin.close();
    await gateway.close();
  }
});

test("A file that is gone meanwhile says so at once, stays in the list until it is removed, and a download of a moment never shows there", async ({
  browser,
  server,
}) => {
  const gateway = await startGateway(server.url);
  const admin = await loggedIn(browser, gateway.url, "admin", { path: FILES });
  const page = admin.pages[0]!;
  const name = "旧表.pdf";
  try {
    await store(page, name, 1);
    const press = () => page.getByRole("button", { name: `下载 ${name}` }).click();
    const shown = await page.evaluateHandle(() => {
      const labels = new Set<string>();
      let lasted = false;
      new MutationObserver(() => {
        const { byKey } = globalThis.consoleCore.state.downloads;
        // On a busy machine the download may last longer than a moment, and is then shown.
        lasted ||= Object.values(byKey).some(({ listed }) => listed);
        if (lasted) return;
        for (const one of document.querySelectorAll(".header-import")) labels.add(one.ariaLabel!);
      }).observe(document.body, { childList: true, subtree: true });
      return labels;
    });
    const saved = page.waitForEvent("download");
    await press();
    expect((await contentOf(await saved)).size).toBe(largeFile(1).size);
    await expect.poll(() => stateOf(page)).toBeUndefined();
    expect(await shown.evaluate((labels) => [...labels])).toEqual([]);

    gateway.treat((path) =>
      ADDRESS.test(path)
        ? { status: 404, body: { code: 1, msg: "文件不存在", error: "request.not-found" } }
        : "pass",
    );
    await press();
    await expect(page.getByText("文件不存在").first()).toBeVisible();
    await page.getByRole("button", { name: "文件下载: 1 个失败" }).click();
    await expect(panel(page).getByRole("listitem")).toContainText("文件不存在");
    const again = page.waitForEvent("download");
    gateway.treat(null);
    await page.getByRole("button", { name: `重新下载 ${name}` }).click();
    expect((await contentOf(await again)).name).toBe(name);
    await expect(button(page)).toHaveCount(0);
  } finally {
    await admin.close();
    await gateway.close();
  }
});
