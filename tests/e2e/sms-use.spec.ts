/** How many SMS were sent, as administrators read it in both languages, light and dark, wide and narrow (docs/server.md#sms). */
import { expect } from "../support/fixtures.ts";
import { expectAccessible, shoot, tabTo } from "../support/look.ts";
import { LANGUAGES, openPage, PHONE, test } from "../support/people-console.ts";
import { wordsOf } from "../support/screen-words.ts";

// Nobody else's rows.
test.use({ serverEnv: { TEST_SERVER: "people dialogs" } });

/** All limits of SMS are reached, and whose they are. */
const full = (answer: unknown): unknown => {
  const { data, ...rest } = answer as { readonly data: object };
  const until = "2026-11-27T08:30:00.000Z";
  const used = { used: 200, limit: 200, until };
  const nearest = [
    { kind: "company", who: "远航消防设施工程技术有限公司", ...used },
    { kind: "pair", who: "2001:db8:85a3:8d3:1319:8a2e:370:7348 · 138****5671", ...used },
    { kind: "address", who: "203.0.113.54", used: 41, limit: 50, until: null },
    { kind: "wrong", who: "203.0.113.54", used: 3, limit: 30, until: null },
    { kind: "invitations", who: "华安物业服务有限公司", ...used },
  ];
  return { ...rest, data: { ...data, codes: used, invitations: used, nearest } };
};

test("How many SMS were sent is read by everybody, also when all limits are reached", async ({
  console: shown,
}) => {
  const uri = "/monitor/smsCodes";
  for (const state of ["now", "full"] as const) {
    shown.gateway.treat(
      state === "now"
        ? null
        : (path) => (path.startsWith("/system/sms/usage") ? { change: full } : "pass"),
    );
    await shown.admin.pages[0]!.goto("/dashboard");
    for (const language of LANGUAGES) {
      const at = await openPage(shown, uri, language);
      const { page, area, say } = at;
      const panel = area.getByRole("region", {
        name: say(["最近 24 小时的短信", "SMS of the last 24 hours"]),
      });
      await expect(panel).toBeVisible();
      const details = panel.locator("details");
      const summary = panel.locator("summary");
      if ((await details.getAttribute("open")) === null) {
        await tabTo(page, summary);
        await page.keyboard.press("Enter");
      }
      await expect(details.getByRole("table")).toBeVisible();
      await shoot(page, `sms-use-${state}-${language}`);
      if (language === "en") {
        expect.soft(shown.texts.foreign(await wordsOf(panel)), "SMS in English").toEqual([]);
        await page.setViewportSize(PHONE);
      }
      await expectAccessible(page, `SMS of a day, ${state}, ${language}`, ".sms-use");
    }
  }
  shown.gateway.treat(null);
});
