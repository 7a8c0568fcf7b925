/** A member controls another's camera from its tile, over Chromium's fake camera; the other one sees it, ends it, and forbids it. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { CameraControl } from "../../src/shared/protocol/confr-camera.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinFromLobby,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";

declare global {
  // What the camera was asked for, set by this test.
  var cameraAsked: string[];
}

const MENU = "控制李娜的摄像头";
/** Sides of the sample of a picture, px. */
const [W, H] = [64, 36];

/** Gives the cameras of this page what Chromium's fake one lacks, and remembers what they were asked for. */
const richCamera = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const constrained: string[] = [];
    Object.assign(globalThis, { cameraAsked: constrained });
    const { getCapabilities, applyConstraints } = MediaStreamTrack.prototype;
    MediaStreamTrack.prototype.getCapabilities = function () {
      return { ...getCapabilities.call(this), torch: true, focusMode: ["single-shot"] } as never;
    };
    MediaStreamTrack.prototype.applyConstraints = function (constraints = {}) {
      const [first = {}] = constraints.advanced ?? [];
      if (!("torch" in first) && !("pointsOfInterest" in first)) {
        return applyConstraints.call(this, constraints);
      }
      constrained.push(JSON.stringify(first));
      return Promise.resolve();
    };
  });
const constrained = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.cameraAsked);

/** The grey values of lina's picture in this page. @param zoom of its middle */
const pixels = (page: Page, zoom = 1): Promise<number[]> =>
  page.evaluate(
    ([width, height, factor]) => {
      const video = document.querySelector<HTMLVideoElement>('[data-member="lina"] video')!;
      const canvas = document.createElement("canvas");
      canvas.width = width;
      canvas.height = height;
      const context = canvas.getContext("2d")!;
      const [w, h] = [video.videoWidth / factor, video.videoHeight / factor];
      const [x, y] = [(video.videoWidth - w) / 2, (video.videoHeight - h) / 2];
      context.drawImage(video, x, y, w, h, 0, 0, width, height);
      const { data } = context.getImageData(0, 0, width, height);
      return Array.from({ length: width * height }, (_, n) => {
        const at = n * 4;
        return (data[at]! + data[at + 1]! + data[at + 2]!) / 3;
      });
    },
    [W, H, zoom] as const,
  );
/** Mean difference of the grey values, 0..255. */
const difference = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, n) => sum + Math.abs(value - (b[n] ?? 0)), 0) / a.length;
const framesOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      document
        .querySelector<HTMLVideoElement>('[data-member="lina"] video')!
        .getVideoPlaybackQuality().totalVideoFrames,
  );

async function choose(page: Page, item: string): Promise<void> {
  await page.locator('.conference-tile[data-member="lina"]').hover();
  await page.getByRole("button", { name: MENU }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
}
const cameraOf = async (page: Page) => {
  const { streams } = await slice(page);
  const found = Object.values(streams).find(({ memId, type }) => memId === "lina" && type === 0);
  return found && { torch: found.torch, freezeFrame: found.freezeFrame, zoom: found.zoom };
};
/** @returns result and errorType of a control that fails */
const refusal = (page: Page, control: CameraControl) =>
  page.evaluate(async (wanted) => {
    const { state, commands } = globalThis.consoleCore;
    const streams = Object.values(state.conference.streams);
    const { id } = streams.find(({ memId, type }) => memId === "lina" && type === 0)!;
    try {
      await commands.conference.controlCamera({ streamId: id, control: wanted });
      return "none";
    } catch (error) {
      const { details = {} } = error as { details?: Record<string, unknown> };
      return `${String(details["result"])} ${String(details["errorType"])}`;
    }
  }, control);

test("A member zooms, freezes, lights, focuses and takes a picture with another's camera, who ends and forbids it", async ({
  people,
}) => {
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;
  await createConference(host, "远程摄像头");
  await joinFromLobby(guest, "远程摄像头");
  await expectPictures(host, ["lina"]);

  // Chromium's fake camera has neither a light nor another camera beside it.
  expect(await refusal(host, { kind: "torch" })).toBe("-507 torch_remote_fail");
  expect(await refusal(host, { kind: "switch" })).toBe("-507 switch_camera_fail");
  await choose(host, "打开补光灯");
  await expect(host.getByText("对方的设备不支持此操作")).toBeVisible();

  await choose(host, "定格画面");
  await expect.poll(() => cameraOf(host)).toEqual({ torch: false, freezeFrame: true, zoom: 1 });
  await expect(guest.getByText(/定格了您的画面/).first()).toBeVisible();
  // Frames go on to arrive, and all show the same.
  let still: number[] = [];
  await expect
    .poll(async () => {
      const [before, frames] = [await pixels(host), await framesOf(host)];
      await expect.poll(() => framesOf(host)).toBeGreaterThan(frames + 10);
      still = await pixels(host);
      return difference(before, still);
    })
    .toBeLessThan(1);
  const middle = await pixels(host, 1.5);
  await choose(host, "放大画面");
  await expect.poll(() => cameraOf(host)).toEqual({ torch: false, freezeFrame: true, zoom: 1.5 });
  // It shows the middle of what stood still before.
  await expect
    .poll(async () => {
      const zoomed = await pixels(host);
      return difference(zoomed, middle) / difference(zoomed, still);
    })
    .toBeLessThan(0.5);
  await shoot(host, "remote-camera-marks");
  await shoot(guest, "remote-camera-own");

  await host.locator('.conference-tile[data-member="lina"]').hover();
  await host.getByRole("button", { name: MENU }).click();
  await shoot(host, "remote-camera-menu");
  await expectAccessible(host, "menu of another's camera");
  const download = host.waitForEvent("download");
  await host.getByRole("menuitem", { name: "拍照并保存" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("李娜的摄像头.jpg");
  const bytes = readFileSync(await file.path());
  expect([bytes.subarray(0, 3).toString("hex"), bytes.length > 1000]).toEqual(["ffd8ff", true]);

  await guest.getByRole("button", { name: "恢复我的画面" }).click();
  await expect(guest.locator(".conference-camera-marks")).toHaveCount(0);
  await expectPictures(host, ["lina"]);

  await richCamera(guest);
  await choose(host, "打开补光灯");
  await expect.poll(() => constrained(guest)).toEqual(['{"torch":true}']);
  await expect(host.locator(".conference-camera-marks")).toContainText("补光灯已开");
  await choose(host, "点按对焦");
  await shoot(host, "remote-camera-focus");
  await host.keyboard.press("Enter");
  await expect(host.getByText("已对焦")).toBeVisible();
  expect(JSON.parse((await constrained(guest)).at(-1) ?? "")).toMatchObject({
    pointsOfInterest: [{ x: 0.5, y: 0.5 }],
    focusMode: "single-shot",
  });

  // Who forbids it is not offered any more, and refuses what comes all the same.
  await guest.getByRole("button", { name: "设备与快捷键" }).click();
  await guest.getByRole("switch", { name: "允许他人控制我的摄像头" }).click();
  await expect.poll(() => constrained(guest)).toContain('{"torch":false}');
  await expect(host.getByRole("button", { name: MENU })).toHaveCount(0);
  expect(await refusal(host, { kind: "freeze" })).toBe("-507 freeze_remote_fail");
  await expectPictures(host, ["lina"]);
});
