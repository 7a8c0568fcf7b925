/** The person takes the permission away in the settings of a real browser, during a call. */
import { chromium, type Page } from "@playwright/test";
import { deviceErrorRow, lineOf } from "../../src/shared/domain/device-errors.ts";
import { answerButton, callStatus, dial } from "../support/calls.ts";
import { chromiumArgs, chromiumPath } from "../support/chromium.ts";
import { expect, test } from "../support/fixtures.ts";
import { loggedIn } from "../support/people.ts";

test("When the permission is taken away during a call, the message and the lasting mark name the same cause, and the devices open once it is back", async ({
  people,
  server,
}) => {
  const [b] = (await people.loggedIn("lina")).pages as [Page];
  const args = chromiumArgs.filter((one) => !one.startsWith("--use-fake-ui"));
  const browser = await chromium.launch({ executablePath: chromiumPath(), args });
  try {
    const zhang = await loggedIn(browser, server.url, "zhangwei");
    const [a] = zhang.pages as [Page];
    const microphone = () => a.evaluate(() => globalThis.consoleCore.state.call.local.microphone);
    await dial(a, "李娜", "语音通话");
    await answerButton(b).click();
    await expect.poll(() => callStatus(a)).toBe("chat");
    await expect.poll(microphone).toBe("on");
    // Granting any permission through the driver denies all others.
    await zhang.context.clearPermissions();
    await zhang.context.grantPermissions(["clipboard-read"], { origin: server.url });
    await expect.poll(microphone).toBe("revoked");
    const row = deviceErrorRow("microphone", "revoked");
    await expect(
      a
        .locator(".arco-message")
        .filter({ hasText: lineOf(row).zh })
        .first(),
    ).toBeVisible();
    await expect(a.locator('.call-mark[data-problem="microphone"]')).toContainText(row.what.zh);
    await expect(b.getByText("对方已静音")).toBeVisible();
    await zhang.context.grantPermissions(["camera", "microphone"], { origin: server.url });
    await expect.poll(microphone).toBe("on");
    await expect(b.getByText("对方已静音")).toHaveCount(0);
    expect(zhang.complaints).toEqual([]);
    await zhang.close();
  } finally {
    await browser.close();
  }
});
