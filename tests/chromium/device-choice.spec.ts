/** Choosing a device that does not open, in the dialog of devices. Chromium alone has several fake microphones. */
import type { Page } from "@playwright/test";
import { deviceErrorRow, lineOf } from "../../src/shared/domain/device-errors.ts";
import { fail, mend, withBrokenDevices } from "../support/broken-devices.ts";
import { answerButton, callStatus, dial } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";

test("A chosen microphone that does not open is named with its way out, and a choice works again afterwards", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei");
  await withBrokenDevices(zhang);
  const [a] = zhang.pages as [Page];
  await a.reload();
  const [b] = (await people.loggedIn("lina")).pages as [Page];
  await dial(a, "李娜", "语音通话");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  await a.getByRole("button", { name: "设备与效果" }).click();
  const choice = a.getByRole("combobox", { name: "麦克风" });
  const options = a.getByRole("option");
  const choose = async (at: number): Promise<void> => {
    await choice.click();
    await options.nth(at).click();
  };
  const row = deviceErrorRow("microphone", "unfit");
  await fail(a, row);
  await choose(1);
  await expect(
    a
      .locator(".arco-message")
      .filter({ hasText: lineOf(row).zh })
      .first(),
  ).toBeVisible();
  await mend(a, "microphone");
  await choose(2);
  await expect
    .poll(() => a.evaluate(() => globalThis.consoleCore.state.call.local.microphone))
    .toBe("on");
});
