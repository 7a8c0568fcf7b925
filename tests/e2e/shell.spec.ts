/** The service worker of the console (docs/shell.md): a visit while the server is down, and deployments under open tabs. */
import type { Page } from "@playwright/test";
import { dial, hangUpButton } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { goTo, outageBar } from "../support/outage.ts";
import { loggedIn, type Person } from "../support/people.ts";

test.use({ serverEnv: { TEST_SERVER: "shell" } });

/** The service worker answers for the page, and has the whole shell and the code of this screen. */
const whenKept = (page: Page, screen: RegExp) =>
  expect
    .poll(
      async () => {
        const kept = await keptPaths(page);
        return kept.includes("/index.html") && kept.some((path) => screen.test(path));
      },
      { timeout: 60_000 },
    )
    .toBe(true);
const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) {
        paths.push(new URL(url).pathname);
      }
    }
    return paths;
  });
const DOWN = /ERR_CONNECTION|ERR_FAILED|Failed to load resource|WebSocket connection|\[core\]/;
const newBuildBar = (page: Page) => page.locator("[data-newer-build]");

test("While the server is down a second visit opens from the cache under the outage bar, and goes on when the server is back", async ({
  people,
  server,
}) => {
  people.expectComplaints(DOWN);
  const zhang = await people.loggedIn("zhangwei", { serviceWorker: true });
  const page = zhang.pages[0]!;
  await whenKept(page, /people\.fixed-.*js$/);
  const kept = await keptPaths(page);
  // Nothing of a person: the cache holds code alone.
  expect(kept.filter((path) => path !== "/index.html" && !path.startsWith("/assets/"))).toEqual([]);
  expect(kept.some((path) => path.startsWith("/assets/core-"))).toBe(true);

  await server.kill();
  const fresh = await zhang.open("/im/people");
  await expect(outageBar(fresh)).toBeVisible();
  await expect(outageBar(fresh)).toHaveAttribute("data-outage", "down");
  await expect(fresh.getByRole("navigation", { name: "主菜单" })).toBeVisible();
  await shoot(fresh, "shell-offline");
  await page.reload();
  await expect(outageBar(page)).toBeVisible();
  await page.close();
  await fresh.reload();
  await expect(outageBar(fresh)).toBeVisible();

  await server.start();
  await expect(fresh.locator(".contact-row").first()).toBeVisible({ timeout: 60_000 });
  await expect(outageBar(fresh)).toHaveCount(0);
});

test("A second visit loads no code over the network", async ({ browser, server }) => {
  const gateway = await startGateway(server.url);
  const who = await loggedIn(browser, gateway.url, "admin", {
    path: "/system/config",
    serviceWorker: true,
  });
  const page = who.pages[0]!;
  await whenKept(page, /config\.fixed-.*js$/);
  await expect
    .poll(() => page.evaluate(() => globalThis.consoleCore.state.chat.connection))
    .toBe("open");
  const loaded = gateway.count(/^\/assets\//);
  const next = await who.open("/system/config");
  await expect(next.getByRole("row").filter({ hasText: "sys.index.theme" })).toBeVisible();
  expect(gateway.count(/^\/assets\//)).toBe(loaded);
  expect(who.complaints).toEqual([]);
  await who.close();
  await gateway.close();
});

test.describe("A deployment under open tabs", () => {
  let gateway: Gateway;
  let who: Person;
  let first: Page;
  let second: Page;
  test.beforeEach(async ({ browser, server }) => {
    gateway = await startGateway(server.url);
    who = await loggedIn(browser, gateway.url, "admin", {
      tabs: 2,
      path: "/system/config",
      serviceWorker: true,
    });
    [first, second] = who.pages as [Page, Page];
    await whenKept(first, /config\.fixed-.*js$/);
  });
  test.afterEach(async () => {
    await who.close();
    await gateway.close();
  });

  test("A page whose code is gone offers the new version in every tab, and a click loads it", async () => {
    gateway.deploy("next", /^\/assets\/(dict|logininfor)\./);
    await goTo(first, "字典管理", "系统管理");
    for (const tab of [first, second]) {
      await expect(newBuildBar(tab)).toContainText("系统已更新，刷新后生效");
      await expect(newBuildBar(tab).getByRole("button", { name: "刷新" })).toBeEnabled();
    }
    const place = first.locator(".plain-inner");
    await expect(place.getByRole("heading", { name: "系统已更新，刷新后生效" })).toBeVisible();
    await expectAccessible(first, "a page of the former build");
    await shoot(first, "shell-new-version");
    // What the second tab shows goes on.
    await expect(second.getByRole("row").filter({ hasText: "sys.index.theme" })).toBeVisible();

    // The reload finds the code again.
    gateway.deploy(null);
    await second.evaluate(() => globalThis.consoleCore.commands.worker.checkBuild({}));
    await expect(newBuildBar(second)).toHaveCount(0);
    await first
      .getByRole("button", { name: /刷新|重试/ })
      .last()
      .click();
    await expect(first.getByRole("row").nth(1)).toBeVisible();
    await expect(newBuildBar(first)).toHaveCount(0);
    const strange = who.complaints.filter(
      (line) => !/status of 404|dynamically imported/.test(line),
    );
    expect(strange).toEqual([]);
  });

  test("The worker of a new build keeps its shell before the reload, beside the build before, and drops older ones", async ({
    server,
  }) => {
    // Two builds are loaded whole, and the server is killed and started again.
    const check = () => first.evaluate(() => globalThis.consoleCore.commands.worker.checkBuild({}));
    /** The builds whose shells are complete. */
    const shells = () =>
      first.evaluate(async () => {
        const complete: string[] = [];
        for (const name of await caches.keys()) {
          if ((await (await caches.open(name)).match("/index.html")) !== undefined) {
            complete.push(name);
          }
        }
        return complete;
      });
    const [own] = await shells();
    gateway.deploy("next-1");
    await check();
    await expect.poll(shells, { timeout: 60_000 }).toEqual([own, "shell-next-1"]);
    gateway.deploy("next-2");
    await check();
    await expect.poll(shells, { timeout: 60_000 }).toEqual(["shell-next-1", "shell-next-2"]);
    expect(who.complaints).toEqual([]);
    await server.kill();
    await first.reload();
    await expect(outageBar(first)).toBeVisible();
    await server.start();
    await expect(outageBar(first)).toHaveCount(0);
  });

  test("A half-filled form is asked about before a reload by the browser, and stays when the person keeps it", async () => {
    await first.getByRole("button", { name: "新增" }).click();
    const dialog = first.getByRole("dialog", { name: "新增参数" });
    await dialog.getByLabel("参数名称").fill("写到一半");
    gateway.deploy("next");
    await second.evaluate(() => globalThis.consoleCore.commands.worker.checkBuild({}));
    await expect(newBuildBar(first)).toBeVisible();
    const asked = new Promise<string>((resolve) => {
      first.once("dialog", (question) => {
        resolve(question.type());
        void question.dismiss();
      });
    });
    await first.evaluate(() => location.reload());
    expect(await asked).toBe("beforeunload");
    await expect(dialog.getByLabel("参数名称")).toHaveValue("写到一半");
    expect(who.complaints).toEqual([]);
  });
});

test("During a call the new version waits for its end, and goes away when the deployment is taken back", async ({
  browser,
  people,
  server,
}) => {
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei");
  await people.loggedIn("lina");
  const page = zhang.pages[0]!;
  const check = () => page.evaluate(() => globalThis.consoleCore.commands.worker.checkBuild({}));
  const button = newBuildBar(page).getByRole("button", { name: "刷新" });
  await dial(page, "李娜");
  await expect(hangUpButton(page)).toBeVisible();
  gateway.deploy("next");
  await check();
  await expect(newBuildBar(page)).toContainText("系统已更新，通话结束后可刷新");
  await expect(button).toBeDisabled();
  await hangUpButton(page).click();
  await expect(button).toBeEnabled();
  gateway.deploy(null);
  await check();
  await expect(newBuildBar(page)).toHaveCount(0);
  expect(zhang.complaints).toEqual([]);
  await zhang.close();
  await gateway.close();
});
