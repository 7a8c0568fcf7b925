/** Real touches: a swipe answers a message or leads to the next picture, and scrolling stays the browser's. */
import type { CDPSession } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { composer, unsent } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}
/** Moves a finger from one point to another in small steps; `before` runs before it leaves. */
async function drag(touch: CDPSession, from: Point, to: Point, before?: () => Promise<void>) {
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((p) => ({ ...p })) });
  const STEPS = 12;
  await send("touchStart", [from]);
  for (let step = 1; step <= STEPS; step += 1) {
    const at = (a: number, b: number): number => a + ((b - a) * step) / STEPS;
    await send("touchMove", [{ x: at(from.x, to.x), y: at(from.y, to.y) }]);
  }
  await before?.();
  await send("touchEnd", []);
}

test("R and a swipe to the right answer a message; typing, scrolling and a short swipe do not", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  await openChat(a, "运维值班");
  await a.evaluate(async () => {
    const { chat } = globalThis.consoleCore.commands;
    const numbers = Array.from({ length: 24 }, (_, n) => n + 1);
    await Promise.all(numbers.map((n) => chat.send({ chatId: "ops", text: `第 ${n} 条\n第二行` })));
  });
  await expect.poll(() => unsent(a)).toBe(0);
  const bubble = a.locator(".message-bubble").filter({ hasText: "第 22 条" });
  const about = a.locator(".composer-about");
  const stop = about.getByRole("button", { name: "取消回复" });

  await composer(a).focus();
  await bubble.hover();
  await a.keyboard.press("r");
  await expect(composer(a)).toHaveValue("r");
  await expect(about).toHaveCount(0);
  await composer(a).fill("");
  await a.getByRole("log").focus();
  await a.keyboard.press("r");
  await expect(about).toContainText("第 22 条");
  await expect(composer(a)).toBeFocused();
  await expect(composer(a)).toHaveValue("");
  await stop.click();
  await a
    .locator("li.message")
    .filter({ hasText: "第 21 条" })
    .getByRole("button", { name: "消息操作" })
    .focus();
  await a.keyboard.press("r");
  await expect(about).toContainText("第 21 条");
  await stop.click();

  const touch = await a.context().newCDPSession(a);
  const middle = async (): Promise<Point> => {
    const box = (await bubble.boundingBox())!;
    return { x: box.x + 8, y: box.y + box.height / 2 };
  };
  const cue = a.locator(".message-swipe");
  let from = await middle();
  await drag(touch, from, { x: from.x + 40, y: from.y }, async () => {
    await expect(cue).not.toHaveAttribute("data-ready");
  });
  await expect(cue).toHaveCSS("opacity", "0");
  await expect(about).toHaveCount(0);

  const top = () => a.getByRole("log").evaluate((element) => element.scrollTop);
  const end = await top();
  from = await middle();
  await drag(touch, { x: from.x, y: from.y - 100 }, { x: from.x + 30, y: from.y + 150 });
  await expect.poll(top).toBeLessThan(end - 100);
  await expect(about).toHaveCount(0);

  await bubble.scrollIntoViewIfNeeded();
  await a.setViewportSize({ width: 390, height: 844 });
  await bubble.scrollIntoViewIfNeeded();
  from = await middle();
  await drag(touch, from, { x: from.x + 90, y: from.y + 4 }, async () => {
    await expect(cue).toHaveAttribute("data-ready", "");
    await expect(cue).toHaveCSS("opacity", "1");
    if (process.env["SAVE_SCREENS"] === "1") {
      await a.screenshot({ path: ".artifacts/screens/chat-swipe-narrow.png" });
    }
  });
  await expect(about).toContainText("第 22 条");
  await expect(bubble.locator("xpath=ancestor::li")).toHaveCSS("transform", "none");
  await shoot(a, "chat-swiped");
});

/** 8 by 8 pixels. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC",
  "base64",
);

test("In the preview of pictures a swipe to the left shows the next one, to the right the previous one, and a short one neither", async ({
  people,
}) => {
  const a = (await people.loggedIn("zhangwei")).pages[0]!;
  await openChat(a, "运维值班");
  const chosen = ["一.png", "二.png"].map((name) => ({ name, mimeType: "image/png", buffer: PNG }));
  await a.locator('.composer input[type="file"]').setInputFiles(chosen);
  await a.getByRole("dialog").getByRole("button", { name: "发送（2）" }).click();
  await expect.poll(() => unsent(a)).toBe(0);
  await a
    .getByRole("button", { name: /^查看图片/ })
    .first()
    .click();
  const preview = a.getByRole("dialog", { name: "图片预览" });
  await expect(preview).toContainText("第 1 张，共 2 张");
  const picture = preview.getByRole("img");
  const touch = await a.context().newCDPSession(a);
  const stage = (await preview.getByRole("figure").boundingBox())!;
  /** The picture is small; a finger begins beside it. */
  const from = { x: stage.x + stage.width / 2 + 60, y: stage.y + stage.height / 2 + 60 };
  const swipe = async (x: number, y = 0, before?: () => Promise<void>): Promise<void> =>
    drag(touch, from, { x: from.x + x, y: from.y + y }, before);
  await swipe(-30);
  await swipe(-60, 90);
  await expect(preview).toContainText("第 1 张，共 2 张");
  await swipe(-90, 8, async () => {
    await expect(picture).toHaveCSS("transform", "matrix(1, 0, 0, 1, -90, 0)");
  });
  await expect(preview).toContainText("第 2 张，共 2 张");
  await expect(picture).toHaveCSS("transform", "matrix(1, 0, 0, 1, 0, 0)");
  await swipe(-90);
  await expect(preview).toContainText("第 2 张，共 2 张");
  // Again before the picture is back in its place.
  await swipe(90);
  await expect(preview).toContainText("第 1 张，共 2 张");
  await shoot(a, "preview-swiped");
});
