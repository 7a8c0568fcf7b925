/**
 * Hostile texts (tests/support/hostile.ts) where a text becomes more than a row: employees are found by them, rich text loses what could
 * run, links lead to the web alone, and file names stay one name. tests/server/hostile-fields.test.ts writes them through every call,
 * tests/server/hostile-exports.test.ts reads them from files, tests/e2e/hostile-texts.spec.ts shows what the pages make of them.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { askingPlatform } from "../../src/server/asking.harness.ts";
import { cleanName, disposition } from "../../src/server/base/storage/names.ts";
import { sanitise } from "../../src/server/modules/bulletins/sanitise.ts";
import type { Invitation } from "../../src/server/modules/employees/invites.ts";
import {
  closedPage,
  formPage,
  type InviteValues,
  joinedPage,
} from "../../src/server/modules/employees/invite-view.ts";
import { openApiDocument } from "../../src/server/modules/openapi/document.ts";
import { openApiPage } from "../../src/server/modules/openapi/page.ts";
import { AppError } from "../../src/shared/errors.ts";
import { BULLETIN_TAGS } from "../../src/shared/domain/bulletins.ts";
import { trimText, unfitSign, withLineFeeds } from "../../src/shared/domain/text-marks.ts";
import { linkParts } from "../../src/ui/features/people/links.ts";
import {
  FORMULA_CASES,
  HOSTILE,
  HOSTILE_CASES,
  HOSTILE_NAMES,
  hostileUpTo,
  MARKUP,
  MARKUP_CASES,
  UNFIT_CASES,
} from "../support/hostile.ts";
import { lines, textCells } from "../support/text-cells.ts";

const SUPPLIER = "/scm-supplier/api/sec";
const platform = askingPlatform(["admin"]);

type Json = Record<string, unknown>;
const ask = async (method: string, path: string, json?: unknown): Promise<unknown> => {
  const answer = await platform.ask(method, path, json === undefined ? {} : { json });
  expect([method, path, json, answer.body.msg]).toEqual([method, path, json, "操作成功"]);
  return answer.body.data;
};
const records = async (path: string): Promise<Json[]> => {
  const { records: rows } = (await ask("GET", `${path}?limit=1000`)) as { records: Json[] };
  return rows;
};

test("There are more than 60 cases, all with a name of their own and all different, of each kind enough", () => {
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
  expect(new Set(HOSTILE_CASES.map(({ name }) => name)).size).toBe(HOSTILE_CASES.length);
  expect(MARKUP_CASES.length).toBeGreaterThanOrEqual(40);
  expect(FORMULA_CASES.length).toBeGreaterThanOrEqual(20);
  expect(HOSTILE.every((text) => text.length <= 100)).toBe(true);
});

/** Most texts of a search, each of which takes one request. */
const MANY = 64;
/** Up to 64 of the texts that a field takes, of all kinds, as they are kept: without blanks at the ends. */
const casesOf = (max: number): readonly string[] => {
  const all = [...new Set(hostileUpTo(max).map((text) => text.trim()))];
  const turn = (i: number): number => Math.floor((i * MANY) / all.length);
  return all.filter((_, i) => turn(i) !== turn(i - 1));
};

describe("Employees with hostile texts", () => {
  /** Control characters are refused in every text, line breaks and direction marks in names alone. */
  const texts = HOSTILE.map((text) => trimText(text.trim())).filter(
    (text) => unfitSign(text, false) === null,
  );
  /** A name is hostile where it fits, the other fields always. */
  const people = texts.map((text, i) => ({
    name: text.length <= 50 && unfitSign(text, true) === null ? text : `人${i}`,
    position: text,
    // A department of its own, whose name has no slash.
    department: `${i}${text.replaceAll("/", "")}`.slice(0, 100).trim(),
    remark: text,
  }));
  beforeAll(async () => {
    const created: object[] = [];
    for (const { department: name, ...rest } of people) {
      const { id } = (await ask("POST", "/system/dept", { parentId: null, name })) as Json;
      created.push({ ...rest, departmentId: id });
    }
    await ask("POST", `${SUPPLIER}/employees`, created);
  }, 60_000);

  test("are refused where they have a sign that belongs in no text", async () => {
    const refused = HOSTILE.filter((text) => unfitSign(text, false) !== null);
    expect(refused.length).toBeGreaterThan(1);
    for (const position of refused) {
      const answer = await platform.ask("POST", `${SUPPLIER}/employees`, {
        json: [{ name: "甲", position }],
      });
      expect([position, answer.status]).toEqual([position, 400]);
    }
  });

  test("are kept, and each is found by the text itself", async () => {
    const rows = await records(`${SUPPLIER}/employees/list`);
    for (const { remark: _, position, ...shown } of people) {
      const kept = { ...shown, position: withLineFeeds(position) };
      expect(rows).toContainEqual(expect.objectContaining(kept));
    }
    const lost: string[] = [];
    for (const position of casesOf(100).map((text) => withLineFeeds(trimText(text)))) {
      const query = new URLSearchParams({ keyword: position, limit: "1000" });
      const found = (await ask("GET", `${SUPPLIER}/employees/list?${query}`)) as {
        records: Json[];
      };
      if (!found.records.some((row) => row["position"] === position)) lost.push(position);
    }
    expect(lost).toEqual([]);
  });

  test("are texts in the export, with the prefix that keeps a formula a text", async () => {
    const { origin } = platform.host;
    const answer = await fetch(
      `${origin}${SUPPLIER}/getExcelByJson2/employed/${encodeURIComponent("=1+1")}`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${platform.tokens["admin"]}`,
          "supplier-id": "1",
          "content-type": "application/json",
        },
        body: JSON.stringify({
          columns: ["name", "position", "department", "remark"].map((field) => ({
            field,
            title: `=${field}`,
          })),
        }),
      },
    );
    expect(answer.status).toBe(200);
    const rows = textCells(Buffer.from(await answer.arrayBuffer()));
    expect(rows[0]).toEqual(["=name", "=position", "=department", "=remark"]);
    for (const { name, position, department, remark } of people) {
      const kept = [name, withLineFeeds(position), department, withLineFeeds(remark)];
      expect(rows).toContainEqual(kept.map(lines));
    }
  });
});

/** All that rich text may consist of. */
const TEXT = "[^<>]";
const TAG = `</?(?:${BULLETIN_TAGS.join("|")})(?: /)?>`;
const LINK = '</a>|<a(?: href="(?:https?|mailto|tel):[^"<>]*")?>';
const PICTURE = '<img data-file="[\\w-]{22}\\.[a-z]{3,4}"(?: alt="[^"<>]*")? />';
const GRAMMAR = new RegExp(`^(?:${TEXT}|${TAG}|${LINK}|${PICTURE})*$`);

/** The texts that break a rule, so that one failure names them all. */
const wrongOf = (texts: readonly string[], isRight: (text: string) => boolean): string[] =>
  texts.filter((text) => !isRight(text));

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
    const { status, body } = await platform.ask("POST", NOTICE, { json: bulletin(content) });
    if (status === 400) {
      expect(Object.keys(body.details?.["fields"] as object)).toEqual(["noticeContent"]);
      return null;
    }
    const { noticeId } = body.data as { noticeId: string };
    const read = (await ask("GET", `${NOTICE}/${noticeId}`)) as { noticeContent: string };
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

describe("Pages that the server writes have a text where a harmless word would stand, and nothing else of it", () => {
  const WORD = "harmless";
  const values = (text: string): InviteValues => ({
    name: text,
    mobile: text,
    smsCode: text,
    requestKey: text,
    username: text,
    password: text,
    again: text,
    code: text,
    more: { "custom.a": text, gender: text },
  });
  const asked = { max: 50, zh: "", en: "", choices: [] };
  const invitation = (text: string): Invitation => ({
    id: "1",
    expiresAt: new Date("2026-01-01T00:00:00Z"),
    approval: false,
    mobile: null,
    company: text,
    department: text,
    position: text,
    asks: [
      { ...asked, key: "custom.a", zh: text, kind: "text" },
      { ...asked, key: "gender", kind: "choice", choices: [{ value: text, label: text }] },
    ],
  });
  const look = { language: "zh", as: "login" } as const;
  const PAGES: readonly (readonly [name: string, page: (text: string) => string])[] = [
    [
      "the form of an invitation",
      (text) =>
        formPage(
          invitation(text),
          look,
          values(text),
          { name: text, code: text, "more.custom.a": text },
          { failed: text },
        ),
    ],
    ["that somebody joined", (text) => joinedPage(invitation(text), look, text, false)],
    [
      "why an invitation does not open",
      (text) => closedPage(new AppError("invite.closed", { message: text }), "zh"),
    ],
    ["the search of the contract", (text) => openApiPage(openApiDocument([], "1"), text)],
  ];
  const SIGNS: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  const escaped = (text: string): string =>
    text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");

  test.each(PAGES)("%s", (_, page) => {
    const wanted = page(WORD);
    expect(wanted).toContain(WORD);
    const wrong = wrongOf(
      HOSTILE,
      (text) => page(text) === wanted.replaceAll(WORD, () => escaped(text)),
    );
    expect(wrong).toEqual([]);
  });
});

/** What becomes of the name of a file (docs/server.md#texts-of-people). */
test("A file that is uploaded keeps its name, but for signs of control and direction", async () => {
  const names = HOSTILE_NAMES.filter((name) => name.length <= 60);
  const wrong: string[] = [];
  for (let at = 0; at < names.length; at += 5) {
    const form = new FormData();
    for (const name of names.slice(at, at + 5)) form.append("file", new Blob(["x"]), name);
    const answer = await fetch(`${platform.host.origin}/common/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${platform.tokens["admin"]}`, "supplier-id": "1" },
      body: form,
    });
    expect([names[at], answer.status]).toEqual([names[at], 200]);
    const { files } = (await answer.json()) as {
      files: { fileName: string; originalName: string }[];
    };
    for (const [i, { fileName, originalName }] of files.entries()) {
      const name = names[at + i] ?? "";
      const read = await fetch(
        `${platform.host.origin}/umc-rbac/common/download?fileName=${fileName}`,
        { headers: { authorization: `Bearer ${platform.tokens["admin"]}`, "supplier-id": "1" } },
      );
      const header = read.headers.get("content-disposition") ?? "";
      const [, real = ""] = /filename\*=UTF-8''([\w.~%!-]*)$/.exec(header) ?? [];
      const isSafe =
        header.startsWith(`attachment; filename="${fileName}"; `) &&
        read.headers.get("content-type") === "text/plain" &&
        read.headers.get("x-content-type-options") === "nosniff" &&
        read.headers.get("content-security-policy") === "default-src 'none'; sandbox";
      await read.arrayBuffer();
      const kept = fromForm(name);
      if (originalName !== kept || decodeURIComponent(real) !== kept || !isSafe) {
        wrong.push(`${JSON.stringify([name, originalName])} ${header}`);
      }
    }
  }
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(wrong).toEqual([]);
});

/** A form writes a quote of a name as %22, as browsers do. */
const fromForm = (name: string): string => cleanName(name.replaceAll('"', "%22"));

test("A download of a file with a hostile name has one header that names an attachment", () => {
  const wrong = wrongOf(HOSTILE_NAMES, (name) => {
    const kept = cleanName(name);
    const header = disposition("stored.txt", kept);
    const [, real = ""] =
      /^attachment; filename="stored\.txt"; filename\*=UTF-8''([\w.~%!-]*)$/.exec(header) ?? [];
    return decodeURIComponent(real) === kept && kept.length > 0;
  });
  expect(wrong).toEqual([]);
});
