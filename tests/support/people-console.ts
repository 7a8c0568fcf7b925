/** The console of an administrator with rows on each of the people pages, for tests that look at them in both languages. */
import { expect, test as base } from "./fixtures.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { loggedIn, type Person } from "./people.ts";
import type { At, Words } from "./people-dialogs.ts";
import { addPeopleRows } from "./people-rows.ts";
import { areaOf, hasData } from "./screen-visit.ts";
import { createServerTexts, type ServerTexts } from "./screen-words.ts";

const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
export const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Console {
  readonly gateway: Gateway;
  readonly texts: ServerTexts;
  readonly admin: Person;
}

export const test = base.extend<object, { console: Console }>({
  console: [
    async ({ browser, server }, use) => {
      const texts = createServerTexts();
      const gateway = await startGateway(server.url, { onJson: texts.add });
      await addPeopleRows(server.url);
      const admin = await loggedIn(browser, gateway.url, "admin", { path: "/dashboard" });
      await use({ gateway, texts, admin });
      await admin.close();
      await gateway.close();
    },
    { scope: "worker" },
  ],
});

/** Opens the page in this language, on a window of this size. */
export async function openPage(
  { admin, gateway }: Console,
  uri: string,
  language: Language,
): Promise<At> {
  const page = admin.pages[0]!;
  await page.setViewportSize(WIDE);
  if (new URL(page.url()).pathname !== uri) await page.goto(uri);
  await hasData(page, uri, gateway);
  const html = page.locator("html");
  const wanted = language === "zh" ? "zh-CN" : "en";
  if ((await html.getAttribute("lang")) !== wanted) {
    await page.getByRole("button", { name: /^(切换语言|Language)/ }).click();
    await expect(html).toHaveAttribute("lang", wanted);
  }
  await page.setViewportSize(language === "zh" ? WIDE : PHONE);
  return {
    page,
    area: areaOf(page, uri),
    say: ([zh, en]: Words) => (language === "zh" ? zh : en),
  };
}
