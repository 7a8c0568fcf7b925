/**
 * A browser sleeps in a call, in a conference and between messages. Short, it goes on; longer than the server's grace time of 20 s, both
 * sides of a call read that it ended, and a conference takes the person in again. The devices stay, and the network does not go down.
 */
import { answerButton, callStatus, dial, expectMedia, openChat } from "../support/calls.ts";
import { bubbles, sendText } from "../support/chat.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinById,
  joined,
  memberNames,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { sleepyBrowser } from "../support/asleep.ts";
import { loggedIn } from "../support/people.ts";

const SHORT = 8_000;
/** Longer than the grace time. */
const LONG = 35_000;
/** ms after waking up until everything is as it should be. */
const WHOLE = 20_000;
const LOST = "通话已结束：连接中断，未能恢复";

test("A call goes on after a short sleep of a browser, and ends in the same words on both sides after a long one; no message is lost", async ({
  people,
  server,
}) => {
  test.setTimeout(240_000);
  const sleepy = await sleepyBrowser();
  try {
    const li = await loggedIn(sleepy.browser, server.url, "lina", { path: "/im/people" });
    const zhang = await people.loggedIn("zhangwei", { tabs: 2, path: "/im/people" });
    const [a, chat] = [zhang.pages[0]!, zhang.pages[1]!];
    const b = li.pages[0]!;
    await openChat(chat, "李娜");
    await dial(a, "李娜");
    await answerButton(b).click();
    for (const page of [a, b]) await expectMedia(page);

    await sleepy.sleep(SHORT);
    const woke = Date.now();
    for (const page of [a, b]) await expectMedia(page);
    const wait = Date.now() - woke;
    console.log(`      pictures on both sides ${wait} ms after a sleep of ${SHORT / 1000} s`);
    expect(wait).toBeLessThan(WHOLE);
    for (const page of [a, b]) expect(await callStatus(page)).toBe("chat");

    const sleeping = sleepy.sleep(LONG);
    await sendText(chat, "睡着时的消息");
    await sleeping;
    for (const page of [a, b]) {
      await expect(page.getByText(LOST).first()).toBeVisible({ timeout: WHOLE });
      await expect.poll(() => callStatus(page), { timeout: WHOLE }).toBe("idle");
    }
    await openChat(b, "张伟");
    await expect.poll(() => bubbles(b), { timeout: WHOLE }).toContain("睡着时的消息");
    await li.close();
  } finally {
    await sleepy.close();
  }
});

test("A conference has a member again after a sleep that was longer than the grace time", async ({
  people,
  server,
}) => {
  test.setTimeout(240_000);
  const sleepy = await sleepyBrowser();
  try {
    const li = await loggedIn(sleepy.browser, server.url, "lina", { path: CONFERENCE_PAGE });
    const zhang = await people.loggedIn("zhangwei", { path: CONFERENCE_PAGE });
    const [a, b] = [zhang.pages[0]!, li.pages[0]!];
    await joinById(b, await createConference(a, "合上电脑"));
    await expectPictures(b, ["zhangwei"]);
    await expectPictures(a, ["lina"]);
    await sleepy.sleep(LONG);
    const woke = Date.now();
    await joined(b);
    await expectPictures(b, ["zhangwei"]);
    await expectPictures(a, ["lina"]);
    const wait = Date.now() - woke;
    console.log(`      pictures on both sides ${wait} ms after a sleep of ${LONG / 1000} s`);
    expect(wait).toBeLessThan(WHOLE);
    expect(await memberNames(a)).toEqual(["lina", "zhangwei"]);
    await li.close();
  } finally {
    await sleepy.close();
  }
});
