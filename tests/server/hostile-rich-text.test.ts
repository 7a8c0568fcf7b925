/** Hostile texts (tests/support/hostile.ts) in rich text and in messages: what could run is left out, and links lead to the web alone. */
import { describe, expect, test } from "vitest";
import { askingPlatform } from "../../src/server/asking.harness.ts";
import { sanitise } from "../../src/server/modules/bulletins/sanitise.ts";
import { BULLETIN_TAGS } from "../../src/shared/domain/bulletins.ts";
import { linkParts } from "../../src/ui/features/people/messages/links.ts";
import {
  HOSTILE,
  HOSTILE_CASES,
  MARKUP,
  MARKUP_CASES,
  UNFIT_CASES,
  wrongOf,
} from "../support/hostile.ts";

const { ask, data } = askingPlatform(["admin"]);

/** All that rich text may consist of. */
const TEXT = "[^<>]";
const TAG = `</?(?:${BULLETIN_TAGS.join("|")})(?: /)?>`;
const LINK = '</a>|<a(?: href="(?:https?|mailto|tel):[^"<>]*")?>';
const PICTURE = '<img data-file="[\\w-]{22}\\.[a-z]{3,4}"(?: alt="[^"<>]*")? />';
const GRAMMAR = new RegExp(`^(?:${TEXT}|${TAG}|${LINK}|${PICTURE})*$`);

test("Rich text keeps elements that cannot run, also when it is sanitised twice", () => {
  for (const around of ["T", "<p>T</p>", "<ul><li>T", '<a href="T">x</a>', '<img alt="T" src=T>']) {
    const wrong = wrongOf(MARKUP, (text) => {
      const kept = sanitise(around.replaceAll("T", () => text));
      return GRAMMAR.test(kept) && GRAMMAR.test(sanitise(kept));
    });
    expect(wrong, around).toEqual([]);
  }
});

describe("A bulletin by REST", () => {
  const NOTICE = "/system/notice";
  const bulletin = (noticeContent: string) => ({
    noticeTitle: "公告",
    noticeType: "1",
    status: "0",
    noticeContent,
  });
  /** What is stored of a content, as a reader gets it; null when it is refused at its field. */
  async function stored(content: string): Promise<string | null> {
    const { status, body } = await ask("POST", NOTICE, { json: bulletin(content) });
    if (status === 400) {
      expect(Object.keys(body.details?.["fields"] as object)).toEqual(["noticeContent"]);
      return null;
    }
    const { noticeId } = body.data as { noticeId: string };
    const read = (await data("GET", `${NOTICE}/${noticeId}`)) as { noticeContent: string };
    return read.noticeContent;
  }
  const escaped = (text: string): string =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

  test("What a person types into the editor is stored to the letter", async () => {
    const wrong: string[] = [];
    for (const { name, text } of HOSTILE_CASES) {
      const typed = `<h2>${escaped(text)}</h2><ul><li><p>甲<strong>${escaped(text)}</strong></p></li></ul>`;
      if ((await stored(typed)) !== typed) wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });

  test("Markup is stored without what could run, or refused where nothing is left to see", async () => {
    const wrong: string[] = [];
    let refused = 0;
    for (const { name, text } of MARKUP_CASES) {
      const kept = await stored(text);
      if (kept === null) refused += 1;
      else if (!GRAMMAR.test(kept) || sanitise(kept) !== kept) wrong.push(`${name}: ${kept}`);
    }
    expect(wrong).toEqual([]);
    expect([refused > 0, refused < MARKUP_CASES.length / 2]).toEqual([true, true]);
    for (const { text } of UNFIT_CASES) expect(await stored(`<p>甲${text}</p>`)).toBeNull();
    expect(await stored(`<p>${"甲".repeat(50_000)}</p>`)).toBeNull();
  });

  test.each([
    ["a link of the editor stays as it is", "https://ok.test/a?b=1&amp;c=2#d", true],
    ["mail", "mailto:a@ok.test", true],
    ["a number", "tel:+8655112345678", true],
    ["protocol in capitals", "HTTPS://ok.test/", true],
    ["a script", "javascript:ran=1", false],
    ["a script in mixed case", "jAvAsCrIpT:ran=1", false],
    ["a script behind blanks", " \t\n javascript:ran=1", false],
    ["a script behind a control character", "\u0001javascript:ran=1", false],
    ["a script with a tab", "java\tscript:ran=1", false],
    ["a script with a line end", "java\r\nscript:ran=1", false],
    ["a script with the entity of a tab", "java&Tab;script:ran=1", false],
    ["a script with decimal entities", "&#106;&#97;vascript:ran=1", false],
    ["a script with entities without semicolons", "&#x6A&#x61vascript:ran=1", false],
    ["a script with long entities", "&#x000006A;avascript:ran=1", false],
    ["a script with a named colon", "javascript&colon;ran=1", false],
    ["a script behind an allowed word", "https&colon;//x:javascript:", true],
    ["data", "data:text/html;base64,PHNjcmlwdD4=", false],
    ["data in mixed case with a tab", "da\tTa:text/html,x", false],
    ["VBScript", "vbscript:ran=1", false],
    ["VBScript with an entity", "&#118;bscript:ran=1", false],
    ["a blob", "blob:https://ok.test/1", false],
    ["a file", "file:///etc/passwd", false],
    ["the source of a page", "view-source:https://ok.test/", false],
    ["a page of the console", "/system/user", false],
    ["an address without protocol", "//evil.test/", false],
    ["backslashes", "\\\\evil.test", false],
    ["slash and backslash", "/\\evil.test", false],
    ["nothing", "", false],
  ])("Links: %s", async (_, href, isKept) => {
    const kept = await stored(`<p><a href="${href}">x</a></p>`);
    expect(kept === "<p><a>x</a></p>").toBe(!isKept);
    if (isKept) expect(kept).toMatch(/^<p><a href="(?:https?|mailto|tel):[^"<>]*">x<\/a><\/p>$/i);
    if (isKept && !href.includes("&colon;")) expect(kept).toBe(`<p><a href="${href}">x</a></p>`);
  });

  test("A picture has no address, and its text cannot leave its attribute", async () => {
    for (const { name, text } of MARKUP_CASES) {
      const alt = escaped(text).replaceAll('"', "&quot;");
      const kept = await stored(`<p>甲<img src="${alt}" data-file="${alt}" alt="${alt}"></p>`);
      expect([name, kept]).toEqual([name, "<p>甲</p>"]);
    }
  });
});

test("A message links to http and https alone, and loses no character", () => {
  const wrong = wrongOf(HOSTILE, (text) => {
    const parts = linkParts(text);
    return (
      parts.map((part) => part.text).join("") === text &&
      parts.every(({ href }) => href === null || /^https?:\/\/[^/@]+\/[^"'<>`\s]*$/.test(href))
    );
  });
  expect(wrong).toEqual([]);
});
