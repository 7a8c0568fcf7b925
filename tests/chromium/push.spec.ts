/**
 * A call rings a browser without a tab (docs/calls.md#web-push). Only the push service between the server and the browser is the
 * test's own: it decrypts what the server sent and hands it to the browser's real service worker.
 */
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import {
  startPushService,
  type TestPushService,
} from "../../src/server/modules/push/push-service.harness.ts";
import { answerButton, callStatus, dial, expectMedia, hangUpButton } from "../support/calls.ts";
import { chromiumArgs, chromiumPath } from "../support/chromium.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";
import { clickRing, shownRings } from "../support/ring-notices.ts";
import { loggedIn, type Person } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** Runs in the page, in place of the browser's connection to its push service. */
function stubPushManager(browser: ReturnType<TestPushService["browser"]>): void {
  const KEY = "test-push";
  const subscription = () => {
    const key = localStorage.getItem(KEY);
    if (key === null) return null;
    return {
      endpoint: browser.endpoint,
      options: { applicationServerKey: Uint8Array.from(JSON.parse(key) as number[]).buffer },
      toJSON: () => browser,
      async unsubscribe() {
        localStorage.removeItem(KEY);
        return true;
      },
    };
  };
  PushManager.prototype.getSubscription = async () => subscription() as never;
  PushManager.prototype.subscribe = async (options) => {
    const bytes = options?.applicationServerKey as Uint8Array;
    localStorage.setItem(KEY, JSON.stringify([...bytes]));
    return subscription() as never;
  };
}

/** The browser of a person whose console is closed. A page that is not the console keeps the test's connection. */
async function createRinging(who: Person, url: string, service: TestPushService) {
  const page = await who.context.newPage();
  await page.goto("/openapi");
  const session: CDPSession = await who.context.newCDPSession(page);
  const registrations: string[] = [];
  session.on("ServiceWorker.workerRegistrationUpdated", (event) => {
    for (const { registrationId, scopeURL } of event.registrations) {
      if (scopeURL === `${url}/`) registrations.push(registrationId);
    }
  });
  await session.send("ServiceWorker.enable");
  await expect.poll(() => registrations.length).toBeGreaterThan(0);
  let delivered = 0;
  return {
    /** Hands the next push to the service worker. */
    async deliver() {
      const push = (await service.until(delivered + 1))[delivered];
      delivered += 1;
      await session.send("ServiceWorker.deliverPushMessage", {
        origin: url,
        registrationId: registrations[0] ?? "",
        data: push?.text ?? "",
      });
      return push?.payload;
    },
    shown: () => shownRings(page),
    click: (action: string) => clickRing(who, url, action),
  };
}

const drawerOf = async (page: Page) => {
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  await page.getByRole("menuitem", { name: "布局设置" }).click();
  return page.getByRole("dialog", { name: "系统布局配置" });
};
/** The console starts after the page's load event. */
const whenStarted = (page: Page) =>
  page.waitForFunction(
    () =>
      (globalThis.consoleCore as typeof globalThis.consoleCore | undefined)?.state.session
        .infoLoaded === true,
  );
const RING = ["张伟", "邀请您进行视频通话", "接听", "拒绝"];

test.describe("A browser without a tab", () => {
  let service: TestPushService;
  let server: TestServer;
  let browser: Browser;
  test.beforeAll(async () => {
    service = await startPushService();
    server = await startServer({ PUSH_ORIGINS: service.origin });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArgs] });
  });
  test.afterAll(async () => {
    await browser.close();
    await server.dispose();
    await service.close();
  });

  test("rings by a notification, whose buttons answer and refuse; another device's answer and a missed call replace it", async () => {
    const li = await loggedIn(browser, server.url, "lina", {
      tabs: 0,
      serviceWorker: true,
      permissions: ["camera", "microphone", "notifications"],
    });
    await li.context.addInitScript(stubPushManager, service.browser());
    const zhang = await loggedIn(browser, server.url, "zhangwei");
    const [a] = zhang.pages as [Page];
    const first = await li.open("/im/people");
    const drawer = await drawerOf(first);
    const line = drawer.getByRole("switch", { name: "关闭页面后来电提醒" });
    await expect(line).toHaveAttribute("aria-checked", "false");
    await line.click();
    await expect(line).toHaveAttribute("aria-checked", "true");
    await expect(drawer.getByText("没有打开本页也会提醒来电")).toBeVisible();
    await shoot(first, "push-settings");
    const ringing = await createRinging(li, server.url, service);
    const connected = () => server.metric("chat_sockets");
    const close = async (page: Page): Promise<void> => {
      await page.close();
      await expect.poll(connected).toBe(1);
    };
    await close(first);

    // 接听
    await dial(a, "李娜");
    expect(await ringing.deliver()).toMatchObject({ kind: "ring", name: "张伟" });
    await expect.poll(ringing.shown).toEqual([RING]);
    const path = await ringing.click("answer");
    expect(path).toBe(`/im/people?chat=${await nameOf(a)}`);
    await expect.poll(() => ringing.shown()).toEqual([]);
    const second = await li.open(path ?? "");
    await whenStarted(second);
    await expect.poll(() => callStatus(second)).toBe("chat");
    await expectMedia(second);
    await expectMedia(a);
    expect(await ringing.deliver()).toMatchObject({ kind: "end", how: "answered" });
    await expect.poll(ringing.shown).toEqual([]);
    await hangUpButton(a).click();
    await expect.poll(() => callStatus(second)).toBe("idle");

    // 拒绝
    await close(second);
    await a.getByRole("button", { name: "视频通话" }).click();
    expect(await ringing.deliver()).toMatchObject({ kind: "ring" });
    await expect.poll(ringing.shown).toEqual([RING]);
    expect(await ringing.click("refuse")).toBeNull();
    await expect.poll(() => callStatus(a)).toBe("idle");
    const outcome = () => a.evaluate(() => globalThis.consoleCore.state.call.lastOutcome?.outcome);
    expect(await outcome()).toBe("refused");
    await expect.poll(() => ringing.shown()).toEqual([]);

    // Another device answers.
    const desk = await loggedIn(browser, server.url, "lina");
    const [d] = desk.pages as [Page];
    await a.getByRole("button", { name: "视频通话" }).click();
    expect(await ringing.deliver()).toMatchObject({ kind: "ring" });
    await expect.poll(ringing.shown).toEqual([RING]);
    await answerButton(d).click();
    expect(await ringing.deliver()).toMatchObject({ kind: "end", how: "answered" });
    await expect.poll(ringing.shown).toEqual([["张伟", "已在其他设备接听"]]);
    await expect.poll(() => callStatus(a)).toBe("chat");
    await hangUpButton(a).click();
    await expect.poll(() => callStatus(a)).toBe("idle");
    await desk.close();
    await expect.poll(connected).toBe(1);

    // The caller gives up. It is another person, because the server pushes three calls of a pair within 30 s.
    const ops = await loggedIn(browser, server.url, "ops");
    const [o] = ops.pages as [Page];
    await dial(o, "李娜");
    expect(await ringing.deliver()).toMatchObject({ kind: "ring", name: "运维值班" });
    await hangUpButton(o).click();
    expect(await ringing.deliver()).toMatchObject({ kind: "end", how: "missed" });
    await expect.poll(ringing.shown).toContainEqual(["运维值班", "未接来电"]);

    // After a logout the browser is no longer subscribed.
    const last = await li.open("/im/people");
    await whenStarted(last);
    await last.evaluate(() => globalThis.consoleCore.commands.session.logout({}));
    await expect.poll(() => last.evaluate(() => localStorage.getItem("test-push"))).toBeNull();
    await expect.poll(ringing.shown).toEqual([]);
    expect([...li.complaints, ...zhang.complaints, ...ops.complaints]).toEqual([]);
    await li.close();
    await ops.close();
    await zhang.close();
  });
});

/** Chat user name of the person of this tab. */
const nameOf = (page: Page): Promise<string> =>
  page.evaluate(() => globalThis.consoleCore.state.session.chatUserName ?? "");
