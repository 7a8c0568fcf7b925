/** A person records a conference in the console: all see it, a pause takes no time, and the file is saved. Its sound and its length under take-overs are in tests/torture/recording. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { CONFERENCE_PAGE, createConference, joinFromLobby, slice } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { playIn } from "../support/flash-and-beep.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { remotePixels } from "../support/rtc.ts";

const recordingOf = async (page: Page) => (await slice(page)).recording;
const elapsedAt = async (page: Page): Promise<number> => {
  const now = await recordingOf(page);
  return (now?.elapsed ?? 0) + (now?.since == null ? 0 : Date.now() - now.since);
};

test("A member records: all see who does, it can be paused, and the file plays", async ({
  people,
}) => {
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;
  await createConference(host, "周例会");
  await joinFromLobby(guest, "周例会");
  await expect.poll(() => remotePixels(host)).not.toBeNull();

  await host.getByRole("button", { name: "录制", exact: true }).click();
  const own = host.getByRole("group", { name: "录制" });
  await expect(own).toContainText("录制中");
  await expect(guest.getByRole("status").filter({ hasText: "正在录制" })).toBeVisible();
  await expect.poll(() => elapsedAt(host)).toBeGreaterThan(3000);
  await expect.poll(async () => (await recordingOf(host))?.bytes).toBeGreaterThan(1000);
  await shoot(host, "conference-recording");
  await shoot(guest, "conference-recording-guest");
  await expectAccessible(host, "conference-recording");

  // A picture of a tile.
  const picture = host.waitForEvent("download");
  await host.locator(".conference-tile").first().hover();
  await host
    .getByRole("button", { name: /^保存.*的画面$/ })
    .first()
    .click();
  expect((await picture).suggestedFilename()).toMatch(/\.png$/);

  await own.getByRole("button", { name: "暂停录制" }).click();
  await expect(own).toContainText("已暂停");
  const { elapsed = 0 } = (await recordingOf(host)) ?? {};
  await own.getByRole("button", { name: "继续录制" }).click();
  await expect(own).toContainText("录制中");
  await expect.poll(() => elapsedAt(host)).toBeGreaterThan(elapsed + 2000);
  const length = await elapsedAt(host);

  const saving = host.waitForEvent("download");
  await own.getByRole("button", { name: "停止并保存" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^周例会 .*\.webm$/);
  await expect(guest.getByText("正在录制")).toHaveCount(0);
  await expect(own).toHaveCount(0);
  const file = await readFile(await saved.path());
  const played = await playIn(host, file.toString("base64"));
  expect(played).toMatchObject({ width: 1280, height: 720 });
  test
    .info()
    .annotations.push({ type: "length", description: `${length} ms: ${played.seconds} s` });
  // The recording goes on until the click; the torture spec asserts its whole length.
  expect(played.seconds).toBeGreaterThan(length / 1000 - 0.5);
});
