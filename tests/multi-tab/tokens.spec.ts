/** Access tokens that end: one refresh for all tabs, and a refused one asks once whether to log in again (docs/session.md#refresh). */
import type { Page } from "@playwright/test";
import {
  answerButton,
  callStatus,
  dial,
  expectMedia,
  hangUpButton,
  openChat,
} from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { startGateway } from "../support/gateway.ts";
import { loggedIn, logIn, type Person } from "../support/people.ts";

test.use({ serverEnv: { ACCESS_TOKEN_TTL: "15" } });

test("Fifty requests over ten tabs after the token expired cause one refresh", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 10 });
  const first = zhang.pages[0]!;
  const refreshes = () => server.metric("http_requests_total", { route: "/uaa/refreshToken" });
  // Wait until the token has surely expired, by the server's own clock. Requests of the console's own may have renewed it meanwhile.
  let before = await refreshes();
  let issued = Date.now();
  const age = async (): Promise<number> => {
    const renewed = await refreshes();
    if (renewed !== before) [before, issued] = [renewed, Date.now()];
    return Date.now() - issued;
  };
  await expect.poll(age, { timeout: 120_000 }).toBeGreaterThan(16_000);
  const totals = await Promise.all(
    zhang.pages.flatMap((page) =>
      Array.from({ length: 5 }, () =>
        page.evaluate(() =>
          globalThis.consoleCore.commands.people.list({ limit: 10 }).then((list) => list.total),
        ),
      ),
    ),
  );
  expect(totals).toHaveLength(50);
  expect(new Set(totals).size).toBe(1);
  expect(totals[0]).toBeGreaterThan(0);
  await expect.poll(() => refreshes()).toBe(before + 1);
  await expect
    .poll(() => first.evaluate(() => globalThis.consoleCore.state.session.status))
    .toBe("authenticated");
});

/** Ends the person's session elsewhere, so that the refresh token becomes invalid. */
async function endElsewhere(who: Person, url: string): Promise<void> {
  const cookies = await who.context.cookies();
  const token = cookies.find((cookie) => cookie.name === "ACCESS_TOKEN")?.value ?? "";
  const ended = await fetch(`${url}/uaa/logout`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(ended.status).toBe(200);
}
const dialog = (page: Page) => page.getByRole("dialog", { name: "登录已过期" });
/** The number of tabs that show the question. */
async function questions(pages: readonly Page[]): Promise<number> {
  const counts = await Promise.all(pages.map((page) => dialog(page).count()));
  return counts.reduce((sum, count) => sum + count, 0);
}
const ask = (page: Page): Promise<unknown> =>
  page
    .evaluate(() => globalThis.consoleCore.commands.people.list({}))
    .then(
      () => "answered",
      (error: unknown) => String(error),
    );

test("After a refused refresh one tab asks; staying keeps the written text, and continuing returns to the path", async ({
  people,
  server,
}) => {
  people.expectComplaints(/status of 401/);
  const zhang = await people.loggedIn("zhangwei", { tabs: 3 });
  const { pages } = zhang;
  await openChat(pages[0]!, "李娜");
  const box = pages[0]!.getByRole("textbox").last();
  await box.fill("写到一半的话");
  await endElsewhere(zhang, server.url);
  await Promise.all(pages.map(ask));
  await expect.poll(() => questions(pages)).toBe(1);
  // Further refusals do not ask again, and no tab has left its page.
  await Promise.all(pages.map(ask));
  await expect.poll(() => questions(pages)).toBe(1);
  for (const page of pages) await expect(page).toHaveURL(/\/im\/people/);
  const shown = await Promise.all(pages.map((page) => dialog(page).count()));
  const asking = pages[shown.indexOf(1)]!;
  await expect(dialog(asking)).toContainText(
    "登录状态已过期，您可以继续留在该页面，或者重新登录。",
  );
  await dialog(asking).getByRole("button", { name: "取消" }).click();
  await expect.poll(() => questions(pages)).toBe(0);
  await expect(box).toHaveValue("写到一半的话");
  // The bar in every tab still offers the login.
  for (const page of pages) {
    await expect(page.getByText("登录已过期，当前页面的内容不会再更新。")).toBeVisible();
  }
  await pages[2]!.getByRole("button", { name: "重新登录" }).click();
  await expect(pages[0]!).toHaveURL(/\/login\?redirect=%2Fim%2Fpeople%3Fchat%3Dlina$/);
  for (const page of pages.slice(1))
    await expect(page).toHaveURL(/\/login\?redirect=%2Fim%2Fpeople$/);
  await expect.poll(() => questions(pages)).toBe(0);
  await logIn(pages[0]!, "zhangwei");
  await expect(pages[0]!).toHaveURL(/\/im\/people\?chat=lina$/);
  for (const page of pages.slice(1)) await expect(page).toHaveURL(/\/im\/people$/);
});

test("The answer in the asking tab leads every tab to /login, and another person does not inherit the paths", async ({
  people,
  server,
}) => {
  people.expectComplaints(/status of 401/);
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const { pages } = zhang;
  await endElsewhere(zhang, server.url);
  await ask(pages[0]!);
  await expect.poll(() => questions(pages)).toBe(1);
  const shown = await Promise.all(pages.map((page) => dialog(page).count()));
  const asking = pages[shown.indexOf(1)]!;
  await dialog(asking).getByRole("button", { name: "重新登录" }).click();
  for (const page of pages) {
    await expect(page).toHaveURL(/\/login\?redirect=%2Fim%2Fpeople$/);
    await expect(dialog(page)).toHaveCount(0);
  }
  await logIn(pages[1]!, "lina");
  for (const page of pages) await expect(page).toHaveURL(/\/dashboard$/);
});

test("A 401 of a foreign gateway without our error code asks once for two tabs", async ({
  people,
  server,
  browser,
}) => {
  people.expectComplaints(/status of 401/);
  const gateway = await startGateway(server.url);
  const who = await loggedIn(browser, gateway.url, "zhangwei", { tabs: 2 });
  try {
    const { pages } = who;
    gateway.refuse(/^\/dc-im\//);
    await Promise.all(pages.map(ask));
    await expect.poll(() => questions(pages)).toBe(1);
    // One refresh was attempted before the question.
    expect(gateway.count(/refreshToken/)).toBe(1);
    const shown = await Promise.all(pages.map((page) => dialog(page).count()));
    await dialog(pages[shown.indexOf(1)]!).getByRole("button", { name: "取消" }).click();
    await expect.poll(() => questions(pages)).toBe(0);
    // The gateway accepts the login again, so the bar disappears.
    gateway.refuse(null);
    await ask(pages[0]!);
    for (const page of pages) {
      await expect(page).toHaveURL(/\/im\/people$/);
      await expect(page.getByRole("button", { name: "重新登录" })).toHaveCount(0);
    }
  } finally {
    await who.close();
    await gateway.close();
  }
});

test("The path of a person who logged out is not used for the next person, in any tab", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const [first, second] = zhang.pages as [Page, Page];
  await first.getByRole("button", { name: /张伟/ }).click();
  await first.getByRole("menuitem", { name: "退出" }).click();
  for (const page of zhang.pages) await expect(page).toHaveURL(/\/login$/);
  await logIn(second, "lina");
  for (const page of zhang.pages) await expect(page).toHaveURL(/\/dashboard$/);
});

test("A refused refresh does not affect a call: the question waits for its end", async ({
  people,
  server,
  browser,
}) => {
  people.expectComplaints(/status of 401/);
  const li = await people.loggedIn("lina");
  const gateway = await startGateway(server.url);
  const zhang = await loggedIn(browser, gateway.url, "zhangwei", { tabs: 2 });
  try {
    const [page, theirs] = [zhang.pages[0]!, li.pages[0]!];
    await dial(page, "李娜", "语音通话");
    await answerButton(theirs).first().click();
    for (const side of [page, theirs]) await expect.poll(() => callStatus(side)).toBe("chat");
    gateway.refuse(/refreshToken/);
    const expiresAt = await page.evaluate(
      () => globalThis.consoleCore.state.session.expiresAt ?? Number.NaN,
    );
    await expect.poll(() => Date.now() / 1000, { timeout: 30_000 }).toBeGreaterThan(expiresAt);
    expect(await ask(page)).toContain("请先登录");
    await expect(page.getByText("登录已过期，通话结束后请重新登录。").first()).toBeAttached();
    // Sound continues in both directions, and nothing covers the call.
    await expectMedia(page, false);
    await expectMedia(theirs, false);
    await expect.poll(() => questions(zhang.pages)).toBe(0);
    for (const side of [page, theirs]) expect(await callStatus(side)).toBe("chat");
    await hangUpButton(theirs).click();
    await expect.poll(() => callStatus(page)).toBe("idle");
    await expect.poll(() => questions(zhang.pages)).toBe(1);
  } finally {
    await zhang.close();
    await gateway.close();
  }
});
