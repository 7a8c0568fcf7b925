/** The sheet with the QR codes of invitations, as it is printed (docs/server.md#invitations). */
import { expect } from "../support/fixtures.ts";
import { shoot } from "../support/look.ts";
import { LANGUAGES, openPage, test } from "../support/people-console.ts";
import { topmost } from "../support/people-dialogs.ts";
import { wordsOf } from "../support/screen-words.ts";

// Nobody else's rows.
test.use({ serverEnv: { TEST_SERVER: "people dialogs" } });

test("The sheet of QR codes is printed in the language of who prints it", async ({
  console: shown,
}) => {
  for (const language of LANGUAGES) {
    const at = await openPage(shown, "/supplier/invitations", language);
    const { page, area, say } = at;
    await page.evaluate(() => {
      globalThis.print = () => undefined;
    });
    await area.getByRole("button", { name: say(["打印二维码", "Print QR codes"]) }).click();
    await topmost(page).locator("[type=submit]").click();
    const sheet = page.locator(".qr-sheet");
    await page.emulateMedia({ media: "print" });
    await expect(sheet.getByRole("listitem").first()).toBeVisible();
    // Paper is as wide as it is, whatever the window.
    await shoot(page, `qr-sheet-${language}`, ["wide"]);
    if (language === "en") {
      expect.soft(shown.texts.foreign(await wordsOf(sheet)), "the sheet in English").toEqual([]);
    }
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: null });
    await expect(sheet).toHaveCount(0);
  }
});
