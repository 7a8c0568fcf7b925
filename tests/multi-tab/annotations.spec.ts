/** People draw over a picture: the tools, what others and late comers see, by pixels, and who may clear and forbid. */
import type { Page } from "@playwright/test";
import { CONFERENCE_PAGE, createConference, joinFromLobby, slice } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

interface Painted {
  readonly width: number;
  readonly height: number;
  /** Pixels with colour. */
  readonly count: number;
  readonly data: string;
}
/** What the canvas over a stream shows; null without one. */
const paintedOver = (page: Page, streamId: string): Promise<Painted | null> =>
  page.evaluate((id) => {
    const canvas = document.querySelector<HTMLCanvasElement>(
      `.conference-tile[data-stream="${id}"] .conference-marks`,
    );
    const { width = 0, height = 0 } = canvas ?? {};
    if (canvas === null || width === 0 || height === 0) return null;
    // A copy is read, because reading the page's own canvas again and again makes it slow, which the browser complains about.
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    const pixels = copy?.getImageData(0, 0, width, height).data ?? [];
    let count = 0;
    for (let index = 3; index < pixels.length; index += 4) if (pixels[index] !== 0) count += 1;
    return { width, height, count, data: canvas.toDataURL() };
  }, streamId);
const countOver = async (page: Page, streamId: string): Promise<number> =>
  (await paintedOver(page, streamId))?.count ?? -1;

const tileOf = (page: Page, streamId: string) =>
  page.locator(`.conference-tile[data-stream="${streamId}"]`);
/** Draws from one place of the picture to another, in parts of the tile. */
async function drag(page: Page, streamId: string, path: readonly (readonly [number, number])[]) {
  const box = (await tileOf(page, streamId).locator(".conference-marks").boundingBox())!;
  const places = path.map(([x, y]) => [box.x + x * box.width, box.y + y * box.height] as const);
  const [[x, y], ...rest] = places as [readonly [number, number], ...(readonly [number, number])[]];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const [toX, toY] of rest) await page.mouse.move(toX, toY, { steps: 8 });
  await page.mouse.up();
}
async function pin(page: Page, streamId: string): Promise<void> {
  const tile = tileOf(page, streamId);
  await tile.hover();
  await tile.getByRole("button", { name: /^固定/ }).click();
  await expect(tile).toHaveAttribute("data-large", "true");
}
const tool = (page: Page, name: string) =>
  page.getByRole("toolbar", { name: "标注工具" }).getByRole("button", { name, exact: true });

test("What one draws with each tool, others see, and who comes later sees the same pixels; own marks are undone and erased, the owner clears and forbids", async ({
  people,
}) => {
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;
  await createConference(host, "图纸会审");
  await joinFromLobby(guest, "图纸会审");
  const streamOf = async (page: Page, memName: string): Promise<string> =>
    Object.values((await slice(page)).streams).find(({ memId }) => memId === memName)?.id ?? "";
  await expect.poll(() => streamOf(host, "lina")).not.toBe("");
  const stream = await streamOf(host, "lina");
  await pin(host, stream);
  await tileOf(host, stream).getByRole("button", { name: "在李娜的画面上标注" }).click();
  await expect(tool(host, "画笔")).toBeFocused();
  await expect.poll(() => countOver(host, stream)).toBe(0);

  await drag(host, stream, [
    [0.1, 0.2],
    [0.2, 0.4],
    [0.3, 0.2],
    [0.4, 0.4],
  ]);
  for (const [index, name] of ["直线", "箭头", "矩形", "椭圆"].entries()) {
    await tool(host, name).click();
    await tool(host, `颜色 ${index + 2}`).click();
    await drag(host, stream, [
      [0.15 + index * 0.18, 0.5],
      [0.25 + index * 0.18, 0.65],
    ]);
  }
  await tool(host, "文字").click();
  const canvas = tileOf(host, stream).locator(".conference-marks");
  const { width, height } = (await canvas.boundingBox())!;
  await canvas.click({ position: { x: width * 0.55, y: height * 0.2 } });
  await host.getByRole("textbox", { name: "输入文字，按回车确认" }).fill("此处漏水 <b>3F</b>");
  await host.keyboard.press("Enter");
  await expect.poll(() => countOver(host, stream)).toBeGreaterThan(2000);
  // The owner sees them over the own picture.
  await expect.poll(() => countOver(guest, stream)).toBeGreaterThan(500);
  await shoot(host, "annotations-stage");
  await shoot(guest, "annotations-tile");
  await expectAccessible(host, "drawing over a picture");

  // Who comes later, in a page of the same size, has the same pixels.
  const late = (await people.loggedIn("zhangwei", at)).pages[0]!;
  await late.setViewportSize(host.viewportSize()!);
  await joinFromLobby(late, "图纸会审");
  await pin(late, stream);
  await expect
    .poll(async () => {
      const [first, second] = [await paintedOver(host, stream), await paintedOver(late, stream)];
      return (
        first !== null && first.count > 2000 && JSON.stringify(first) === JSON.stringify(second)
      );
    })
    .toBe(true);

  // Both draw; undo takes back the own newest mark alone.
  await tileOf(late, stream).getByRole("button", { name: "在李娜的画面上标注" }).click();
  const before = await countOver(host, stream);
  await drag(late, stream, [
    [0.1, 0.75],
    [0.8, 0.75],
  ]);
  await expect.poll(() => countOver(host, stream)).toBeGreaterThan(before);
  await tool(host, "橡皮擦（仅擦除自己的标注）").click();
  await drag(host, stream, [
    [0.5, 0.7],
    [0.5, 0.8],
  ]);
  await tool(late, "撤销").click();
  await expect.poll(() => countOver(host, stream)).toBe(before);
  await host.keyboard.press("Control+z");
  await expect.poll(() => countOver(late, stream)).toBeLessThan(before);

  // Escape ends drawing, and the focus returns.
  await host.keyboard.press("Escape");
  await expect(host.getByRole("toolbar", { name: "标注工具" })).toHaveCount(0);
  await expect(late.getByRole("button", { name: "清除全部标注" })).toHaveCount(0);

  // The owner forbids drawing, and clears after a question.
  await tileOf(guest, stream).hover();
  await tileOf(guest, stream)
    .getByRole("button", { name: /的画面上标注$/ })
    .click();
  await tool(guest, "禁止他人标注").click();
  await expect(late.getByRole("toolbar", { name: "标注工具" })).toHaveCount(0);
  await expect(tileOf(late, stream).getByRole("button", { name: /的画面上标注$/ })).toHaveCount(0);
  await tool(guest, "清除全部标注").click();
  await guest.getByRole("button", { name: "清除", exact: true }).click();
  for (const page of [host, guest, late]) {
    await expect.poll(() => countOver(page, stream)).toBe(0);
  }
});
