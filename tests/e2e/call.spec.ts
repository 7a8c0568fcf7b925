/** What a person does in a call: voice, mute, camera, minimise, write; and the texts shown when devices are refused. */
import { chromium, firefox } from "@playwright/test";
import { firefoxOptions } from "../firefox/launch.ts";
import {
  answerButton,
  callId,
  callStatus,
  dial,
  expectMedia,
  expectMovingPicture,
  hangUpButton,
  openChat,
  timer,
  waitForOwner,
} from "../support/calls.ts";
import { chromiumArgs, chromiumPath } from "../support/chromium.ts";
import { crash } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { loggedIn } from "../support/people.ts";
import { inbound } from "../support/rtc.ts";

test("In a video call the other side sees a mute and a camera that is off, and the call can be minimised", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina");
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(a, "李娜");
  await answerButton(b).click();
  await expectMedia(a);
  await expectMedia(b);

  const remote = (page: typeof a) =>
    page.evaluate(() => ({ ...globalThis.consoleCore.state.call.remote }));
  await a.getByRole("button", { name: "静音", exact: true }).click();
  await expect(a.getByRole("button", { name: "取消静音" })).toBeVisible();
  await expect.poll(() => remote(b)).toMatchObject({ audioMuted: true });
  await a.getByRole("button", { name: "取消静音" }).click();
  await expect.poll(() => remote(b)).toMatchObject({ audioMuted: false });

  await a.getByRole("button", { name: "关闭摄像头" }).click();
  await expect.poll(() => remote(b)).toMatchObject({ videoOff: true });
  // No frame arrives while the camera is off.
  let before = Number.NaN;
  const newFrames = async (): Promise<number> => {
    const { framesDecoded } = await inbound(b);
    const fresh = framesDecoded - before;
    before = framesDecoded;
    return fresh;
  };
  await expect.poll(newFrames, { intervals: [500] }).toBe(0);
  await a.getByRole("button", { name: "打开摄像头" }).click();
  await expect.poll(() => remote(b)).toMatchObject({ videoOff: false });
  await expectMovingPicture(b);

  await a.getByRole("button", { name: "最小化" }).click();
  await expect(timer(a).first()).toBeVisible();
  await expectMedia(a);
  await openChat(a, "李娜");
  await hangUpButton(a).first().click();
  await expect.poll(() => callStatus(b)).toBe("idle");
  await expect.poll(() => inbound(a).then((i) => i.openPeers)).toBe(0);
  await expect.poll(() => inbound(b).then((i) => i.openPeers)).toBe(0);
});

test("A voice call carries sound and no picture", async ({ people }) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina");
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(a, "李娜", "语音通话");
  await answerButton(b).click();
  await expectMedia(a, false);
  await expectMedia(b, false);
  await expect.poll(() => inbound(b).then((i) => i.audioEnergy)).toBeGreaterThan(0);
  expect((await inbound(a)).framesDecoded).toBe(0);
  expect((await inbound(b)).framesDecoded).toBe(0);
});

test("A call continues after its only tab is reloaded", async ({ people }) => {
  const zhang = await people.loggedIn("zhangwei");
  const li = await people.loggedIn("lina");
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(a, "李娜");
  await answerButton(b).click();
  await expectMedia(b);
  const id = await callId(b);
  await a.reload();
  await waitForOwner([a]);
  await expectMedia(b);
  await expect.poll(() => callId(a)).toBe(id);
});

test("A call is re-established after the tab with both the worker and the media is killed", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 3 });
  const li = await people.loggedIn("lina");
  const [first, b] = [zhang.pages[0]!, li.pages[0]!];
  await dial(first, "李娜");
  await answerButton(b).click();
  await expectMedia(b);
  const id = await callId(b);
  await crash(first);
  const next = await waitForOwner(zhang.pages.slice(1));
  await expectMedia(b);
  await expectMedia(next);
  await expect.poll(() => callId(next)).toBe(id);
  await expect.poll(() => callId(b)).toBe(id);
});

for (const { what, args, preferences, text } of [
  {
    what: "no device",
    args: ["--use-fake-ui-for-media-stream"],
    preferences: { "media.navigator.streams.fake": false },
    text: "没有可用的麦克风或摄像头",
  },
  {
    what: "no permission",
    args: ["--use-fake-device-for-media-stream", "--deny-permission-prompts"],
    preferences: {
      "media.navigator.permission.disabled": false,
      "permissions.default.camera": 2,
      "permissions.default.microphone": 2,
    },
    text: "浏览器未允许使用麦克风或摄像头",
  },
]) {
  test(`With ${what}: the caller learns the reason, and no screen keeps ringing`, async ({
    browserName,
    people,
    server,
  }) => {
    const li = await people.loggedIn("lina");
    const own =
      browserName === "firefox"
        ? await firefox.launch({ channel: "moz-firefox", ...firefoxOptions(preferences) })
        : await chromium.launch({
            executablePath: chromiumPath(),
            args: [...chromiumArgs.filter((arg) => !arg.startsWith("--use-fake")), ...args],
          });
    try {
      const zhang = await loggedIn(own, server.url, "zhangwei", { permissions: [] });
      const a = zhang.pages[0]!;
      await dial(a, "李娜");
      await expect(a.getByText(text).first()).toBeVisible();
      await expect.poll(() => callStatus(a)).toBe("idle");
      await expect.poll(() => callStatus(li.pages[0]!)).toBe("idle");
      expect(zhang.complaints).toEqual([]);
    } finally {
      await own.close();
    }
  });
}
