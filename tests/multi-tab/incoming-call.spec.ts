/** Do-not-disturb of calls, and missed calls in title and menu. */
import type { Page } from "@playwright/test";
import { callStatus, dial, hangUpButton } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";

// The titles of pages count missed calls, so none of other tests may be there.
test.use({ serverEnv: { TEST_SERVER: "incoming calls" } });

test("来电勿扰 keeps a call from ringing in every tab, the caller reads the person's words, and the missed call stands in title and menu until it is seen", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina", { tabs: 2 });
  const [a, first, last] = [zhang.pages[0]!, li.pages[0]!, li.pages[1]!];
  await last.getByRole("button", { name: /^用户菜单/ }).click();
  await last.getByRole("menuitem", { name: "布局设置" }).click();
  const drawer = last.getByRole("dialog", { name: "系统布局配置" });
  await drawer.getByRole("switch", { name: "来电勿扰" }).click();
  const words = drawer.getByRole("textbox", { name: "给来电者的留言" });
  await words.fill("开会中，三点后回电");
  await words.press("Enter");
  const kept = () =>
    last.evaluate(async () => {
      const { rest } = globalThis.consoleCore.commands;
      const { preferences } = await rest.call({ call: "preferences.list" });
      return preferences.find(({ key }) => key === "calls.quiet")?.value;
    });
  await expect.poll(kept).toBe(JSON.stringify({ on: true, note: "开会中，三点后回电" }));
  await shoot(last, "call-settings");
  await drawer.getByRole("button", { name: "关闭" }).click();

  await dial(a, "李娜");
  await expect(a.getByText("对方已开启勿扰，暂时无法接听：开会中，三点后回电")).toBeVisible();
  await expect.poll(() => callStatus(a)).toBe("idle");
  await expect(last.getByText("张伟 来电：您已开启来电勿扰，已告知对方")).toBeVisible();
  for (const page of li.pages) {
    await expect.poll(() => callStatus(page)).toBe("idle");
    await expect(page).toHaveTitle(/^\(1\) /);
  }
  await first.goto("/im/calls");
  await expect(first.getByText("未接来电").first()).toBeVisible();
  for (const page of li.pages) await expect(page).not.toHaveTitle(/^\(/);
  const off = { call: "preferences.set", body: { key: "calls.quiet", value: null } } as const;
  await last.evaluate((input) => globalThis.consoleCore.commands.rest.call(input), off);
});

test("A call to somebody who is not online says so at once and goes on; it goes away once it rings there", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const [a] = zhang.pages as [Page];
  await dial(a, "李娜");
  const dialog = a.getByRole("dialog", { name: "李娜" });
  await expect(dialog.getByText("对方不在线，正在等待对方上线…")).toBeVisible();
  await expect.poll(() => callStatus(a)).toBe("sendRing");
  await people.loggedIn("lina", { path: "/dashboard" });
  await expect(dialog.getByText("等待对方接听…")).toBeVisible();
  await hangUpButton(a).click();
  await expect.poll(() => callStatus(a)).toBe("idle");
});
