/**
 * Hostile texts (tests/support/hostile.ts) in pages that the server writes and in names of files. tests/server/hostile-fields.test.ts writes
 * them through every call, tests/server/hostile-employees.test.ts and tests/server/hostile-rich-text.test.ts look for what becomes of them,
 * tests/server/hostile-exports.test.ts reads them from files, tests/e2e/hostile-texts.spec.ts shows what the pages make of them.
 */
import { describe, expect, test } from "vitest";
import { askingPlatform } from "../../src/server/asking.harness.ts";
import { cleanName, disposition } from "../../src/server/base/storage/names.ts";
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
import {
  FORMULA_CASES,
  HOSTILE,
  HOSTILE_CASES,
  HOSTILE_NAMES,
  MARKUP_CASES,
  wrongOf,
} from "../support/hostile.ts";

const { host, tokens } = askingPlatform(["admin"]);

test("There are more than 60 cases, all with a name of their own and all different, of each kind enough", () => {
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
  expect(new Set(HOSTILE_CASES.map(({ name }) => name)).size).toBe(HOSTILE_CASES.length);
  expect(MARKUP_CASES.length).toBeGreaterThanOrEqual(40);
  expect(FORMULA_CASES.length).toBeGreaterThanOrEqual(20);
  expect(HOSTILE.every((text) => text.length <= 100)).toBe(true);
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
    const answer = await fetch(`${host.origin}/common/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens["admin"]}`, "supplier-id": "1" },
      body: form,
    });
    expect([names[at], answer.status]).toEqual([names[at], 200]);
    const { files } = (await answer.json()) as {
      files: { fileName: string; originalName: string }[];
    };
    for (const [i, { fileName, originalName }] of files.entries()) {
      const name = names[at + i] ?? "";
      const read = await fetch(`${host.origin}/umc-rbac/common/download?fileName=${fileName}`, {
        headers: { authorization: `Bearer ${tokens["admin"]}`, "supplier-id": "1" },
      });
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
