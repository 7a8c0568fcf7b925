/** The lobby of conferences is true by itself, and tells a wrong number at its field (docs/conferences.md#lobby). */
import { CONFERENCE_PAGE, createConference } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";
import { timeLimit } from "../support/time-limits.ts";

/** ms until the lobby of another person follows. */
const SOON = { timeout: timeLimit(3000) };

test("A conference appears for others by itself, counts its people, and is gone when the last one has left", async ({
  people,
}) => {
  const [host] = (await people.loggedIn("zhangwei", { path: CONFERENCE_PAGE })).pages;
  const [other] = (await people.loggedIn("lina", { path: CONFERENCE_PAGE })).pages;
  await expect(other!.getByText("现在没有可加入的会议")).toBeVisible();
  await createConference(host!, "消防例会");
  const row = other!.locator(".conference-list li", { hasText: "消防例会" });
  await expect(row).toContainText("1 人在会", SOON);
  await shoot(other!, "lobby");
  await host!.getByRole("button", { name: "离开会议" }).click();
  await host!.getByRole("dialog").getByRole("button", { name: "仅我离开" }).click();
  await expect(other!.getByText("现在没有可加入的会议")).toBeVisible(SOON);
  await expect(row).toHaveCount(0);
});

test("The field itself says what is no meeting number, and nothing is asked of the server", async ({
  people,
  server,
}) => {
  const [page] = (await people.loggedIn("lina", { path: CONFERENCE_PAGE })).pages;
  const asked = () =>
    server.metric("http_requests_total", { route: "/easemob/rtc/select/confr", method: "POST" });
  const before = await asked();
  const form = page!.getByRole("form", { name: "加入会议" });
  const field = form.getByLabel("会议号或邀请链接");
  await field.fill("abc");
  await form.getByRole("button", { name: "加入会议" }).click();
  await expect(form.getByRole("alert")).toHaveText(/会议号是 9 位数字/);
  await expect(field).toBeFocused();
  await shoot(page!, "lobby-wrong-number");
  await field.fill("123 456 789");
  await expect(form.getByRole("alert")).toHaveCount(0);
  expect(await asked()).toBe(before);
  // a number that does not exist is the server's to tell
  await form.getByRole("button", { name: "加入会议" }).click();
  await expect.poll(asked).toBe(before + 1);
});
