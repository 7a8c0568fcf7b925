/** The panel of a group of 5,000 members. The server's pages are stood in for, because so many accounts take minutes to make. */
import { expect, test } from "../support/fixtures.ts";
import { createGroup, openMembers } from "../support/groups.ts";
import { expectAccessible, shoot } from "../support/look.ts";

declare global {
  // Pages that the console asked for, set by this test.
  var askedPages: string[];
}

/** Rows that the list may have in the DOM. */
const ROWS = 100;

test("The panel of a group of 5,000 renders at most 100 rows and asks for pages of 200 as they come into sight", async ({
  people,
}) => {
  const a = (await people.loggedIn("admin", { path: "/im/people" })).pages[0]!;
  const groupId = await createGroup(a, "五千人大群", ["lina"]);
  await a.locator(`[data-group="${groupId}"]`).click();
  const panel = await openMembers(a);
  const rows = panel.getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first(), "who rules stands first").toContainText("群主");
  await panel.getByRole("textbox", { name: "搜索群成员" }).fill("李");
  await expect(rows).toHaveCount(1);
  await panel.getByRole("button", { name: "关闭" }).click();

  await a.evaluate(() => {
    const everybody = Array.from({ length: 5000 }, (_, n) => ({
      userName: `member${n}`,
      name: `成员 ${n}`,
      avatar: "",
      owner: n === 0,
      card: "",
      role: n === 0 ? ("owner" as const) : n < 3 ? ("admin" as const) : ("member" as const),
      mutedUntil: null,
      allowed: false,
    }));
    const asked: string[] = [];
    Object.assign(globalThis, { askedPages: asked });
    Object.assign(globalThis.consoleCore.commands.group, {
      memberPage({ keyword, cursor }: { keyword: string; cursor: number }) {
        asked.push(`${keyword}${cursor}`);
        const found = everybody.filter(({ name }) => name.includes(keyword));
        const members = found.slice((cursor - 1) * 200, cursor * 200);
        return Promise.resolve({ members, total: found.length });
      },
    });
  });
  const asked = () => a.evaluate(() => globalThis.askedPages);
  await openMembers(a);
  await expect(panel.getByText("成员 2", { exact: true })).toBeVisible();
  expect(await asked()).toEqual(["1"]);
  expect(await rows.count()).toBeLessThanOrEqual(ROWS);
  await expect(rows.first()).toHaveAttribute("aria-setsize", "5000");

  const box = panel.getByRole("group", { name: "群成员" });
  await box.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await expect(panel.getByText("成员 2505", { exact: true })).toBeAttached();
  expect(await rows.count()).toBeLessThanOrEqual(ROWS);
  await box.press("End");
  await expect(panel.getByText("成员 4999", { exact: true })).toBeInViewport();
  expect(await rows.count()).toBeLessThanOrEqual(ROWS);
  const pages = await asked();
  expect(new Set(pages).size, "no page is asked twice").toBe(pages.length);
  expect(pages).toContain("25");
  expect(pages.length, "what was not in sight was not asked").toBeLessThanOrEqual(8);
  await expectAccessible(a, "panel of members");
  await panel.getByRole("button", { name: "管理成员 4999" }).press("Enter");
  await expect(panel.getByRole("button", { name: "设为管理员" })).toBeInViewport();
  await shoot(a, "group-members");

  await panel.getByRole("textbox", { name: "搜索群成员" }).fill("成员 49");
  await expect(panel.getByText("成员 49", { exact: true })).toBeVisible();
  await expect(rows.first()).toHaveAttribute("aria-setsize", "111");
  expect((await asked()).at(-1)).toBe("成员 491");
});
