/** Presence: a person without tabs is offline, and a guest is not offered for chat or calls. */
import { expect, test } from "../support/fixtures.ts";
import { timeLimit } from "../support/time-limits.ts";

test("Closing the last tab shows the person offline within 3 s, and a new tab shows the person online again", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const li = await people.loggedIn("lina");
  const page = li.pages[0]!;
  const row = page.locator('[data-user="zhangwei"]');
  await expect(row).toHaveAttribute("data-online", "true");
  await expect(page.locator('[data-user="guest"]')).toHaveCount(0);

  await zhang.pages[0]!.close();
  await zhang.pages[1]!.close();
  const closed = Date.now();
  await expect(row).toHaveAttribute("data-online", "false", { timeout: timeLimit(3_000) });
  expect(Date.now() - closed).toBeLessThan(timeLimit(3_000));

  await zhang.open("/im/people");
  await expect(row).toHaveAttribute("data-online", "true");
});
