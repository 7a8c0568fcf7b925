/** Push to talk: a muted person is heard while they hold Space. */
import { answerButton, callStatus, dial } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";

test("A muted person who holds Space is heard until they let go, and Space stays a letter while they write", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina");
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(a, "李娜", "语音通话");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  const peerMuted = b.getByText("对方已静音");
  await a.getByRole("button", { name: "静音", exact: true }).click();
  await expect(peerMuted).toBeVisible();

  // The focus is still on the button that was clicked: Space means speaking all the same.
  await a.keyboard.down("Space");
  await expect(a.getByText("松开空格键恢复静音")).toBeVisible();
  await expect(peerMuted).toHaveCount(0);
  await a.keyboard.up("Space");
  await expect(peerMuted).toBeVisible();
  await expect(a.getByRole("button", { name: "取消静音" }).last()).toBeVisible();

  // A button that the person has reached by Tab is pressed by Space.
  await a.keyboard.press("Tab");
  await a.keyboard.press("Shift+Tab");
  await a.keyboard.press("Space");
  await expect(peerMuted).toHaveCount(0);
  await expect(a.getByRole("button", { name: "静音", exact: true })).toBeVisible();
});
