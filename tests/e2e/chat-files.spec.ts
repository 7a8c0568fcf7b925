/** Pictures and files in chat: by paste and by the button, with progress, and once even if the core dies during the upload. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { composer, sendText } from "../support/chat.ts";
import { coreId, killCore } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { loggedIn } from "../support/people.ts";
import { startSlowRelay } from "../support/slow-relay.ts";

const dialog = (page: Page) => page.getByRole("dialog").filter({ hasText: "发送给" });
const card = (page: Page, name: string) => page.locator(".message-card").filter({ hasText: name });
const unsent = (page: Page) => page.locator('.message[data-status="sending"]');

/** Pastes a picture of 800 by 400 pixels, as after a screenshot. */
async function pastePicture(page: Page): Promise<void> {
  await composer(page).evaluate(async (area) => {
    const canvas = document.createElement("canvas");
    canvas.width = 800;
    canvas.height = 400;
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.fillStyle = "#1a7f37";
    context.fillRect(0, 0, 800, 400);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob === null) throw new Error("no picture");
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob], "image.png", { type: "image/png" }));
    area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
}

test("A pasted picture and a chosen file arrive, the file with its name, size and content; addresses are links", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  const b = (await people.loggedIn("lina")).pages[0]!;
  await openChat(a, "李娜");
  await openChat(b, "张伟");

  await pastePicture(a);
  await expect(dialog(a).getByRole("listitem")).toHaveCount(1);
  await dialog(a).getByRole("button", { name: "发送（1）" }).click();
  await expect(dialog(a)).toBeHidden();
  const picture = b.getByRole("button", { name: /^查看图片/ });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  const box = await picture.boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(2, 1);
  await picture.click();
  const preview = b.getByRole("dialog", { name: "图片预览" });
  const large = preview.getByRole("img");
  await expect(large).toBeVisible();
  await b.keyboard.press("+");
  await expect(large).toHaveCSS("transform", "matrix(1.25, 0, 0, 1.25, 0, 0)");
  await preview.getByRole("button", { name: "向右旋转" }).click();
  await expect(large).toHaveCSS("transform", "matrix(0, 1.25, -1.25, 0, 0, 0)");
  await shoot(b, "picture-preview");
  await expectAccessible(b, "preview of a picture");
  await b.keyboard.press("Escape");
  await expect(preview).toBeHidden();
  await expect(picture).toBeFocused();

  const content = "<b>第一行</b>\n".repeat(100);
  const chooser = a.waitForEvent("filechooser");
  await a.getByRole("button", { name: "发送图片或文件" }).click();
  await (
    await chooser
  ).setFiles({ name: "报告 v1.html", mimeType: "text/html", buffer: Buffer.from(content) });
  await dialog(a).getByRole("button", { name: "发送（1）" }).click();
  await expect(card(b, "报告 v1.html")).toContainText("1.7 KB");
  const download = b.waitForEvent("download");
  await card(b, "报告 v1.html").getByRole("link", { name: "下载 报告 v1.html" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("报告 v1.html");
  expect(await readFile(await file.path(), "utf8")).toBe(content);

  await a.locator(".conversation").evaluate((pane) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["dropped"], "拖入.txt"));
    for (const type of ["dragenter", "dragover", "drop"]) {
      pane.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  });
  await expect(dialog(a)).toContainText("拖入.txt");
  await dialog(a).getByRole("button", { name: "取消" }).click();
  await expect(dialog(a)).toBeHidden();
  await a.getByRole("button", { name: "表情" }).click();
  await a.keyboard.press("ArrowRight");
  await a.keyboard.press("Enter");
  await expect(composer(a)).toHaveValue("😄");

  await sendText(a, "看 https://example.com/a。<img src=x onerror=alert(1)> javascript:alert(2)");
  const last = b.locator(".message-bubble").last();
  await expect(last).toContainText("<img src=x onerror=alert(1)>");
  const link = last.getByRole("link");
  await expect(link).toHaveCount(1);
  await expect(link).toHaveAttribute("href", "https://example.com/a");
  await expect(link).toHaveAttribute("rel", /noopener/);
  const origin = new URL(b.url()).origin;
  await b.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await last.hover();
  await b.getByRole("button", { name: "复制", exact: true }).last().click();
  await expect(b.getByText("已复制")).toBeVisible();
  await composer(b).press("ControlOrMeta+v");
  await expect(composer(b)).toHaveValue(/^看 https.*alert\(2\)$/);
});

test("Only one message arrives when the core dies during an upload, and an upload can be cancelled", async ({
  browser,
  people,
  server,
}) => {
  const b = (await people.loggedIn("lina")).pages[0]!;
  const relay = await startSlowRelay({
    port: Number(new URL(server.url).port),
    roundTrip: 20,
    kbitPerSecond: 16_000,
  });
  const slow = await loggedIn(browser, relay.url, "zhangwei");
  try {
    const a = slow.pages[0]!;
    await openChat(a, "李娜");
    await openChat(b, "张伟");
    const send = async (name: string, megabytes: number): Promise<void> => {
      await a
        .locator('.composer input[type="file"]')
        .setInputFiles({ name, mimeType: "", buffer: Buffer.alloc(megabytes * 1024 * 1024, 1) });
      await dialog(a).getByRole("button", { name: "发送（1）" }).click();
    };
    const share = () =>
      a.evaluate(() => Object.values(globalThis.consoleCore.state.chat.uploads)[0] ?? 0);

    await send("once.bin", 6);
    await expect.poll(share, { intervals: [20] }).toBeGreaterThan(0.1);
    await expect(a.getByRole("progressbar")).toBeVisible();
    const before = await coreId(a);
    await killCore(a);
    await expect.poll(() => coreId(a)).not.toBe(before);
    await expect(card(b, "once.bin")).toBeVisible({ timeout: 60_000 });
    await expect(unsent(a)).toHaveCount(0);

    // It uploads for 9 s, so that a busy machine still clicks in time.
    await send("never.bin", 18);
    await a.getByRole("button", { name: "取消发送 never.bin" }).click();
    await expect(card(a, "never.bin")).toHaveCount(0);
    await sendText(a, "之后");
    await expect(b.locator(".message-bubble").last()).toHaveText("之后");
    await expect(card(b, "once.bin")).toHaveCount(1);
    await expect(card(b, "never.bin")).toHaveCount(0);
  } finally {
    await slow.close();
    await relay.close();
  }
});

/** Where a person sees it: rows that were just inserted get their real heights before the frame, not at once. */
const paintedTop = (locator: Locator): Promise<number> =>
  locator.evaluate(async (element) => {
    for (let frame = 1; frame <= 2; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return element.getBoundingClientRect().top;
  });

test("Older messages load as the top comes near and move nothing; a button leads back to the end", async ({
  people,
}) => {
  const a = (await people.loggedIn("ops")).pages[0]!;
  await openChat(a, "李娜");
  // the inbox brings them to this device; the next one begins behind them and has the history alone
  const known = (await people.loggedIn("lina")).pages[0]!;
  await a.evaluate(async () => {
    const { chat } = globalThis.consoleCore.commands;
    for (let n = 1; n <= 45; n += 1) await chat.send({ chatId: "lina", text: `第 ${n} 条` });
  });
  await expect(unsent(a)).toHaveCount(0, { timeout: 60_000 });
  await openChat(known, "运维值班");
  await expect(known.locator(".message-bubble").last()).toHaveText("第 45 条");
  const b = (await people.loggedIn("lina")).pages[0]!;
  await openChat(b, "运维值班");
  const bubble = (text: string) => b.locator(".message-bubble").getByText(text, { exact: true });
  await expect(bubble("第 45 条")).toBeInViewport();
  await expect(bubble("第 1 条")).toHaveCount(0);

  const list = b.getByRole("log");
  // the inbox brings the last message, the history the rest of the screen
  await expect.poll(() => b.locator(".message-bubble").count()).toBeGreaterThanOrEqual(20);
  const first = await b.locator(".message-bubble").first().textContent();
  const reading = bubble(first ?? "");
  // in one turn, before older messages can come
  const place = await reading.evaluate((element) => {
    element.closest("[role=log]")!.scrollTop = 30;
    return element.getBoundingClientRect().top;
  });
  await expect.poll(() => b.locator(".message-bubble").first().textContent()).not.toBe(first);
  // `scrollHeight` is a whole number, so a part of a pixel may remain.
  expect(Math.abs((await paintedTop(reading)) - place)).toBeLessThan(1);

  await expect
    .poll(async () => {
      await list.evaluate((element) => (element.scrollTop = 0));
      return bubble("第 1 条").count();
    })
    .toBe(1);

  // A row that grows above what is read moves nothing either.
  await bubble("第 12 条").evaluate((element) => element.scrollIntoView({ block: "start" }));
  const read = () => paintedTop(bubble("第 14 条"));
  const readAt = await read();
  await b.evaluate(async () => {
    const { commands, state } = globalThis.consoleCore;
    const { messages } = state.chat.conversations["ops"]!;
    const { id } = Object.values(messages).find(({ msg }) => msg === "第 2 条")!;
    await commands.chat.react({ chatId: "ops", id, reaction: "👍", on: true });
  });
  await expect(list.locator(".message-reactions")).toHaveCount(1);
  expect(Math.abs((await read()) - readAt)).toBeLessThan(1);

  await sendText(a, "最新的一条");
  await b.getByRole("button", { name: "1 条新消息" }).click();
  await expect(bubble("最新的一条")).toBeInViewport();
  await expect(b.getByText("新消息", { exact: true })).toBeVisible();
});
