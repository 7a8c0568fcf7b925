/** How the specs of the chat's dialogs and lists go through them: by the keyboard, in both languages, wide and on a phone. */
import type { Locator } from "@playwright/test";
import { button, type ChatConsole, MADE, press } from "./chat-dialogs.ts";
import { expect } from "./fixtures.ts";
import { expectAccessible, shoot, tabTo } from "./look.ts";
import { type Language, openPage, PHONE } from "./people-console.ts";
import type { At, Words } from "./people-dialogs.ts";
import { wordsOf } from "./screen-words.ts";

export const WAYS = [
  ["zh", "in Chinese on a wide window"],
  ["en", "in English on a phone"],
] as const;

/** Opens the list of conversations, with none of them open. */
export async function openList(chat: ChatConsole, language: Language): Promise<At> {
  await chat.admin.pages[0]!.goto("/im/people");
  return openPage(chat, "/im/people", language);
}
/** Presses a control of the page, from its start. */
export async function pressFromStart(at: At, target: Locator): Promise<void> {
  await at.page.locator("#main").evaluate((main) => {
    main.tabIndex = -1;
    main.focus();
  });
  await press(at.page, target);
}
export const bookEntry = ({ area }: At): Locator =>
  area.getByRole("button", { name: /^(通讯录|Contacts)/ });
export const section = ({ area, say }: At, words: Words): Locator =>
  area.locator(".book-section h3 button").filter({ hasText: say(words) });
export async function openPanel(at: At): Promise<Locator> {
  const conversation = at.area.locator(".contact", { hasText: MADE.own });
  await tabTo(at.page, conversation);
  await at.page.keyboard.press("Enter");
  await expect(at.area.getByRole("heading", { name: MADE.own })).toBeVisible();
  await pressFromStart(at, button("群成员", "Members").target(at));
  return at.area.locator(".group-panel");
}
/** Looks at this state of the page, or of a part of it. */
export async function lookAt(
  at: At,
  chat: ChatConsole,
  name: string,
  language: Language,
  part: string,
) {
  const { page } = at;
  if (language === "en") {
    const foreign = chat.texts.foreign(await wordsOf(page.locator(part).last()));
    expect.soft(foreign, `${name}: in English`).toEqual([]);
  }
  await shoot(page, `${name}-${language}`);
  if (language === "en") await page.setViewportSize(PHONE);
  await expectAccessible(page, `${name} ${language}`, part);
}
