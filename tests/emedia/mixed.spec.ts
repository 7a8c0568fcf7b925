/** The unmodified package easemob-emedia and the console in one conference. */
import { CONFERENCE_PAGE, expectPairs, joinById, slice } from "../support/conference.ts";
import { camerasSent } from "../support/rtc.ts";
import { expect, OTHER_ORIGIN, test } from "./fixtures.ts";

const SCREEN = 1;

test("The console joins a conference of a client, is muted there, and sees its screen end", async ({
  people,
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await people.loggedIn("ops", { path: CONFERENCE_PAGE });
  const page = ops.pages[0]!;
  const confrId = await lina.host();
  await joinById(page, confrId);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  await lina.act("mute", "ops", true);
  await expect(page.getByRole("button", { name: "取消静音" })).toBeVisible();
  await lina.act("close");
  await expect(page.locator(".conference-inside")).toHaveCount(0);
});

test("The console changes its camera, and a client keeps receiving over the same connection", async ({
  people,
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await people.loggedIn("ops", { path: CONFERENCE_PAGE });
  const page = ops.pages[0]!;
  await joinById(page, await lina.host());
  await lina.expectMedia("ops");
  const streams = await lina.received();
  const connections = () => lina.page.evaluate(() => peerConnections!.length);
  const before = await connections();

  await page.getByRole("button", { name: "设备与快捷键" }).click();
  const dialog = page.getByRole("dialog", { name: "设备与快捷键" });
  const camera = dialog.getByRole("combobox", { name: "摄像头" });
  for (const name of ["fake_device_2", "fake_device_0"]) {
    await camera.click();
    await page.getByRole("option", { name }).click();
    await expect.poll(() => camerasSent(page)).toEqual([name]);
    await lina.expectMedia("ops", { moves: name === "fake_device_0" });
  }
  expect(await connections()).toBe(before);
  await expect
    .poll(async () => (await lina.received()).map(({ streamId }) => streamId))
    .toEqual(streams.map(({ streamId }) => streamId));
});

test("A client on another host's page joins by the address of this server alone", async ({
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops", { page: OTHER_ORIGIN });
  const confrId = await lina.host();
  await ops.join(confrId);
  await ops.publish();
  await ops.expectMedia("lina");
  await lina.expectMedia("ops");
});

test("The console beside a client: sound alone, camera, texts, attributes, screen, and the limits of both", async ({
  people,
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await people.loggedIn("ops", { path: CONFERENCE_PAGE });
  const page = ops.pages[0]!;
  const limits = { maxVideoCount: 1, maxPubDesktopCount: 1 };
  const confrId = await lina.act("create", limits);
  const camera = await lina.publish();
  await joinById(page, confrId);
  // Its camera is one too many, so it goes on with sound alone.
  await lina.expectMedia("ops", { video: false });
  await expectPairs(page, ["lina"]);
  await expect.poll(() => lina.received()).toMatchObject([{ member: "ops", frames: 0, voff: 1 }]);
  await lina.act("turn", "Video", camera, false);
  await page.getByRole("button", { name: "打开摄像头" }).click();
  await lina.expectMedia("ops");

  await page.getByRole("button", { name: "消息", exact: true }).click();
  await page.getByLabel("发送给所有人").fill("大家好");
  await page.keyboard.press("Enter");
  await lina.expectEvent("message", { from: "ops", message: "大家好" });
  await lina.act("send", "ops", "你好");
  await expect(page.getByRole("log")).toContainText("你好");

  await lina.act("setAttribute", "topic", "drill");
  await expect.poll(async () => (await slice(page)).attrs).toEqual({ topic: "drill" });
  await lina.act("grant", "ops", 7);
  await expect.poll(async () => (await slice(page)).self?.role).toBe(7);
  await page.evaluate(() =>
    globalThis.consoleCore.commands.conference.setAttrs({ key: "place", val: "gate" }),
  );
  await lina.expectEvent("attributes", { topic: "drill", place: "gate" });

  await page.getByRole("button", { name: "共享屏幕" }).click();
  await lina.expectMedia("ops", { type: SCREEN, audio: false });
  await lina.expectMedia("ops");
  expect(await lina.act("share")).toBeNull();
  await lina.expectEvent("too many screens");
  await page.getByRole("button", { name: "停止共享" }).click();
  await lina.expectEvent("stream gone", { member: "ops", type: SCREEN });
  expect(await lina.act("share")).not.toBeNull();
  await expect(page.locator('.conference-tile[data-kind="screen"]')).toHaveCount(1);
  await page.getByRole("button", { name: "共享屏幕" }).click();
  await expect(page.getByText("会议共享桌面路数已达上限")).toBeVisible();
  await lina.expectMedia("ops");
  await expect.poll(() => lina.events("exit")).toEqual([]);
});
