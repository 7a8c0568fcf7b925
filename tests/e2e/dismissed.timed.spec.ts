/**
 * How long a dismissal takes, from the administrator's click, until the person is out everywhere (docs/session.md#end-of-access): three
 * tabs with a call and a running import, another device in a conference, and a third one in another company, which goes on. The pages note
 * the times by themselves, as a test that asks many pages one after the other sees what happened late.
 */
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { openClient } from "../../src/server/modules/chat/client.harness.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { answerButton, dial, openChat, timer } from "../support/calls.ts";
import { composer } from "../support/chat.ts";
import { CONFERENCE_PAGE, createConference } from "../support/conference.ts";
import { openDismissal } from "../support/dismissal.ts";
import { employeesCsv } from "../support/employees-file.ts";
import { expect, test } from "../support/fixtures.ts";
import { PASSWORD } from "../support/people.ts";
import { caller, callerOf, records } from "../support/rest-caller.ts";
import { restLogin } from "../support/rest-login.ts";
import { smallDevices } from "../support/small-devices.ts";
import { timeLimit } from "../support/time-limits.ts";

// The embedded database has one connection, so a dismissal waits for chunks of the import: out after 0.9 to 3.4 s, of 20 times 15 within 2 s.
test.use({ serverDatabase: "postgres" });

const TIMES = 20;
/** ms after the administrator's click within which everything must have happened. */
const LIMIT = 2000;
/** Enough for several seconds of sending. */
const ROWS = 80_000;
const HUAAN = "华安物业服务有限公司";
const CHENGNAN = "城南消防工程有限公司";
const ENDED = "通话已结束：其中一方已不在企业";
const OUTSIDE = `您已不在企业“${HUAAN}”中`;

/** Goes to a company of the person without the confirmation and the reload of the menu. */
const goTo = (page: Page, company: string): Promise<unknown> =>
  page.evaluate(async (name) => {
    const { commands, state } = globalThis.consoleCore;
    const employee = state.session.employees.find(({ supplierName }) => supplierName === name);
    await commands.session.switchCompany({ employeeId: employee?.id ?? "" });
  }, company);
/** Notes when the text is first in the page. */
const noteText = (page: Page, text: string): Promise<void> =>
  page.evaluate((wanted) => {
    globalThis.shownAt = null;
    const look = (): void => {
      if (!document.body.textContent.includes(wanted)) return;
      globalThis.shownAt ??= Date.now();
      observer.disconnect();
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    look();
  }, text);
/** @returns when the noted text was first there, ms since 1970 */
async function shownAt(page: Page): Promise<number> {
  await expect.poll(() => page.evaluate(() => globalThis.shownAt)).not.toBeNull();
  return (await page.evaluate(() => globalThis.shownAt)) ?? Number.NaN;
}
const isSending = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    Object.values(globalThis.consoleCore.state.imports.byKey).some(
      ({ state }) => state === "sending",
    ),
  );

test(`Who is dismissed is out of ${TIMES} times three tabs, a call, a conference and an import within 2 s, and the other company is not touched`, async ({
  people,
  server,
}) => {
  test.setTimeout(30 * 60_000);
  people.expectComplaints(/40[139]|WebSocket/);
  const ask = await callerOf(server.url, "admin");
  const [role] = records<{ id: string; code: string }>(
    await ask("GET", `${restCalls.roleList.path}?limit=100`),
  ).filter(({ code }) => code === "admin");

  // What encoders and audio devices cost is not what this test measures: elsewhere each of these people has a machine of their own.
  const initScript = smallDevices(false);
  const admin = await people.loggedIn("admin", { path: "/supplier/employees" });
  const wei = await people.loggedIn("zhangwei", { tabs: 3, path: "/im/people", initScript });
  const meeting = await people.loggedIn("zhangwei", { path: "/dashboard", initScript });
  const there = await people.loggedIn("zhangwei", { path: "/dashboard" });
  const lina = await people.loggedIn("lina", { path: "/im/people", initScript });
  const wang = await people.loggedIn("wangfang", { path: "/im/people" });
  const [calling, , importing] = wei.pages as [Page, Page, Page];
  const desk = admin.pages[0]!;
  const [conferencePage, other, partner] = [meeting.pages[0]!, there.pages[0]!, lina.pages[0]!];
  const accountId =
    (await other.evaluate(() => globalThis.consoleCore.state.session.accountId)) ?? "";
  await ask("PUT", restCalls.roleAssign.path, {
    roleId: role?.id,
    accountIds: [accountId],
  });
  await goTo(other, CHENGNAN);
  await other.goto("/im/people");
  await openChat(other, "王芳");
  await other.evaluate(() => void (document.title = "untouched"));
  const marked = other.evaluateHandle(() => document);
  await openChat(wang.pages[0]!, "张伟");

  const slowest: number[] = [];
  for (let round = 1; round <= TIMES; round += 1) {
    await test.step(`dismissal ${round}`, async () => {
      await calling.goto("/im/people");
      await dial(calling, "李娜", "语音通话");
      await answerButton(partner).click();
      await expect(timer(calling).first()).toBeVisible();
      await conferencePage.goto(CONFERENCE_PAGE);
      await createConference(conferencePage, `第 ${round} 次`);
      await importing.goto("/DataBatchImport2/index");
      const buffer = Buffer.from(employeesCsv({ rows: ROWS, seed: round }));
      await importing
        .getByTestId("import-file")
        .setInputFiles({ name: `${round}.csv`, mimeType: "text/csv", buffer });
      await importing.getByRole("button", { name: "开始检查" }).click();
      await importing.getByRole("button", { name: /^导入 [\d,]+ 行$/ }).click();
      await expect.poll(() => isSending(importing)).toBe(true);
      // A client of the person that obeys nobody.
      const token = (await restLogin(server.url, "zhangwei", PASSWORD)).grant.access_token;
      const chat = await caller(server.url, token)(
        "GET",
        `${restCalls.chatAccount.path}?accountId=${accountId}&source=${encodeURIComponent("环信")}&systemName=web`,
      );
      const { userName, password } = chat.data as { userName: string; password: string };
      const granted = await fetch(`${server.url}/hyzh/console/token`, {
        method: "POST",
        body: JSON.stringify({ grant_type: "password", username: userName, password }),
      });
      const { access_token: chatToken } = (await granted.json()) as { access_token: string };
      const client = await openClient(new URL(server.url).host);
      await client.login(userName, `web_${randomUUID()}`, chatToken);
      expect((await client.text("1", "lina", "before")).status?.errorCode).toBe(0);
      const button = await openDismissal(desk, "张伟");
      await desk.evaluate(() => {
        globalThis.clickedAt = globalThis.closedAt = null;
        const note = (): void => void (globalThis.clickedAt = Date.now());
        addEventListener("click", note, { capture: true, once: true });
        const observer = new MutationObserver(() => {
          if (document.querySelector('[role="dialog"]') !== null) return;
          globalThis.closedAt ??= Date.now();
          observer.disconnect();
        });
        observer.observe(document.body, { childList: true, subtree: true });
      });
      for (const page of [...wei.pages, conferencePage]) await noteText(page, OUTSIDE);
      await expect(partner.getByText(ENDED)).toHaveCount(0);
      await noteText(partner, ENDED);

      await button.click();
      // The dialog closes with the answer.
      await expect(desk.getByRole("dialog")).toHaveCount(0);
      const after = await client.text("2", "lina", `after ${round}`);
      expect(after.status?.errorCode).not.toBe(0);
      const byRest = await fetch(`${server.url}/hyzh/console/messages/users?useMsgId=true`, {
        method: "POST",
        headers: { authorization: `Bearer ${chatToken}`, "content-type": "application/json" },
        body: JSON.stringify({
          from: userName,
          to: ["lina"],
          type: "txt",
          body: { msg: `after ${round}` },
        }),
      });
      expect(byRest.ok).toBe(false);
      const [clicked, closed] = await desk.evaluate(() => [
        globalThis.clickedAt ?? Number.NaN,
        globalThis.closedAt ?? Number.NaN,
      ]);
      const shown = await Promise.all([...wei.pages, conferencePage, partner].map(shownAt));
      const times = shown.map((at) => at - clicked!);
      slowest.push(Math.max(...times));
      console.log(`answered after ${closed! - clicked!}, out after ${times.join(" ")} ms`);
      // The server finishes the chunk that it is writing before it cancels.
      const jobState = async (): Promise<string | undefined> =>
        records<{ state: string }>(await ask("GET", `${restCalls.importList.path}?limit=1`))[0]
          ?.state;
      await expect.poll(jobState).toBe("cancelled");
      await expect.poll(() => server.metric("conference_members")).toBe(0);
      await expect(partner.getByText(`after ${round}`)).toHaveCount(0);

      await composer(other).fill(`第 ${round} 条`);
      await composer(other).press("Enter");
      await expect(wang.pages[0]!.getByText(`第 ${round} 条`).last()).toBeVisible();

      client.socket.terminate();
      const made = await ask("POST", restCalls.employeeCreate.path, { name: "张伟" });
      const { id: employeeId, version } = made.data as { id: string; version: number };
      await ask("PUT", restCalls.employeeBindAccount.path, {
        employeeId,
        accountId,
        version,
      });
      for (const page of [calling, conferencePage]) {
        await goTo(page, CHENGNAN);
        await goTo(page, HUAAN);
      }
    });
  }
  expect(await (await marked).evaluate((document) => document.defaultView !== null)).toBe(true);
  test.info().annotations.push({ type: "ms until out", description: slowest.join(" ") });
  console.log(`out after ${slowest.toSorted((a, b) => a - b).join(" ")} ms`);
  expect(Math.max(...slowest)).toBeLessThan(timeLimit(LIMIT));
});

declare global {
  var shownAt: number | null;
  var clickedAt: number | null;
  var closedAt: number | null;
}
