/**
 * The server stops at random moments, and pages are opened for the first time meanwhile. Everything must continue automatically.
 */
import type { Page } from "@playwright/test";
import { openChat } from "../support/calls.ts";
import { alerts, composer, expectBothSee, sendText, storedTexts } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { goTo, outageBar } from "../support/outage.ts";
import { between, rounds, tortureRandom } from "../support/seed.ts";

const ROUNDS = rounds(10);
/** Most ms after the server's start until everything is as before. */
const WHOLE = 45_000;

/** Pages by their menu entry, and what each shows once its code and data are loaded. */
const PAGES = [
  { name: "员工列表", group: "员工管理", shown: '[data-page="/supplier/employees"] [role="row"]' },
  { name: "会议", group: undefined, shown: ".conference-lobby" },
  { name: "运行监控", group: "系统监控", shown: '[data-page="/monitor/runtime"] table' },
] as const;

test(`The console recovers from ${ROUNDS} outages of the server with pages opened meanwhile`, async ({
  people,
  server,
}) => {
  test.setTimeout(120_000 + ROUNDS * 120_000);
  people.expectComplaints(/WebSocket connection|ERR_CONNECTION|Failed to load|preload CSS/);
  const random = tortureRandom("outages");
  const admin = await people.loggedIn("admin");
  const li = await people.loggedIn("lina");
  const [a, b] = [admin.pages[0]!, li.pages[0]!];
  await openChat(a, "李娜");
  await openChat(b, "管理员");
  const all: string[] = [];
  const waits: number[] = [];
  let opened = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh: Page[] = [];
    for (const { name } of PAGES) {
      const page = await admin.open("/dashboard");
      await expect(page.getByRole("navigation", { name: "主菜单" }), name).toBeVisible();
      fresh.push(page);
    }
    // Without the browser's cache, the code of a page must be fetched.
    const devtools = await admin.context.newCDPSession(a);
    await devtools.send("Network.clearBrowserCache");
    await devtools.detach();
    const draft = `草稿 ${round}`;
    const sendNumbered = async (n: number): Promise<void> => {
      const text = `«断网 ${round}.${n}»`;
      all.push(text);
      await sendText(a, text);
    };
    await sendNumbered(0);
    await new Promise((resolve) => setTimeout(resolve, between(random, 0, 300)));
    await server.kill("SIGKILL");
    await sendNumbered(1);
    for (const [at, { name, group }] of PAGES.entries()) await goTo(fresh[at]!, name, group);
    await sendNumbered(2);
    await expect(outageBar(a)).toHaveCount(1, { timeout: 15_000 });
    for (const page of fresh) await expect(outageBar(page)).toHaveCount(1, { timeout: 15_000 });
    await composer(a).fill(draft);
    await new Promise((resolve) => setTimeout(resolve, between(random, 0, 6_000)));
    expect(await a.locator(".contact").count()).toBeGreaterThan(1);
    await server.start();
    const back = Date.now();
    for (const [at, { name, shown }] of PAGES.entries()) {
      await expect(fresh[at]!.locator(shown).first(), name).toBeVisible({ timeout: WHOLE });
      opened += 1;
    }
    await expectBothSee([a, b], all.slice(-30), WHOLE);
    for (const page of [a, b, ...fresh]) {
      await expect(outageBar(page)).toHaveCount(0, { timeout: WHOLE });
      await expect.poll(() => alerts(page), { timeout: WHOLE }).toEqual([]);
    }
    waits.push(Date.now() - back);
    expect(await composer(a).inputValue()).toBe(draft);
    for (const page of fresh) await page.close();
  }
  await server.kill();
  expect(await storedTexts(server, all)).toEqual(all);
  waits.sort((x, y) => x - y);
  console.log(
    `      ${ROUNDS} outages, ${opened} pages opened meanwhile, ${all.length} messages in the database in order; ` +
      `whole again after p50 ${waits[waits.length >> 1]} ms, at most ${waits.at(-1)} ms`,
  );
});
