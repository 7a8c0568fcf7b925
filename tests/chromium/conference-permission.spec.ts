/**
 * Cases that only Chromium lets a test produce for real: a permission that is refused first and granted later, and a machine
 * without devices.
 */
import { type Browser, chromium, type Page } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "../support/chromium.ts";
import { CONFERENCE_PAGE, createConference, joinFromLobby, slice } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";
import { loggedIn } from "../support/people.ts";
import { inbound } from "../support/rtc.ts";
import { MEDIA_PATIENCE } from "../support/time-limits.ts";

/** Frames are decoded, and sound that is not silence is received. */
async function seesAndHears(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        const { framesDecoded, audioPackets, audioEnergy } = await inbound(page);
        return framesDecoded > 20 && audioPackets > 50 && audioEnergy > 0;
      },
      { timeout: MEDIA_PATIENCE, message: "frames and sound" },
    )
    .toBe(true);
}
const devicesOf = async (page: Page): Promise<string[]> => {
  const { local } = await slice(page);
  return [local.microphone, local.camera];
};

/** Starts a separate browser without some of the default fake devices. */
async function withBrowser(
  without: string,
  work: (browser: Browser) => Promise<void>,
): Promise<void> {
  const args = chromiumArgs.filter((one) => !one.startsWith(without));
  const browser = await chromium.launch({ executablePath: chromiumPath(), args });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

test("When the browser refuses the devices and the person allows them later, they start automatically", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const [a] = admin.pages as [Page];
  await createConference(a, "权限");
  await withBrowser("--use-fake-ui", async (browser) => {
    // Granting any permission through the driver denies all others.
    const lina = await loggedIn(browser, server.url, "lina", {
      path: CONFERENCE_PAGE,
      permissions: ["clipboard-read"],
    });
    const [l] = lina.pages as [Page];
    await joinFromLobby(l, "权限");
    await seesAndHears(l);
    await expect.poll(() => devicesOf(l)).toEqual(["denied", "denied"]);
    const hint = l.locator(".conference-devices");
    await expect(hint).toContainText("点击地址栏左侧的网站设置图标");
    await shoot(l, "conference-denied");
    await lina.context.grantPermissions(["camera", "microphone"], { origin: server.url });
    await expect.poll(() => devicesOf(l)).toEqual(["on", "on"]);
    await expect(hint).toHaveCount(0);
    await seesAndHears(a);
    expect(lina.complaints).toEqual([]);
    await lina.close();
  });
});

test("On a machine without microphone and camera the member sees why they stay off, also on a second try", async ({
  people,
  server,
}) => {
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const [a] = admin.pages as [Page];
  await createConference(a, "真无设备");
  await withBrowser("--use-fake-device", async (browser) => {
    const lina = await loggedIn(browser, server.url, "lina", { path: CONFERENCE_PAGE });
    const [l] = lina.pages as [Page];
    await joinFromLobby(l, "真无设备");
    await seesAndHears(l);
    await expect.poll(() => devicesOf(l)).toEqual(["missing", "missing"]);
    await expect(l.locator(".conference-devices")).toContainText("没有找到麦克风和摄像头");
    await shoot(l, "conference-no-devices");
    await l.getByRole("button", { name: "关闭提示" }).click();
    await expect(l.locator(".conference-devices")).toHaveCount(0);
    // A second try shows the reason again.
    await l.getByRole("button", { name: "打开麦克风" }).click();
    await expect(l.locator(".conference-devices")).toContainText("没有找到麦克风和摄像头");
    await expect(l.getByRole("button", { name: "打开麦克风" })).toBeEnabled();
    expect(lina.complaints).toEqual([]);
    await lina.close();
  });
});
