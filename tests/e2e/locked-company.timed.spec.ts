/** How long a lock of a company takes until its people are out of it everywhere (docs/server.md#locked-companies). */
import type { Page } from "@playwright/test";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { answerButton, dial, timer } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { logIn } from "../support/people.ts";
import { callerOf } from "../support/rest-caller.ts";
import { timeLimit } from "../support/time-limits.ts";

const TIMES = 5;
/** ms after the answer to the lock within which everything must have happened. */
const LIMIT = 2000;
const HUAAN = "华安物业服务有限公司";
const CHENGNAN = "城南消防工程有限公司";

/** Goes to a company of the person, once the core knows that it is one, without the confirmation and the reload of the menu. */
async function goTo(page: Page, company: string): Promise<void> {
  const offered = (name: string): string | undefined =>
    globalThis.consoleCore.state.session.employees.find(({ supplierName }) => supplierName === name)
      ?.id;
  await expect.poll(() => page.evaluate(offered, company)).toBeDefined();
  await page.evaluate(async (name) => {
    const { commands, state } = globalThis.consoleCore;
    const employee = state.session.employees.find(({ supplierName }) => supplierName === name);
    await commands.session.switchCompany({ employeeId: employee?.id ?? "" });
  }, company);
}

test(`Everybody is ${TIMES} times out of a locked company within 2 s, in a call too`, async ({
  people,
  server,
}) => {
  test.setTimeout(10 * 60_000);
  people.expectComplaints(/40[139]|WebSocket/);
  const ask = await callerOf(server.url, "admin");
  const path = restCalls.lockCompany.path.replace("{id}", "2");
  const wang = await people.loggedIn("wangfang", { tabs: 2, path: "/im/people" });
  const wei = await people.loggedIn("zhangwei", { tabs: 2, path: "/im/people" });
  const [calling, partner] = [wei.pages[0]!, wang.pages[0]!];
  const slowest: number[] = [];
  for (let round = 1; round <= TIMES; round += 1) {
    await test.step(`lock ${round}`, async () => {
      await goTo(calling, CHENGNAN);
      for (const page of wei.pages) await page.goto("/im/people");
      await partner.goto("/im/people");
      await dial(calling, "王芳", "语音通话");
      await answerButton(partner).click();
      await expect(timer(calling).first()).toBeVisible();

      const begun = Date.now();
      const since = (): number => Date.now() - begun;
      const out = [
        ...wei.pages.map((page) =>
          page.getByRole("heading", { name: `企业“${CHENGNAN}”已被平台锁定` }).waitFor(),
        ),
        ...wang.pages.map((page) => page.getByText(/您所在的企业已被平台锁定/).waitFor()),
      ].map((seen) => seen.then(since));
      const done = await ask("PUT", path, { locked: true, reason: "演练" });
      expect(done.status).toBe(200);
      const answered = since();
      const times = await Promise.all(out);
      slowest.push(Math.max(...times) - answered);
      await expect.poll(() => server.metric("conference_members")).toBe(0);

      await ask("PUT", path, { locked: false });
      await goTo(calling, HUAAN);
      await logIn(partner, "wangfang");
      await expect(partner).not.toHaveURL(/\/login/);
    });
  }
  test.info().annotations.push({ type: "ms until out", description: slowest.join(" ") });
  console.log(`out after ${slowest.toSorted((a, b) => a - b).join(" ")} ms`);
  expect(Math.max(...slowest)).toBeLessThan(timeLimit(LIMIT));
});
