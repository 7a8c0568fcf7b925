/**
 * Pictures of every screen in light, dark and narrow for manual review. The test fails when a screen does not appear
 * completely.
 */
import {
  answerButton,
  callStatus,
  dial,
  expectMovingPicture,
  openChat,
  conversationRow,
} from "../support/calls.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinById,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("Login, dashboard, people, chat and error pages appear completely", async ({ people }) => {
  const who = await people.anonymous("zhangwei");
  const login = await who.open("/login");
  await expect(login.getByRole("button", { name: "登录" })).toBeVisible();
  await shoot(login, "login");
  const zhang = await people.loggedIn("zhangwei", { path: "/dashboard" });
  const page = zhang.pages[0]!;
  await expect(page.getByRole("heading").first()).toBeVisible();
  await shoot(page, "dashboard");
  await page.goto("/im/people");
  await expect(conversationRow(page, "李娜")).toBeVisible();
  await shoot(page, "people");
  await openChat(page, "李娜");
  const box = page.getByRole("textbox").last();
  await box.fill("明天上午十点消防演练，请准时到场。");
  await box.press("Enter");
  await expect(page.getByText("已发送").first()).toBeVisible();
  await shoot(page, "chat");
  await page.goto("/404");
  await shoot(page, "404");
  const guest = await people.anonymous("guest");
  const theirs = await guest.open("/login");
  await theirs.getByLabel("用户名").fill("guest");
  await theirs.getByLabel("密码").fill("Demo@2026");
  await theirs.getByRole("button", { name: "登录" }).click();
  await expect(theirs.getByRole("heading").first()).toBeVisible();
  await shoot(theirs, "guest");
});

test("A call in another tab and operations appear completely", async ({ people }) => {
  const ops = await people.loggedIn("ops", { tabs: 2 });
  const li = await people.loggedIn("lina");
  const [a, second, b] = [ops.pages[0]!, ops.pages[1]!, li.pages[0]!];
  await dial(a, "李娜");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  await expectMovingPicture(a);
  await shoot(second, "in-another-tab");
  await second.goto("/monitor/runtime");
  await expect(second.locator("canvas").first()).toBeVisible();
  // Wait for a few samples, so that the charts show lines.
  await expect
    .poll(
      () =>
        second.evaluate(() =>
          Math.max(
            0,
            ...Object.values(globalThis.consoleCore.state.quality.streams).map(
              (stream) => stream.points.length,
            ),
          ),
        ),
      { timeout: 40_000 },
    )
    .toBeGreaterThan(6);
  await shoot(second, "operations");
});

test("The conference's lobby, device check and inside with its panels appear completely", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const li = await people.loggedIn("lina", { path: CONFERENCE_PAGE });
  const [a, b] = [admin.pages[0]!, li.pages[0]!];
  await expect(a.getByRole("form", { name: "创建会议" })).toBeVisible();
  await shoot(a, "conference-lobby");
  await expectAccessible(a, "conference lobby");
  await createConference(a, "每周安全例会");
  await joinById(b, (await slice(a)).info?.confrId ?? "");
  await expectPictures(a, ["lina"]);
  await expectPictures(b, ["admin"]);
  await shoot(a, "conference-inside");
  // A person on a telephone reads the number aloud.
  await a.setViewportSize({ width: 390, height: 844 });
  await expect(a.getByRole("button", { name: /\d{3} \d{3} \d{3}/ })).toBeVisible();
  await a.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(a, "inside a conference");
  await a.getByRole("button", { name: /^成员/ }).click();
  await shoot(a, "conference-members");
  await expectAccessible(a, "conference members");
  await a.getByRole("button", { name: /^消息/ }).click();
  await shoot(a, "conference-messages");
  await a.goto("/dashboard");
  await expect(a.getByRole("heading").first()).toBeVisible();
  await shoot(a, "conference-elsewhere");
});
