/** Messages that come while no tab of the console is visible: one notification of the system, and their number in each title. */
import { composer, sendText } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { clickNotice, setVisible, shownNotices, stubNotices } from "../support/system-notices.ts";

// The titles of pages count unread messages, so none of other tests may be there.
test.use({ serverEnv: { TEST_SERVER: "message notices" } });

test("Of two hidden tabs one shows a new message, both count it, a click opens it; a silent conversation shows none", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina", { tabs: 2, path: "/dashboard" });
  const a = zhang.pages[0]!;
  await a.goto("/im/people?chat=lina");
  const [first, last] = [li.pages[0]!, li.pages[1]!];
  for (const page of li.pages) {
    await stubNotices(page);
    await expect
      .poll(() => page.evaluate(() => globalThis.consoleCore.state.chat.connection))
      .toBe("open");
  }
  await last.getByRole("button", { name: /^用户菜单/ }).click();
  await last.getByRole("menuitem", { name: "布局设置" }).click();
  const drawer = last.getByRole("dialog", { name: "系统布局配置" });
  const choice = drawer.getByRole("switch", { name: "新消息桌面通知" });
  await choice.click();
  await expect(choice).toBeChecked();
  await drawer.getByRole("button", { name: "关闭" }).click();
  await setVisible(li.pages, false);
  const before = await first.evaluate(() => globalThis.consoleCore.state.news.unread);
  const shown = () => shownNotices(li.pages);
  await expect(composer(a)).toBeVisible();

  await sendText(a, "有空看一下");
  await expect.poll(shown).toEqual(["张伟: 有空看一下"]);
  for (const page of li.pages) {
    await expect(page).toHaveTitle(new RegExp(`^\\(${before + 1}\\) `));
  }
  await expect.poll(() => shownNotices([last])).toEqual(["张伟: 有空看一下"]);
  await clickNotice(last);
  await expect(last).toHaveURL(/\/im\/people\?chat=zhangwei$/);
  await expect.poll(shown).toEqual([]);
  await setVisible([last], true);
  await expect(last.locator(".message-bubble").last()).toHaveText("有空看一下");
  await expect(last).not.toHaveTitle(/^\(/);

  // The person sees a tab: no notification, although the other tab is hidden.
  await sendText(a, "第二句");
  await expect(last.locator(".message-bubble").last()).toHaveText("第二句");
  expect(await shown()).toEqual([]);

  await last.evaluate(() =>
    globalThis.consoleCore.commands.chat.mute({ chatId: "zhangwei", on: true }),
  );
  await setVisible([last], false);
  await sendText(a, "静音以后");
  await expect
    .poll(() =>
      last.evaluate(() =>
        globalThis.consoleCore.commands.chat.mute({ chatId: "zhangwei", on: false }),
      ),
    )
    .toBeNull();
  // The next one of a conversation that is no longer silent comes alone.
  await sendText(a, "又可以了");
  await expect.poll(shown).toEqual(["张伟: 又可以了"]);

  await last.evaluate(() => globalThis.consoleCore.commands.chat.mute({ chatId: null, on: true }));
  await expect.poll(shown).toEqual([]);
  await last.evaluate(() => globalThis.consoleCore.commands.chat.mute({ chatId: null, on: false }));
});
