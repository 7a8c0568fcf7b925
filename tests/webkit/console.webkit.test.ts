/**
 * The console in WebKitGTK (`npm run test:torture -- webkit`): login, two tabs with one core, chat with a Chromium, an import,
 * and a core that is killed. WebKitGTK has no RTCPeerConnection, so there is no call.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openChat } from "../support/calls.ts";
import { bubbles, sendText } from "../support/chat.ts";
import { launchOptions } from "../support/chromium.ts";
import { employeesCsv } from "../support/employees-file.ts";
import { loggedIn, PASSWORD, type Person } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { startWebKit, type WebKit, type WebKitElement } from "./driver.ts";
import { sharedWorkerProcess } from "./processes.ts";

const IMPORT_PAGE = "/DataBatchImport2/index";
const ROWS = 500;

let server: TestServer;
let webkit: WebKit;
let browser: Browser;
let li: Person;
let folder: string;

const button = (name: string): Promise<WebKitElement> =>
  webkit.element(
    "return [...document.querySelectorAll('button')].find((b) => b.textContent.trim() === args[0] && !b.disabled)",
    name,
  );
// The id is empty before the first snapshot.
const coreId = (): Promise<string> =>
  webkit.until<string>(
    "return globalThis.consoleCore?.connection.state === 'ready' && (globalThis.consoleCore.state.worker.coreId || null)",
  );
const shown = (): Promise<string[]> =>
  webkit.run("return [...document.querySelectorAll('.message-bubble')].map((e) => e.textContent)");
const sees = (text: string): Promise<boolean> =>
  webkit.until(
    "return [...document.querySelectorAll('.message-bubble')].some((e) => e.textContent === args[0])",
    text,
  );
async function write(text: string): Promise<void> {
  const field = await webkit.element("return document.querySelector('textarea')");
  await field.click();
  await field.type(text);
  await (await button("发送")).click();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "console-webkit-"));
  server = await startServer();
  browser = await chromium.launch(launchOptions());
  li = await loggedIn(browser, server.url, "lina");
  await vi.waitFor(async () => expect(await server.metric("chat_sockets")).toBe(1), 30_000);
  webkit = await startWebKit();
}, 180_000);
afterAll(async () => {
  await webkit?.close();
  await li?.close();
  await browser?.close();
  await server?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

it("A person logs in with the form", async () => {
  await webkit.open(`${server.url}/login`);
  const name = await webkit.element(
    "return document.querySelector('input[autocomplete=username]')",
  );
  await name.type("admin");
  const password = await webkit.element("return document.querySelector('input[type=password]')");
  await password.type(PASSWORD);
  await (await button("登录")).click();
  await webkit.until("return !location.pathname.startsWith('/login')");
  await webkit.until("return globalThis.consoleCore.state.session.infoLoaded");
  expect(await webkit.run("return globalThis.consoleCore.state.session.status")).toBe(
    "authenticated",
  );
  expect(await webkit.run("return typeof RTCPeerConnection")).toBe("undefined");
});

it("Two tabs share one core, which is evaluated only once", async () => {
  const first = await coreId();
  const begun = await webkit.run("return globalThis.consoleCore.state.worker.startedAt");
  const tab = await webkit.tab();
  const second = await webkit.newTab();
  await webkit.switchTo(second);
  await webkit.open(`${server.url}/im/people`);
  expect(await coreId()).toBe(first);
  expect(await webkit.run("return globalThis.consoleCore.state.worker.startedAt")).toBe(begun);
  // If a core is evaluated twice, the second one accepts the tabs but never gets the sockets.
  await webkit.until("return globalThis.consoleCore.state.worker.sockets.chat.state === 'open'");
  // One socket of the person in Chromium, and one for both tabs.
  expect(await server.metric("chat_sockets")).toBe(2);
  // The core sends neither chat nor import to a hidden tab; the second tab becomes visible when the first is closed.
  await webkit.switchTo(tab);
  await webkit.closeTab();
  await webkit.switchTo(second);
  await webkit.until("return document.visibilityState === 'visible'");
  expect(await coreId()).toBe(first);
});

it("Chat with Chromium works in both directions", async () => {
  const person = await webkit.element(
    "return [...document.querySelectorAll('[role=listitem], li')].find((e) => e.textContent.includes('李娜'))",
  );
  await person.click();
  await write("from WebKit");
  await sees("from WebKit");
  const [page] = li.pages;
  await openChat(page!, "管理员");
  await expect.poll(() => bubbles(page!), { timeout: 20_000 }).toContain("from WebKit");
  await sendText(page!, "来自 Chromium");
  await sees("来自 Chromium");
  expect((await shown()).slice(-2)).toEqual(["from WebKit", "来自 Chromium"]);
});

it("A call is refused with an explanation before it rings", async () => {
  const call = await webkit.element("return document.querySelector('[aria-label=视频通话]')");
  await call.click();
  await webkit.until(
    "return document.body.textContent.includes('当前浏览器不支持音视频通话（RTCPeerConnection）')",
  );
  expect(await webkit.run("return globalThis.consoleCore.state.call.status")).toBe("idle");
});

it("When the core is killed, a new one takes over and chat goes on", async () => {
  const before = await coreId();
  // The process of the first tab, which is closed, continues to run only for the core.
  process.kill(sharedWorkerProcess(webkit.driverPid), "SIGKILL");
  await webkit.until(
    "return globalThis.consoleCore.connection.state === 'ready' && !['', args[0]].includes(globalThis.consoleCore.state.worker.coreId)",
    before,
  );
  await webkit.until("return globalThis.consoleCore.state.session.status === 'authenticated'");
  await write("with a new core");
  const [page] = li.pages;
  await expect.poll(() => bubbles(page!), { timeout: 20_000 }).toContain("with a new core");
  await sendText(page!, "收到");
  await sees("收到");
  expect((await shown()).slice(-4)).toEqual([
    "from WebKit",
    "来自 Chromium",
    "with a new core",
    "收到",
  ]);
});

it("A file is imported, and every row is in the database", async () => {
  const file = join(folder, "员工.csv");
  writeFileSync(file, employeesCsv({ rows: ROWS, seed: 4 }));
  await webkit.open(server.url + IMPORT_PAGE);
  await coreId();
  const count = (): Promise<number> =>
    webkit.run(
      "return (await globalThis.consoleCore.commands.rest.call({ call: 'employees.list', query: { limit: 1 } })).total",
    );
  const before = await count();
  const input = await webkit.element("return document.querySelector('[data-testid=import-file]')");
  await input.type(file);
  await (await button("开始检查")).click();
  await (await button(`导入 ${ROWS} 行`)).click();
  await webkit.until("return document.querySelector(\"[data-import-state='done']\") !== null");
  expect(await count()).toBe(before + ROWS);
});
