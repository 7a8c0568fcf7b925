/**
 * The screens of calls as a person sees them, wide, on a phone, light and dark: ringing, a call of two, minimised, floating, a group call of
 * two and three, and the list of past calls. Those of 9 and 30 people are in group-call-sizes.spec.ts.
 */
import type { Locator, Page } from "@playwright/test";
import { lookAtCall, lookAtFloating } from "../support/call-looks.ts";
import { answerButton, callStatus, dial, expectMovingPicture } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { answer, chatOpen, choose, groupCall, inCall, ringing } from "../support/group-call.ts";
import { expectAccessible } from "../support/look.ts";

test.use({ serverEnv: { TEST_SERVER: "screens of calls" } });

const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };

const button = (page: Page, name: string): Locator =>
  page.getByRole("button", { name, exact: true });
const centre = (box: { x: number; width: number } | null): number =>
  Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2);
/** The distances between the middles of neighbouring buttons, px. */
async function distances(buttons: Locator): Promise<Set<number>> {
  const middles = (await Promise.all((await buttons.all()).map((one) => one.boundingBox()))).map(
    centre,
  );
  return new Set(middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0)));
}
/** How far below the tools of the stage the first tile begins, px. Runs in the page. */
function tilesBelowTools(part: Element): number {
  const [tools, tile] = [".conference-tools", ".conference-tile"].map((one) =>
    part.querySelector(one)?.getBoundingClientRect(),
  );
  return (tile?.top ?? -Infinity) - (tools?.bottom ?? Infinity);
}
/** Opens the floating window. */
async function float(page: Page): Promise<Page> {
  const [floating] = await Promise.all([
    page.context().waitForEvent("page"),
    button(page, "画中画").click(),
  ]);
  await expect(page.getByText("画面在画中画窗口中")).toBeVisible();
  await expect(floating.locator("video")).toBeVisible();
  return floating;
}

test("Each screen of a call shows all of its controls, and none of them covers another or a face", async ({
  people,
}) => {
  const all = await Promise.all(["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name)));
  const [zhang, li, admin] = all.map((who) => who.pages[0]!) as [Page, Page, Page];
  await chatOpen([zhang, li, admin]);

  // One rings the other.
  await dial(zhang, "李娜");
  await expect(answerButton(li)).toBeVisible();
  await Promise.all([
    lookAtCall(zhang, "calling", zhang.locator(".ring")),
    lookAtCall(li, "ringing", li.locator(".ring")),
  ]);
  await answerButton(li).click();
  await expect.poll(() => callStatus(zhang)).toBe("chat");
  await expectMovingPicture(zhang);
  const call = zhang.locator(".call");
  await lookAtCall(zhang, "in-call", call);
  await expect
    .poll(() => distances(call.locator(".call-controls button")))
    .toHaveProperty("size", 1);
  await button(zhang, "最小化").click();
  await lookAtCall(zhang, "minimised", zhang.locator(".pill"));
  await button(zhang, "还原窗口").click();
  const floating = await float(zhang);
  await lookAtFloating(floating, "floating");

  // It becomes a group call.
  await button(zhang, "添加成员").click();
  await choose(zhang, ["管理员"], "呼叫");
  await inCall(zhang);
  const group = zhang.locator(".gcall");
  await expect(ringing(admin)).toBeVisible();
  await lookAtCall(admin, "group-ringing", admin.locator(".ring"));
  // A ring lasts 30 s, so the rest is looked at after the answer.
  await answer(admin);
  await lookAtFloating(floating, "floating-group");
  await button(zhang, "退出画中画").first().click();
  const tiles = group.locator(".conference-tile");
  await expect(tiles).toHaveCount(3);
  await lookAtCall(zhang, "group-call-3", group);
  await expectAccessible(zhang, "a group call of three", ".gcall");
  // Who began the call reads the names of the others, not the own one.
  await expect(group.locator(".gcall-who strong")).toHaveText("李娜、管理员");
  await expect.poll(() => distances(group.locator(".gcall-bar button"))).toHaveProperty("size", 1);
  // The last row stands in the middle.
  await expect.poll(async () => centre(await tiles.last().boundingBox())).toBe(WIDE.width / 2);
  await zhang.setViewportSize(PHONE);
  await expect(button(zhang, "全屏")).toBeVisible();
  await expect.poll(() => group.evaluate(tilesBelowTools)).toBeGreaterThanOrEqual(0);
  await zhang.setViewportSize(WIDE);

  // Minimised, it can be dragged aside.
  await button(zhang, "最小化").click();
  const pill = zhang.locator(".pill");
  await lookAtCall(zhang, "group-minimised", pill);
  const from = (await pill.boundingBox())!;
  await zhang.mouse.move(from.x + 60, from.y + 14);
  await zhang.mouse.down();
  await zhang.mouse.move(from.x - 240, from.y + 214, { steps: 4 });
  await zhang.mouse.up();
  const to = (await pill.boundingBox())!;
  expect([to.x, to.y].map(Math.round)).toEqual([from.x - 300, from.y + 200].map(Math.round));

  // Two are left.
  await button(admin, "挂断").click();
  await button(zhang, "还原窗口").click();
  await expect(tiles).toHaveCount(2);
  await lookAtCall(zhang, "group-call-2", group);
  for (const page of [li, zhang]) await button(page, "挂断").click();
  await expect.poll(async () => (await groupCall(zhang)).status).toBe("idle");
  await zhang.goto("/im/calls");
  await expect(zhang.getByRole("row")).toHaveCount(3);
  await expect(zhang.getByRole("row").nth(1)).toContainText(/良好|一般|较差/);
  await lookAtRecords(zhang);
});

/** Every column of the list of past calls is readable beside the buttons of the rows. */
async function lookAtRecords(page: Page): Promise<void> {
  await expect(page.getByRole("combobox", { name: "结果" })).toBeVisible();
  await lookAtCall(page, "call-records", page.locator(".list-page-tools"));
  const hidden = await page.getByRole("table").evaluate((table) => {
    const bad: string[] = [];
    for (const row of table.querySelectorAll(".list-page-row")) {
      const [edge = 0] = [...row.querySelectorAll(".list-page-actions")].map(
        (one) => one.getBoundingClientRect().left,
      );
      for (const cell of row.querySelectorAll<HTMLElement>("[role]:not(.list-page-actions)")) {
        const { right } = cell.getBoundingClientRect();
        if (right > edge + 1) bad.push(`${cell.innerText} lies under the buttons`);
        // Names of many people may end in "…".
        const names = cell.innerText.includes("、");
        if (!names && cell.scrollWidth > cell.clientWidth) bad.push(`${cell.innerText} is cut off`);
      }
    }
    return bad;
  });
  expect(hidden).toEqual([]);
  await page.getByRole("button", { name: /^详情/ }).first().click();
  await lookAtCall(page, "call-record", page.locator(".row-drawer"));
}
