/** Attaches what the pages show to a failed test, because a rare failure may not come again. `npm test` prints it. */
import type { Page, TestInfo } from "@playwright/test";
import { isDead } from "./crash.ts";
import { keptMessages } from "./shown-messages.ts";

/** ms; a page that does not answer is left out. */
const DEADLINE = 3_000;
const NO_ANSWER = "(no answer)";
/** Characters kept per page. */
const MOST = 6_000;

const shownBy = async (page: Page): Promise<string> => {
  if (isDead(page) || page.isClosed()) return "(closed)";
  const texts: string[] = [];
  // The menus beside the page are left out, unless there is nothing else.
  const areas = page.locator('#main, [role="dialog"]:visible, [role="alert"]:visible');
  const parts = (await areas.all()).length > 0 ? areas : page.locator("body");
  for (const part of await parts.all()) {
    texts.push(await part.ariaSnapshot({ timeout: DEADLINE }).catch(() => NO_ANSWER));
  }
  // A page that did not answer would keep this waiting.
  const said = texts.includes(NO_ANSWER) ? [] : await keptMessages(page).catch(() => []);
  const messages = said.length > 0 ? `\nmessages until now:\n${said.join("\n")}` : "";
  return `${page.url()}${messages}\n${texts.join("\n").slice(0, MOST)}`;
};

/** Attaches one text per page. A test that passed gets none. */
export async function attachPages(
  info: TestInfo,
  people: readonly { readonly name: string; readonly pages: readonly Page[] }[],
): Promise<void> {
  if (info.status === info.expectedStatus) return;
  for (const { name, pages } of people) {
    for (const [at, page] of pages.entries()) {
      await info.attach(`page ${at} of ${name}`, { body: await shownBy(page) });
    }
  }
}
