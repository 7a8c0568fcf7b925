/** The ways in which a call ends, with their texts, on both sides (docs/calls.md#ending). */
import type { Page } from "@playwright/test";
import {
  answerButton,
  callStatus,
  dial,
  hangUpButton,
  refuseButton,
  conversationRow,
} from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";

const says = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();
const idle = (page: Page) => expect.poll(() => callStatus(page)).toBe("idle");

/** Counts the most messages that the page shows at a time, from now on. */
async function watchMessages(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const count = (): void => {
      const shown = document.querySelectorAll(".arco-message").length;
      const { mostMessages = "0" } = document.body.dataset;
      document.body.dataset["mostMessages"] = String(Math.max(Number(mostMessages), shown));
    };
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => Number(document.body.dataset["mostMessages"]));
}

test("After a refusal the caller sees it as the one message of the call, and both sides are idle", async ({
  people,
}) => {
  const [zhang, li] = [await people.loggedIn("zhangwei"), await people.loggedIn("lina")];
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  const most = await watchMessages(a);
  await dial(a, "李娜", "语音通话");
  await says(a, "通话请求已经发送");
  await refuseButton(b).click();
  await says(a, "对方已拒绝音视频通话。");
  await idle(a);
  await idle(b);
  expect(await most(), "each step of the call replaces the one before").toBe(1);
});

test("After a cancellation both sides see the specified text and style", async ({ people }) => {
  const [zhang, li] = [await people.loggedIn("zhangwei"), await people.loggedIn("lina")];
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(a, "李娜");
  await expect(answerButton(b)).toBeVisible();
  await hangUpButton(a).click();
  await says(a, "取消音视频通话成功");
  await says(b, "对方已取消音视频通话。");
  await idle(a);
  await idle(b);
});

test("A third person who calls sees that the callee is busy, and the call continues", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina");
  const admin = await people.loggedIn("admin");
  const [a, b, c] = [zhang.pages[0]!, li.pages[0]!, admin.pages[0]!];
  await dial(a, "李娜");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  await dial(c, "李娜");
  await says(c, "对方正在通话中，请稍后再试。");
  await idle(c);
  await expect.poll(() => callStatus(a)).toBe("chat");
  await expect.poll(() => callStatus(b)).toBe("chat");
  // The person's own second call is refused.
  const refused = await a.evaluate(() =>
    globalThis.consoleCore.commands.call
      .start({ userName: "admin", name: "管理员", media: "voice" })
      .then(
        () => "started",
        (error: Error) => error.message,
      ),
  );
  expect(refused).toBe("您当前正在通话中,请结束当前通话后再次发起。");
  const self = await c.evaluate(() =>
    globalThis.consoleCore.commands.call
      .start({ userName: "admin", name: "管理员", media: "voice" })
      .then(
        () => "started",
        (error: Error) => error.message,
      ),
  );
  expect(self).toBe("不能和自己音视频通话");
});

test("A person of another company can be neither called nor written to", async ({ people }) => {
  const li = await people.loggedIn("lina");
  const page = li.pages[0]!;
  await expect(conversationRow(page, "张伟")).toBeVisible();
  await expect(conversationRow(page, "王芳")).toHaveCount(0);
  const code = await page.evaluate(() =>
    globalThis.consoleCore.commands.call
      .start({ userName: "wangfang", name: "王芳", media: "voice" })
      .then(
        () => "started",
        (error: Error & { code?: string }) => error.code ?? error.message,
      ),
  );
  expect(code).toBe("call.not-allowed");
  await idle(page);
});
