/** What people do inside a conference beside talking. How pictures and sound of many people arrive is shown in conference.spec.ts. */
import type { Page } from "@playwright/test";
import {
  CONFERENCE_PAGE,
  createConference,
  joined,
  joinFromLobby,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectAccessible, shoot } from "../support/look.ts";
import { remotePixels } from "../support/rtc.ts";

/** The picture of the other person arrives and moves. */
async function expectPicture(page: Page): Promise<void> {
  await expect.poll(() => remotePixels(page)).not.toBeNull();
  const first = await remotePixels(page);
  await expect.poll(() => remotePixels(page)).not.toBe(first);
}

test("Two people see each other in a conference, raise hands, and are muted so that they may end it or not", async ({
  people,
}) => {
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;

  // Only an administrator sees kinds and limits of a conference, in a drawer.
  await expect(guest.getByRole("form", { name: "创建会议" })).toBeVisible();
  await shoot(guest, "conference-lobby-staff");
  for (const hidden of ["高级设置", "会议类型", "混音会议"]) {
    await expect(guest.getByText(hidden)).toHaveCount(0);
  }
  await host.getByText("高级设置").click();
  await expect(host.getByLabel("会议类型")).toBeVisible();
  await expect(host.getByLabel("发言人数上限")).toBeVisible();
  await shoot(host, "conference-lobby-admin");
  await createConference(host, "周例会");
  await joinFromLobby(guest, "周例会");
  for (const page of [host, guest]) await expectPicture(page);

  // Hands: the guest raises by keys, the host by the button; the host lowers all.
  await guest.keyboard.press("Alt+h");
  await host.getByRole("button", { name: "李娜举手 · 共 1 人" }).click();
  await host.getByRole("button", { name: "举手", exact: true }).click();
  const hands = guest.locator(".conference-tile-hand");
  await expect(hands).toHaveCount(2);
  await shoot(host, "conference-hands");
  await expect(host.getByRole("list", { name: "举手（2）" }).getByRole("listitem")).toContainText([
    "李娜",
    "（我）",
  ]);
  await host.getByRole("button", { name: "全部放下" }).click();
  await expect(hands).toHaveCount(0);

  // All are muted and may unmute themselves.
  const aoff = async (): Promise<number | undefined> => {
    const { streams } = await slice(host);
    return Object.values(streams).find(({ memId }) => memId === "lina")?.aoff;
  };
  await expect.poll(aoff).toBe(0);
  await host.getByRole("button", { name: "全员静音", exact: true }).click();
  await host.getByRole("dialog").getByRole("button", { name: "全员静音" }).click();
  await expect(guest.locator(".conference-state")).toHaveText("主持人已将全员静音，您可以自行解除");
  await expect.poll(aoff).toBe(1);
  await guest.getByRole("button", { name: "取消静音" }).click();
  await expect.poll(aoff).toBe(0);
  await host.getByRole("button", { name: "解除全员静音" }).click();

  // All are muted and may not: the guest asks by hand, and the host lets it speak.
  await host.getByRole("button", { name: "全员静音", exact: true }).click();
  await host.getByText("允许成员自行解除静音").click();
  await host.getByRole("dialog").getByRole("button", { name: "全员静音" }).click();
  await expect.poll(aoff).toBe(1);
  await guest.getByRole("button", { name: "取消静音" }).click();
  await expect(guest.getByText("暂不能打开麦克风；需要发言时请举手")).toBeVisible();
  await guest.getByRole("button", { name: "举手", exact: true }).click();
  await host.getByRole("button", { name: "允许李娜发言" }).click();
  await expect.poll(aoff).toBe(0);
  await expect(hands).toHaveCount(0);
});

test("The copied link leads to a check of the devices, and a shared screen takes the stage", async ({
  people,
}) => {
  const at = { path: CONFERENCE_PAGE };
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const guest = (await people.loggedIn("lina", at)).pages[0]!;
  const confrId = await createConference(host, "项目会");
  await joinFromLobby(guest, "项目会");

  // One click copies the link of the conference.
  await host.evaluate(() => {
    const writeText = async (text: string): Promise<void> => {
      document.body.dataset["copied"] = text;
    };
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  });
  await host.getByRole("button", { name: "复制会议链接" }).click();
  await expect(host.getByText("已复制")).toBeVisible();
  const link = `${new URL(host.url()).origin}${CONFERENCE_PAGE}?id=${confrId}`;
  await expect(host.locator("body")).toHaveAttribute("data-copied", link);

  // A shared screen takes the stage by itself; the person sees it in its own size, sends it back, and pins another tile.
  await guest.getByRole("button", { name: "共享屏幕" }).click();
  const large = host.locator(".conference-tile[data-large=true]");
  await expect(large).toHaveAttribute("data-kind", "screen");
  const size = () =>
    large
      .locator("video")
      .evaluate((video: HTMLVideoElement) => [
        video.clientWidth === video.videoWidth,
        video.videoWidth > 0,
      ]);
  await expect.poll(size).toEqual([false, true]);
  await shoot(host, "conference-stage");
  await expectAccessible(host, "shared screen on the stage");
  // The newest of several screens takes the stage, and the former one becomes a small tile until it is alone again.
  const third = (await people.loggedIn("zhangwei", at)).pages[0]!;
  await joinFromLobby(third, "项目会");
  await third.getByRole("button", { name: "共享屏幕" }).click();
  await expect(large).toHaveAttribute("data-member", "zhangwei");
  const small = host.locator(".conference-tile[data-large=false][data-kind=screen]");
  await expect(small).toHaveAttribute("data-member", "lina");
  await shoot(host, "conference-two-screens");
  await third.getByRole("button", { name: "停止共享" }).click();
  await expect(large).toHaveAttribute("data-member", "lina");
  await expect(small).toHaveCount(0);
  await third.getByRole("button", { name: "离开会议" }).click();
  await expect(third.getByRole("form", { name: "创建会议" })).toBeVisible();
  await host.getByRole("button", { name: "原始大小" }).click();
  await expect.poll(size).toEqual([true, true]);
  await host.getByRole("button", { name: "返回宫格" }).click();
  await expect(large).toHaveCount(0);
  await host.getByRole("button", { name: "固定李娜", exact: true }).click();
  await expect(large).toHaveAttribute("data-member", "lina");
  await host.getByRole("button", { name: "取消固定李娜" }).click();
  await expect(large).toHaveCount(0);

  // Who opens the link sees and hears the own devices before joining, and joins as chosen there.
  await guest.getByRole("button", { name: "离开会议" }).click();
  await expect(guest.getByRole("form", { name: "创建会议" })).toBeVisible();
  await guest.goto(link);
  const greenRoom = guest.getByRole("form", { name: "准备加入会议" });
  await expect(greenRoom.getByRole("heading", { name: "项目会" })).toBeVisible();
  const own = greenRoom.locator("video");
  await expect.poll(() => own.evaluate((video: HTMLVideoElement) => video.videoWidth)).not.toBe(0);
  const meter = greenRoom.getByRole("meter", { name: "麦克风音量" });
  await expect.poll(() => meter.evaluate((bar: HTMLMeterElement) => bar.value)).toBeGreaterThan(0);
  await shoot(guest, "green-room");
  await expectAccessible(guest, "green room");
  await greenRoom.getByRole("button", { name: "关闭摄像头" }).click();
  await expect(own).toBeHidden();
  await expect(greenRoom.getByText("摄像头已关闭")).toBeVisible();
  await greenRoom.getByRole("button", { name: "打开摄像头" }).click();
  await expect(own).toBeVisible();
  await greenRoom.getByRole("button", { name: "关闭麦克风" }).click();
  await greenRoom.getByRole("button", { name: "加入会议" }).click();
  await joined(guest);
  await expect(guest).toHaveURL(new RegExp(`${CONFERENCE_PAGE}$`));
  const { local } = await slice(guest);
  expect([local.audioMuted, local.videoOff]).toEqual([true, false]);
});

test("Who is alone in a narrow window reads so above the name of the tile, in both languages", async ({
  people,
}) => {
  const page = (await people.loggedIn("lina", { path: CONFERENCE_PAGE })).pages[0]!;
  await createConference(page, "独自开会");
  await page.setViewportSize({ width: 390, height: 844 });
  const text = page.locator(".conference-alone");
  const name = page.locator(".conference-tile figcaption");
  const free = async (): Promise<number> => {
    const [above, below] = [await text.boundingBox(), await name.boundingBox()];
    return (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0));
  };
  await expect(text).toContainText("会议中只有您一人");
  expect(await free()).toBeGreaterThanOrEqual(4);
  await shoot(page, "conference-alone");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "切换语言" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(text).toContainText("You are the only one here");
  expect(await free()).toBeGreaterThanOrEqual(4);
  await shoot(page, "conference-alone-english");
});
