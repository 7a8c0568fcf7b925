/** A screen is shared from one console and controlled from another. */
import type { Locator, Page } from "@playwright/test";
import type { ControlAction } from "../../src/shared/protocol/remote-control.ts";
import { createConference, joinFromLobby, slice } from "./conference.ts";
import { expect } from "./fixtures.ts";

declare global {
  /** Where a desktop shell puts its executor. */
  var desktopControl: { input(actions: readonly ControlAction[]): void } | undefined;
}

/** The host shares, and the guest sees the screen on the stage. */
export async function sharedScreen(host: Page, guest: Page, name: string): Promise<void> {
  await createConference(host, name);
  await joinFromLobby(guest, name);
  await host.getByRole("button", { name: "共享屏幕" }).click();
  const video = guest.locator(".conference-tile[data-large=true][data-kind=screen] video");
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.videoWidth))
    .toBeGreaterThan(0);
}

export const stateOf = async (page: Page): Promise<string> => {
  const { own, screen } = (await slice(page)).control;
  return own.state === "idle" ? screen.state : own.state;
};

/** The guest asks and the host agrees. */
export async function control(host: Page, guest: Page): Promise<Locator> {
  await guest.getByRole("button", { name: "请求控制" }).click();
  await host.getByRole("button", { name: "同意控制" }).click();
  const surface = guest.locator(".conference-control-surface");
  await expect(surface).toBeFocused();
  await expect(host.locator(".controlled-bar")).toBeVisible();
  return surface;
}

/** The place of the guest's page that means a place of the host's viewport, both in CSS px. */
export async function placeOf(host: Page, guest: Page, target: Locator): Promise<[number, number]> {
  const box = (await target.boundingBox())!;
  const view = host.viewportSize()!;
  const area = await guest
    .locator(".conference-tile[data-large=true] video")
    .evaluate((video: HTMLVideoElement) => {
      const { left, top, width, height } = video.getBoundingClientRect();
      const scale = Math.min(width / video.videoWidth, height / video.videoHeight);
      const [wide, high] = [video.videoWidth * scale, video.videoHeight * scale];
      return { left: left + (width - wide) / 2, top: top + (height - high) / 2, wide, high };
    });
  return [
    area.left + ((box.x + box.width / 2) / view.width) * area.wide,
    area.top + ((box.y + box.height / 2) / view.height) * area.high,
  ];
}
