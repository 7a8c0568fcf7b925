/**
 * The console below a path of its host, behind the documented nginx with TLS at a port that is not the usual one, which sends the host
 * without the port (docs/server.md#behind-a-proxy).
 */
import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { composer, sendText } from "../support/chat.ts";
import { launchOptions } from "../support/chromium.ts";
import { belowPath, documentedNginx, hostApart } from "../support/documented.ts";
import { type Proxy, startNginx } from "../support/nginx.ts";
import { goTo } from "../support/outage.ts";
import { logIn, person, type Person } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

const PATH = "/console";
let server: TestServer;
let proxy: Proxy;
const people: Person[] = [];

// No authority knows the certificate of a test.
test.use({ launchOptions: launchOptions(["--ignore-certificate-errors"]) });
test.beforeAll(async () => {
  server = await startServer({ BASE_PATH: PATH, TRUSTED_PROXIES: "127.0.0.1" });
  proxy = await startNginx(
    server.url,
    documentedNginx((text) => hostApart(belowPath(text))),
  );
});
test.afterEach(async () => {
  for (const who of people.splice(0)) {
    await who.close();
    expect(who.complaints, "the browser's console").toEqual([]);
  }
});
test.afterAll(async () => {
  await proxy.close();
  await server.dispose();
});

/** Opens a page and logs in there by the form. Addresses of all requests of the browser are kept. */
async function enter(
  browser: Parameters<typeof person>[0],
  name: string,
  path: string,
): Promise<{ who: Person; page: Page; asked: string[] }> {
  const who = await person(browser, proxy.origin, name, undefined, "allow");
  people.push(who);
  const asked: string[] = [];
  who.context.on("request", (request) => asked.push(request.url()));
  const page = await who.open(`${PATH}${path}`);
  await logIn(page, name);
  await expect(page).toHaveURL(`${proxy.origin}${PATH}${path}`);
  return { who, page, asked };
}
const chatIs = (page: Page) => page.evaluate(() => globalThis.consoleCore.state.chat.connection);

test("A person logs in at a deep link, walks the menus, chats, sends a file and gets one, and reloads", async ({
  browser,
}) => {
  const a = await enter(browser, "zhangwei", "/im/people");
  const b = await enter(browser, "lina", "/im/people");
  await expect.poll(() => chatIs(a.page)).toBe("open");

  await openChat(a.page, "李娜");
  await openChat(b.page, "张伟");
  await sendText(a.page, "路径下的消息");
  await expect(b.page.getByText("路径下的消息").last()).toBeVisible();
  const content = "内容\n".repeat(50);
  const chooser = a.page.waitForEvent("filechooser");
  await a.page.getByRole("button", { name: "发送图片或文件" }).click();
  await (
    await chooser
  ).setFiles({ name: "报告.txt", mimeType: "text/plain", buffer: Buffer.from(content) });
  await a.page.getByRole("button", { name: "发送（1）" }).click();
  const card = b.page.locator(".message-card").filter({ hasText: "报告.txt" });
  const download = b.page.waitForEvent("download");
  await card.getByRole("link", { name: "下载 报告.txt" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toBe(content);

  await b.page.reload();
  await expect(composer(b.page)).toBeVisible();
  await expect(b.page.getByText("路径下的消息").last()).toBeVisible();

  // Everything that the browsers asked for lies below the path.
  const outside = [...a.asked, ...b.asked].filter(
    (url) => /^(https?|wss?):/.test(url) && !url.startsWith(`${proxy.origin}${PATH}`),
  );
  expect(outside).toEqual([]);
  const cookies = await a.who.context.cookies(`${proxy.origin}${PATH}/`);
  expect(cookies.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["ACCESS_TOKEN", "supplier_id"]),
  );
  for (const cookie of cookies) expect([cookie.name, cookie.path]).toEqual([cookie.name, PATH]);
  expect(await a.who.context.cookies(`${proxy.origin}/`)).toEqual([]);
});

test("Menus and lists work and survive a reload, and a page outside of the path leads inside", async ({
  browser,
}) => {
  const { page } = await enter(browser, "admin", "/dashboard");
  await goTo(page, "字典管理", "系统管理");
  await expect(page).toHaveURL(`${proxy.origin}${PATH}/system/dict`);
  await page.getByRole("link", { name: "employee_status" }).click();
  await expect(page.getByRole("heading", { name: "字典数据 · 员工状态" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "字典数据 · 员工状态" })).toBeVisible();
  // Past the proxy, where nobody is logged in.
  await page.goto(`${server.url}/system/config`);
  await expect(page).toHaveURL(new RegExp(`^${server.url}${PATH}/login`));
  await expect(page.getByRole("button", { name: "登录" })).toBeVisible();
});

test("The service worker keeps the shell of the path, which shows while the server is down", async ({
  browser,
}) => {
  const { page, who } = await enter(browser, "lina", "/im/people");
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return registration?.active === null ? null : registration?.scope;
      }),
    )
    .toBe(`${proxy.origin}${PATH}/`);
  const kept = () =>
    page.evaluate(async () => {
      const [name = ""] = await caches.keys();
      return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(kept).toContain(`${PATH}/index.html`);
  await server.kill();
  await page.reload();
  await expect(page.getByRole("navigation", { name: "主菜单" })).toBeVisible();
  await server.start();
  await expect.poll(() => chatIs(page)).toBe("open");
  who.complaints.length = 0;
});
