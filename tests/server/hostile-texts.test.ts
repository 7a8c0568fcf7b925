/**
 * Hostile texts (tests/support/hostile.ts) in every field that a person fills in: the server keeps them as they are, what it exports is
 * text, and rich text loses what could run. What the pages make of them is in tests/e2e/hostile-texts.spec.ts.
 */
import { read } from "@e965/xlsx";
import { beforeAll, describe, expect, test } from "vitest";
import { askingPlatform } from "../../src/server/asking.harness.ts";
import { unzip } from "../../src/server/base/xlsx/xlsx.harness.ts";
import { cleanName, disposition } from "../../src/server/base/storage/names.ts";
import { sanitise } from "../../src/server/modules/bulletins/sanitise.ts";
import { BULLETIN_TAGS } from "../../src/shared/domain/bulletins.ts";
import { trimText, unfitSign, withLineFeeds } from "../../src/shared/domain/text-marks.ts";
import { linkParts } from "../../src/ui/features/people/links.ts";
import { createExportApi } from "../../src/workers/export/api.ts";
import { FORMULA, HOSTILE, HOSTILE_NAMES, hostileUpTo, MARKUP } from "../support/hostile.ts";

const SUPPLIER = "/scm-supplier/api/sec";
const DICT = "/umc-rbac/api/dict/data";
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

test("There are more than 60 cases, all different, of each kind at least 20", () => {
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
  expect(HOSTILE.length).toBeGreaterThanOrEqual(120);
  expect(MARKUP.length).toBeGreaterThanOrEqual(60);
  expect(FORMULA.length).toBeGreaterThanOrEqual(20);
});

/** Cases of a field that takes one request each. */
const MANY = 64;
/** Up to 64 of the texts that a field takes, of all kinds, as they are kept: without blanks at the ends. */
const casesOf = (max: number, without = "\0"): readonly string[] => {
  const all = [...new Set(hostileUpTo(max).map((text) => text.replaceAll(without, "\\").trim()))];
  const turn = (i: number): number => Math.floor((i * MANY) / all.length);
  return all.filter((_, i) => turn(i) !== turn(i - 1));
};

/** What people fill in. `max`: characters of the shortest field. `read` answers the rows that are kept. */
const PLACES: readonly {
  readonly name: string;
  readonly max: number;
  readonly fields: readonly string[];
  /** A character that the field refuses; a backslash stands in for it. */
  readonly without?: string;
  write(text: string, i: number): Promise<unknown>;
  read(): Promise<Json[]>;
}[] = [
  {
    name: "departments",
    max: 100,
    without: "/",
    fields: ["name"],
    write: (name) => ask("POST", "/system/dept", { parentId: null, name }),
    read: async () => (await ask("GET", "/system/dept/list")) as Json[],
  },
  {
    name: "roles",
    max: 50,
    fields: ["name", "remark"],
    write: (text) => ask("POST", "/system/role", { name: text, remark: text }),
    read: () => records("/system/role/list"),
  },
  {
    name: "dictionary entries",
    max: 100,
    fields: ["dictLabel", "dictValue", "remark"],
    write: (text) =>
      ask("POST", DICT, {
        dictType: "hostile",
        dictLabel: text,
        dictValue: text,
        remark: text,
      }),
    read: () => records(`${DICT}/list`),
  },
  {
    name: "settings",
    max: 100,
    fields: ["configName", "configValue", "remark"],
    write: (text, i) =>
      ask("POST", "/system/config", {
        configKey: `hostile.${i}`,
        configName: text,
        configValue: text,
        remark: text,
      }),
    read: () => records("/system/config/list"),
  },
  {
    name: "titles of bulletins",
    max: 100,
    fields: ["noticeTitle"],
    write: (text) =>
      ask("POST", "/system/notice", {
        noticeTitle: text,
        noticeType: "1",
        status: "0",
        noticeContent: "<p>好</p>",
      }),
    read: () => records("/system/notice/list"),
  },
];

describe("Each hostile text is kept as it was written", () => {
  test.each(PLACES)("$name", async ({ max, without, fields, write, read: readBack }) => {
    const texts = casesOf(max, without);
    expect(texts.length).toBeGreaterThanOrEqual(60);
    for (const [i, text] of texts.entries()) await write(text, i);
    const rows = await readBack();
    for (const field of fields) {
      const kept = new Set(rows.map((row) => String(row[field]).trim()));
      expect(
        texts.filter((text) => !kept.has(text)),
        field,
      ).toEqual([]);
    }
  });

  test("the company's profile", async () => {
    const path = `${SUPPLIER}/companyProfile`;
    let { version } = (await ask("GET", path)) as { version: number };
    for (const text of casesOf(32)) {
      const profile = { shortName: text, legalPerson: text, contact: text, address: text };
      const kept = (await ask("PUT", path, { version, ...profile, introduction: text })) as Json;
      expect(kept).toMatchObject({ ...profile, introduction: text });
      version = Number(kept["version"]);
    }
  });

  test("one's own profile", async () => {
    for (const text of casesOf(32)) {
      const own = { nickname: text, introduction: text };
      expect(await ask("PUT", "/uaa/api/profile", own)).toMatchObject(own);
    }
  });

  test("a group", async () => {
    const { id } = (await ask("POST", "/dc-im/api/group", { groupname: "一" })) as { id: string };
    for (const text of casesOf(64)) {
      const group = await ask("PUT", `/dc-im/api/group/${id}`, { groupname: text, desc: text });
      expect(group).toMatchObject({ name: text, desc: text });
    }
  });

  test("an own field", async () => {
    const path = `${SUPPLIER}/employeeFields`;
    let field = (await ask("POST", path, { label: "一", type: "text" })) as Json;
    for (const label of casesOf(32)) {
      const { id, version } = field;
      field = (await ask("PUT", path, { id, version, label })) as Json;
      expect(field["label"]).toBe(label);
    }
  });
});

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
    const { origin } = platform.host();
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
    const rows = cellsOf(Buffer.from(await answer.arrayBuffer()));
    expect(rows[0]).toEqual(["=name", "=position", "=department", "=remark"]);
    for (const { name, position, department, remark } of people) {
      expect(rows).toContainEqual([name, position, department, remark].map(lines));
    }
  });
});

/** A workbook's reader turns line ends into \n. */
const lines = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** The texts of a workbook's first sheet. Fails where a cell is no text, has a formula or a link, or lacks the quote prefix. */
function cellsOf(bytes: Buffer): string[][] {
  const parts = unzip(bytes);
  const xml = parts.get("xl/worksheets/sheet1.xml")?.toString() ?? "";
  expect(xml).not.toMatch(/<f[ >]|<hyperlink/);
  expect([...parts.keys()].filter((name) => /external|vba|connections/i.test(name))).toEqual([]);
  const book = read(bytes, { cellFormula: true });
  const sheet = book.Sheets[book.SheetNames[0] ?? ""] ?? {};
  const rows: string[][] = [];
  for (const [at, cell] of Object.entries(sheet as Record<string, { t: string; v: string }>)) {
    const [, letter = "", row = ""] = /^([A-Z])(\d+)$/.exec(at) ?? [];
    if (letter === "") continue;
    expect({ at, ...cell }).toMatchObject({ t: "s" });
    expect(cell).not.toHaveProperty("f");
    expect(cell).not.toHaveProperty("l");
    // Styles 2 and 6 of the writer have the quote prefix.
    const [, style] = new RegExp(`<c r="${at}" s="(\\d)"`).exec(xml) ?? [];
    if (row !== "1" && /^[=+\-@\t\r\n＝＋－＠]/.test(cell.v))
      expect([cell.v, style]).toEqual([cell.v, "2"]);
    (rows[Number(row) - 1] ??= [])[letter.charCodeAt(0) - 65] = lines(cell.v);
  }
  return rows;
}

test("An export of a list has each text in a cell of type text, under titles that are texts as well", async () => {
  const api = createExportApi();
  await api.begin({ sheet: "=1+1", columns: ["=1+1", "<b>x</b>"] });
  await api.add(HOSTILE.map((text) => [text, text]));
  const rows = cellsOf(Buffer.from(await (await api.finish()).arrayBuffer()));
  expect(rows).toEqual([
    ["=1+1", "<b>x</b>"],
    ...HOSTILE.map((text) => [lines(text), lines(text)]),
  ]);
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
