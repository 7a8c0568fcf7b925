/** A call that rings while no tab is visible: the service worker shows it with buttons, which answer and refuse in the tab. */
import { type Browser, chromium, type Page } from "@playwright/test";
import { callStatus, dial } from "../support/calls.ts";
import { chromiumArgs, chromiumPath } from "../support/chromium.ts";
import { expect, test } from "../support/fixtures.ts";
import { clickRing, shownRings } from "../support/ring-notices.ts";
import { loggedIn } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { setVisible } from "../support/system-notices.ts";

test.describe("A ring in a hidden tab", () => {
  let server: TestServer;
  let browser: Browser;
  test.beforeAll(async () => {
    server = await startServer();
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArgs] });
  });
  test.afterAll(async () => {
    await browser.close();
    await server.dispose();
  });

  test("shows a notification with buttons: 拒绝 refuses a call of two, 接听 answers a group call", async () => {
    const li = await loggedIn(browser, server.url, "lina", {
      serviceWorker: true,
      permissions: ["camera", "microphone", "notifications"],
    });
    const zhang = await loggedIn(browser, server.url, "zhangwei");
    const [[a], [b]] = [zhang.pages as [Page], li.pages as [Page]];
    await b.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await b.getByRole("button", { name: /^用户菜单/ }).click();
    await b.getByRole("menuitem", { name: "布局设置" }).click();
    const drawer = b.getByRole("dialog", { name: "系统布局配置" });
    await drawer.getByRole("switch", { name: "来电桌面通知" }).click();
    await drawer.getByRole("button", { name: "关闭" }).click();
    await setVisible([b], false);

    await dial(a, "李娜");
    await expect.poll(() => shownRings(b)).toEqual([["张伟", "邀请您视频通话", "接听", "拒绝"]]);
    await expect(b).toHaveTitle("【来电】张伟");
    await clickRing(li, server.url, "refuse");
    await expect.poll(() => callStatus(a)).toBe("idle");
    await expect
      .poll(() => a.evaluate(() => globalThis.consoleCore.state.call.lastOutcome?.outcome))
      .toBe("refused");
    await expect.poll(() => shownRings(b)).toEqual([]);

    const lina = await b.evaluate(() => globalThis.consoleCore.state.session.chatUserName);
    await a.evaluate(
      (name) =>
        globalThis.consoleCore.commands.groupCall.start({
          media: "voice",
          groupId: null,
          people: [name ?? ""],
        }),
      lina,
    );
    await expect.poll(() => shownRings(b)).toEqual([["张伟", "邀请您加入通话", "接听", "拒绝"]]);
    await clickRing(li, server.url, "answer");
    const group = (page: Page) =>
      page.evaluate(() => globalThis.consoleCore.state.groupCall.status);
    await expect.poll(() => group(b)).toBe("inCall");
    await expect.poll(() => shownRings(b)).toEqual([]);
  });
});
