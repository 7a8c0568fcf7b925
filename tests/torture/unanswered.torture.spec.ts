/** An unanswered call ends after 30 s (docs/calls.md#ending). This test waits for them; the unit tests advance a fake clock. */
import { answerButton, callStatus, dial } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";

test("When nobody answers within 30 s, both sides see it and are idle", async ({ people }) => {
  const [zhang, li] = [await people.loggedIn("zhangwei"), await people.loggedIn("lina")];
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(a, "李娜");
  const began = Date.now();
  await expect(answerButton(b)).toBeVisible();
  await expect(a.getByText("对方没有回应，可能是不在线，请稍后重试。释放房间").first()).toBeVisible(
    {
      timeout: 40_000,
    },
  );
  expect(Date.now() - began).toBeGreaterThan(28_000);
  for (const page of [a, b]) await expect.poll(() => callStatus(page)).toBe("idle");
});
