/** Voice messages: recorded from the (fake) microphone, sent, and played by the other side. */
import { composer } from "../support/chat.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

test("A recorded voice message arrives with its length and can be played; a cancelled one is not sent", async ({
  people,
}) => {
  const [zhang, li] = await Promise.all(
    ["zhangwei", "lina"].map(async (name) => (await people.loggedIn(name)).pages[0]!),
  );
  await zhang!.goto("/im/people?chat=lina");
  await li!.goto("/im/people?chat=zhangwei");
  await expect(composer(li!)).toBeVisible();
  const sounds = (page: typeof zhang) => page!.locator("audio.message-sound");
  const before = await sounds(li).count();

  await zhang!.getByRole("button", { name: "录制语音" }).click();
  const panel = zhang!.getByRole("group", { name: "正在录音" });
  await expect(panel.getByRole("timer")).toHaveText("00:01");
  await panel.getByRole("button", { name: "取消" }).press("Escape");
  await expect(panel).toBeHidden();

  await zhang!.getByRole("button", { name: "录制语音" }).click();
  await expect(panel.getByRole("timer")).toHaveText("00:01");
  await expectAccessible(zhang!, "voice");
  await shoot(zhang!, "voice");
  await panel.getByRole("button", { name: "发送语音" }).click();
  await expect(panel).toBeHidden();
  await expect(sounds(li)).toHaveCount(before + 1);
  const { length, name } = await li!.evaluate(() => {
    const { order = [], messages = {} } =
      globalThis.consoleCore.state.chat.conversations["zhangwei"] ?? {};
    const { file } = messages[order.at(-1) ?? ""] ?? {};
    return { length: file?.length ?? 0, name: file?.name ?? "" };
  });
  expect(length).toBeGreaterThanOrEqual(1);
  expect(name).toBe("语音.webm");
  const played = await sounds(li)
    .last()
    .evaluate(async (audio: HTMLAudioElement) => {
      audio.muted = true;
      await audio.play();
      return audio.error === null;
    });
  expect(played).toBe(true);
});
