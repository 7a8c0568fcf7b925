/**
 * A conference without devices, with a refused prompt, with an unanswered prompt, and with a microphone only. Runs in every
 * browser.
 */
import type { Page } from "@playwright/test";
import {
  CONFERENCE_PAGE,
  createConference,
  joinFromLobby,
  joined,
  memberNames,
  slice,
} from "../support/conference.ts";
import { changeDevices, type DeviceRule, withDevices } from "../support/devices.ts";
import { expect, test } from "../support/fixtures.ts";
import { inbound } from "../support/rtc.ts";
import { MEDIA_PATIENCE } from "../support/time-limits.ts";

const THERE: DeviceRule = { audio: "there", video: "there" };

/** Waits until more frames are decoded and more sound is received. */
async function receives(page: Page, frames: number, packets: number): Promise<void> {
  const before = await inbound(page);
  const more = async (): Promise<{ frames: boolean; sound: boolean; peers: number }> => {
    const now = await inbound(page);
    return {
      frames: now.framesDecoded - before.framesDecoded >= frames,
      sound: now.audioPackets - before.audioPackets >= packets,
      peers: now.openPeers,
    };
  };
  const message = `${frames} frames decoded, ${packets} audio packets received`;
  await expect
    .poll(more, { timeout: MEDIA_PATIENCE, message })
    .toMatchObject({ frames: true, sound: true });
}

/** The published streams of this member, as this page has them. */
async function published(page: Page, name: string): Promise<{ voff: number; aoff: number }[]> {
  const { members, streams } = await slice(page);
  return Object.values(streams)
    .filter(({ memId }) => members[memId]?.memName === name)
    .map(({ voff, aoff }) => ({ voff, aoff }));
}

const CASES: readonly {
  readonly name: string;
  readonly rule: DeviceRule;
  readonly hint: RegExp;
  /** The streams that the others receive meanwhile. */
  readonly streams: readonly object[];
}[] = [
  {
    name: "no device at all",
    rule: { audio: "missing", video: "missing" },
    hint: /没有找到麦克风和摄像头.*会议仍可观看和收听/s,
    streams: [],
  },
  {
    name: "a prompt that stands",
    rule: { audio: "asking", video: "asking" },
    hint: /浏览器正在询问能否使用麦克风和摄像头/,
    streams: [],
  },
  {
    name: "a microphone only",
    rule: { audio: "there", video: "missing" },
    hint: /没有找到摄像头/,
    streams: [{ voff: 1, aoff: 0 }],
  },
];

test("Without devices, with an unanswered prompt, or with a microphone only, a member receives frames and sound and publishes later", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const [a] = admin.pages as [Page];
  await createConference(a, "无设备");
  for (const { name, rule, hint, streams } of CASES) {
    await test.step(name, async () => {
      const lina = await people.loggedIn("lina", { path: CONFERENCE_PAGE });
      await withDevices(lina, rule);
      const [l] = lina.pages as [Page];
      await l.reload();
      await joinFromLobby(l, "无设备");
      await receives(l, 20, 50);
      await expect(l.locator(".conference-devices")).toHaveText(hint);
      await expect.poll(() => published(a, "lina")).toEqual(streams);
      await changeDevices(l, THERE);
      await expect.poll(() => published(a, "lina")).toEqual([{ voff: 0, aoff: 0 }]);
      await receives(a, 20, 50);
      await expect(l.locator(".conference-devices")).toHaveCount(0);
      await l.getByRole("button", { name: "离开会议" }).click();
      await expect.poll(() => memberNames(a)).toEqual(["admin"]);
      await lina.close();
    });
  }
});

test("After a refused prompt a member watches, reads how to allow devices, and publishes after a retry", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const [a] = admin.pages as [Page];
  await createConference(a, "未允许");
  const lina = await people.loggedIn("lina", { path: CONFERENCE_PAGE });
  await withDevices(lina, { audio: "refused", video: "refused" });
  const [l] = lina.pages as [Page];
  await l.reload();
  await joinFromLobby(l, "未允许");
  await receives(l, 20, 50);
  const hint = l.locator(".conference-devices");
  await expect(hint).toContainText("浏览器未允许使用麦克风和摄像头。请点击地址栏左侧");
  expect(await published(a, "lina")).toEqual([]);

  // Only the microphone is allowed: the member is heard, not seen.
  await changeDevices(l, { audio: "there", video: "refused" });
  await l.getByRole("button", { name: "打开麦克风" }).click();
  await expect.poll(() => published(a, "lina")).toEqual([{ voff: 1, aoff: 0 }]);
  await receives(a, 0, 50);
  await expect(hint).toContainText("浏览器未允许使用摄像头");
  await changeDevices(l, THERE);
  await hint.getByRole("button", { name: "重试" }).click();
  await receives(a, 20, 50);
  await expect(hint).toHaveCount(0);
});

test("A member who only watches opens no device, and a role merely permits: each device is turned on by a click", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const lina = await people.loggedIn("lina", { path: CONFERENCE_PAGE });
  const [a] = admin.pages as [Page];
  const [l] = lina.pages as [Page];
  const id = await createConference(a, "先看");
  const form = l.getByRole("form", { name: "加入会议" });
  await form.getByLabel("会议号或邀请链接").fill(id);
  await form.getByText("先只看和听").click();
  await form.getByRole("button", { name: "加入会议" }).click();
  await receives(l, 20, 50);
  const { local } = await slice(l);
  expect(local).toMatchObject({ microphone: "off", camera: "off", publishing: false });
  await expect(l.locator(".conference-devices")).toContainText("您正在观看和收听");

  const setRole = async (item: string): Promise<void> => {
    await a.getByRole("button", { name: "对李娜的操作" }).click();
    await a.getByRole("menuitem", { name: item }).click();
  };
  await a.getByRole("button", { name: "成员" }).click();
  await setRole("设为观众");
  await expect(l.getByRole("button", { name: "申请发言" })).toBeVisible();
  await setRole("设为发言人");
  await expect(l.getByText("您现在可以发言")).toBeVisible();
  expect(await published(a, "lina")).toEqual([]);
  await expect
    .poll(async () => (await slice(l)).local)
    .toMatchObject({ microphone: "off", camera: "off" });

  await l.getByRole("button", { name: "打开麦克风" }).click();
  await expect.poll(() => published(a, "lina")).toEqual([{ voff: 1, aoff: 0 }]);
  await expect
    .poll(async () => (await slice(l)).local)
    .toMatchObject({ microphone: "on", camera: "off" });
  await l.getByRole("button", { name: "打开摄像头" }).click();
  await receives(a, 20, 50);

  // After becoming audience and talker again, devices that were on stay off.
  await setRole("设为观众");
  await expect.poll(() => published(a, "lina")).toEqual([]);
  await setRole("设为发言人");
  await expect(l.getByRole("button", { name: "打开摄像头" })).toBeVisible();
  await expect(l.getByRole("button", { name: "打开麦克风" })).toBeVisible();
  expect(await published(a, "lina")).toEqual([]);
});

declare global {
  // Set by `watchScreen`.
  var screensAsked: boolean[];
}
/** Replaces the browser's screen picker, which headless browsers lack, and records whether sound was requested. */
function watchScreen(): void {
  globalThis.screensAsked = [];
  navigator.mediaDevices.getDisplayMedia = async (options = {}) => {
    globalThis.screensAsked.push(Boolean(options.audio));
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    setInterval(() => context?.fillRect(0, 0, 9, 9), 100);
    const stream = canvas.captureStream(10);
    if (options.audio) {
      const sound = await navigator.mediaDevices.getUserMedia({ audio: true });
      for (const track of sound.getTracks()) stream.addTrack(track);
    }
    return stream;
  };
}

test("A mixed conference shares a screen without sound, a plain one with sound", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  await admin.context.addInitScript(watchScreen);
  const [a] = admin.pages as [Page];
  await a.reload();
  await expect(a.getByRole("form", { name: "创建会议" })).toBeVisible();
  for (const [type, name, sound] of [
    [11, "混音", false],
    [12, "直播", false],
    [10, "普通", true],
  ] as const) {
    await a.evaluate(
      ([kind, called]) =>
        globalThis.consoleCore.commands.conference.create({ type: kind, name: called }),
      [type, name] as const,
    );
    await joined(a);
    await a.getByRole("button", { name: "共享屏幕" }).click();
    await expect(a.getByRole("button", { name: "停止共享" })).toBeVisible();
    const { streams } = await slice(a);
    const screen = Object.values(streams).find((one) => one.type === 1);
    expect([screen?.hasVideo, screen?.hasAudio]).toEqual([true, sound]);
    expect(await a.evaluate(() => globalThis.screensAsked.at(-1))).toBe(sound);
    await a.getByRole("button", { name: "离开会议" }).click();
    await a.getByRole("button", { name: "为所有人结束" }).click();
    await expect(a.getByRole("form", { name: "创建会议" })).toBeVisible();
  }
});
