/** A recording goes on when its tab and the server end, and the file is as long as the time was, with sound and picture in step. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import {
  CONFERENCE_PAGE,
  createConference,
  joined,
  joinFromLobby,
  slice,
} from "../support/conference.ts";
import { crash } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { flashAndBeep, momentsIn, offsetsOf, playIn, probe } from "../support/flash-and-beep.ts";

/** Most s between the length of the file and the time that it shows. */
const LENGTH = 0.5;
/** Most s between a flash and its beep. */
const STEP = 0.08;

const recordingOf = async (page: Page) => (await slice(page)).recording;
const isOn = (page: Page) =>
  expect.poll(async () => (await recordingOf(page))?.state, { timeout: 60_000 }).toBe("on");
/** Waits until this much more is recorded. */
const recorded = async (page: Page, ms: number): Promise<void> => {
  const until = Date.now() + ms;
  await expect.poll(() => Date.now() >= until, { timeout: 60_000 }).toBe(true);
  await isOn(page);
};
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test("A recording survives the death of its tab and a restart of the server", async ({
  people,
  server,
}, info) => {
  test.setTimeout(600_000);
  people.expectComplaints(/WebSocket|ERR_|Failed to load|net::/);
  const who = await people.loggedIn("admin");
  await who.context.addInitScript(flashAndBeep);
  const first = await who.open(CONFERENCE_PAGE);
  // The tab that was used last takes over.
  await who.pages[0]!.close();
  await createConference(first, "周例会");
  const second = await who.open(CONFERENCE_PAGE);
  await joined(second);
  // As a person who has used the tab: only then does a browser play sound in it.
  await second.locator(".conference-top").click();
  const guest = (await people.loggedIn("lina", { path: CONFERENCE_PAGE })).pages[0]!;
  await joinFromLobby(guest, "周例会");
  // The guest's device beeps too.
  await guest.getByRole("button", { name: "静音", exact: true }).click();
  await guest.getByRole("button", { name: "关闭摄像头" }).click();

  await first.bringToFront();
  await first.getByRole("button", { name: "录制", exact: true }).click();
  await isOn(first);
  const began = (await recordingOf(first))?.since ?? 0;
  await expect(guest.getByRole("status").filter({ hasText: "正在录制" })).toBeVisible();
  await recorded(first, 8000);

  await second.bringToFront();
  await crash(first);
  await expect.poll(async () => (await slice(second)).owner?.ready).toBe(true);
  await isOn(second);
  await recorded(second, 8000);

  await server.kill("SIGKILL");
  await server.start();
  await joined(second);
  await recorded(second, 8000);
  await expect(guest.getByRole("status").filter({ hasText: "正在录制" })).toBeVisible({
    timeout: 60_000,
  });

  const download = second.waitForEvent("download");
  const ended = Date.now();
  await second
    .getByRole("group", { name: "录制" })
    .getByRole("button", { name: "停止并保存" })
    .click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^周例会 \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.webm$/);
  const file = info.outputPath("recording.webm");
  await saved.saveAs(file);
  await expect(guest.getByText("正在录制")).toHaveCount(0);

  const expected = (ended - began) / 1000;
  const probed = await probe(file);
  const played = await playIn(second, (await readFile(file)).toString("base64"));
  const moments = await momentsIn(file);
  const offsets = offsetsOf(moments);
  // Medians: a busy machine may drop the very picture of a flash.
  const before = offsets.filter((_, i) => (moments.beeps[i] ?? 0) < 7);
  const after = offsets.filter((_, i) => (moments.beeps[i] ?? 0) > expected - 6);
  console.log(
    `      ${expected.toFixed(2)} s: ffprobe ${probed.seconds.toFixed(2)} s, browser ${played.seconds.toFixed(2)} s; ` +
      `beeps late by ${(1000 * median(before)).toFixed(0)} ms at the beginning, ${(1000 * median(after)).toFixed(0)} ms at the end; ` +
      `${moments.flashes.length} flashes, ${moments.beeps.length} beeps, ${probed.codecs.join(" ")}`,
  );
  expect(Math.abs(probed.seconds - expected)).toBeLessThan(LENGTH);
  expect(Math.abs(played.seconds - expected)).toBeLessThan(LENGTH);
  expect(played).toMatchObject({ width: 1280, height: 720 });
  expect(before.length).toBeGreaterThan(3);
  expect(after.length).toBeGreaterThan(2);
  expect(Math.abs(median(before))).toBeLessThan(STEP);
  expect(Math.abs(median(after))).toBeLessThan(STEP);
});
