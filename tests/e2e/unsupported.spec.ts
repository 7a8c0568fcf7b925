/** A browser that lacks a required feature shows a text that names it, and the console stays free of errors. */
import type { Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Person } from "../support/people.ts";

/** Opens the login page after `removeFeature` has removed a feature from the browser. */
async function without(who: Person, removeFeature: () => void): Promise<Page> {
  await who.context.addInitScript(removeFeature);
  return who.open("/login");
}

const listed = (page: Page): Promise<string[]> => page.getByRole("listitem").allTextContents();
const BROWSERS = [
  "Google Chrome 120+",
  "Microsoft Edge 120+",
  "Mozilla Firefox 121+",
  "Apple Safari 17.4+",
];

test("Over plain http from another machine, the page asks for https, not for another browser", async ({
  people,
}) => {
  const page = await without(await people.anonymous("zhangwei"), () => {
    Object.defineProperty(globalThis, "isSecureContext", { value: false });
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
    Reflect.deleteProperty(Navigator.prototype, "locks");
  });
  await expect(page.getByRole("heading", { name: "请使用 https 地址访问" })).toBeVisible();
  await expect(page.getByText("当前页面不是通过 https 打开的")).toBeVisible();
  await expect.poll(() => listed(page)).toEqual([]);
});

test("Without SharedWorker, the page lists the browsers that have it, including Safari", async ({
  people,
}) => {
  const page = await without(await people.anonymous("zhangwei"), () => {
    Reflect.deleteProperty(globalThis, "SharedWorker");
  });
  await expect(page.getByText("没有共享后台线程（SharedWorker）")).toBeVisible();
  await expect.poll(() => listed(page)).toEqual(BROWSERS);
});

test("An old browser version is asked to be updated", async ({ people }) => {
  const page = await without(await people.anonymous("zhangwei"), () => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
  });
  await expect(page.getByRole("heading", { name: "浏览器版本过低" })).toBeVisible();
  await expect.poll(() => listed(page)).toEqual(BROWSERS);
});

test("Without RTCPeerConnection, the caller sees it before the other side rings", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const [page] = zhang.pages;
  await zhang.context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, "RTCPeerConnection");
  });
  await page!.reload();
  await openChat(page!, "李娜");
  await page!.getByRole("button", { name: "视频通话" }).click();
  await expect(page!.getByText("当前浏览器不支持音视频通话（RTCPeerConnection）")).toBeVisible();
  await expect
    .poll(() => page!.evaluate(() => globalThis.consoleCore.state.call.status))
    .toBe("idle");
});
