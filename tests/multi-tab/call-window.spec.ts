/** The call window belongs to one tab, and two people who call each other at the same time are connected. */
import type { Page } from "@playwright/test";
import {
  answerButton,
  callId,
  callStatus,
  dial,
  expectMedia,
  hangUpButton,
  openChat,
} from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";

const large = (page: Page) => page.getByRole("button", { name: "最小化" });
const pill = (page: Page) => page.getByRole("region", { name: /通话/ });

test("Only the tab that dialled or answered opens the large call window; other tabs show a pill and stay usable", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
  const li = await people.loggedIn("lina", { tabs: 2 });
  const [dialled, beside] = [zhang.pages[0]!, zhang.pages[1]!];
  const [answered, idle] = [li.pages[0]!, li.pages[1]!];
  await dial(dialled, "李娜");
  // An incoming ring shows in every tab, an outgoing one only in the tab that dialled.
  await expect(answerButton(answered)).toBeVisible();
  await expect(answerButton(idle)).toBeVisible();
  await expect(pill(beside)).toBeVisible();
  await expect(beside.getByRole("dialog")).toHaveCount(0);
  await answerButton(answered).click();
  await expect(large(dialled)).toBeVisible();
  await expect(large(answered)).toBeVisible();
  for (const page of [beside, idle]) {
    await expect(pill(page)).toBeVisible();
    await expect(large(page)).toHaveCount(0);
  }
  // The page under a pill works.
  await openChat(beside, "李娜");

  await large(dialled).click();
  await expect(pill(dialled)).toBeVisible();
  await beside.getByRole("button", { name: "还原窗口" }).click();
  await expect(large(beside)).toBeVisible();
  await expect(pill(dialled)).toBeVisible();
  await expect(large(answered)).toBeVisible();
  await hangUpButton(beside).click();
  await expect.poll(() => callStatus(answered)).toBe("idle");
});

test("Two people who call each other at the same moment are connected in one call", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina");
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await openChat(a, "李娜");
  await openChat(b, "张伟");
  await Promise.all([
    a.getByRole("button", { name: "语音通话" }).click(),
    b.getByRole("button", { name: "语音通话" }).click(),
  ]);
  await expect.poll(() => callStatus(a)).toBe("chat");
  await expect.poll(() => callStatus(b)).toBe("chat");
  await expect.poll(() => callId(a)).toBe(await callId(b));
  await expectMedia(a, false);
  await expectMedia(b, false);
});
