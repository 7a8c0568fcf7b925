/** A call of two becomes a group call: how long neither hears the other. */
import type { Page } from "@playwright/test";
import { answerButton, callStatus, dial, expectMedia } from "../support/calls.ts";
import { expectPairs } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { readHeard, watchHeard } from "../support/heard.ts";
import { chatOpen, choose, inCall } from "../support/group-call.ts";
import { timeLimit } from "../support/time-limits.ts";

test.use({ serverEnv: { TEST_SERVER: "add people timed" } });

/** ms */
const SILENCE = 60;

test("While somebody is added, neither of the two hears the other interrupted", async ({
  people,
}) => {
  const all = await Promise.all(["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name)));
  const [zhang, li, admin] = all.map((who) => who.pages[0]!) as [Page, Page, Page];
  await chatOpen([zhang, li, admin]);
  await dial(zhang, "李娜");
  await answerButton(li).click();
  const longest: number[] = [];
  for (const page of [zhang, li]) {
    await expect.poll(() => callStatus(page)).toBe("chat");
    await expectMedia(page);
    await watchHeard(page);
  }
  await zhang.getByRole("button", { name: "添加成员" }).click();
  await choose(zhang, ["管理员"], "呼叫");
  for (const page of [zhang, li]) {
    await expect.poll(() => callStatus(page)).toBe("idle");
    await inCall(page);
  }
  await expectPairs(zhang, ["lina"]);
  await expectPairs(li, ["zhangwei"]);
  for (const page of [zhang, li]) longest.push(await readHeard(page));
  console.log(`longest silence: ${longest.map((ms) => ms.toFixed(1)).join(", ")} ms`);
  for (const silence of longest) expect(silence).toBeLessThanOrEqual(timeLimit(SILENCE));
});
