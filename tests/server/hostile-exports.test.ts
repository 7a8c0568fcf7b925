/**
 * Hostile texts (tests/support/hostile.ts) in everything that people save as a file: each workbook has them as texts, the import reads the
 * same texts back, and the name of a download is one header that names an attachment.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { read } from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { askingPlatform } from "../../src/server/asking.harness.ts";
import { contentDisposition } from "../../src/server/base/xlsx/index.ts";
import { unzip } from "../../src/server/base/xlsx/xlsx.harness.ts";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { createExportApi } from "../../src/workers/export/api.ts";
import { importInMemory } from "../../src/workers/import/api.harness.ts";
import { ourCells } from "../../src/workers/import/cells.harness.ts";
import { HOSTILE, hostileUpTo } from "../support/hostile.ts";
import { lines, textCells } from "../support/text-cells.ts";

const { configCreate, configExport, dictCreate, dictExport, employeeExport } = restCalls;
const platform = askingPlatform(["admin"]);
const quiet = (): void => undefined;
const bytesOf = async (answer: Pick<Response, "arrayBuffer">): Promise<Buffer> =>
  Buffer.from(await answer.arrayBuffer());

const save = (call: RestCall, path: string = call.path, body?: unknown): Promise<Response> =>
  fetch(platform.host.origin + path, {
    method: call.method,
    headers: {
      authorization: `Bearer ${platform.tokens["admin"]}`,
      "supplier-id": "1",
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Its file holds numbers and names as JSON, which no program reads as formulas. */
const NO_WORKBOOK = "measured.file";

describe("What the server writes", () => {
  test("Every call that answers a workbook is tried here", () => {
    const found = Object.values<RestCall>(restCalls).filter(
      ({ id, download }) => download === true && id !== NO_WORKBOOK,
    );
    expect(found.map(({ id }) => id).sort()).toEqual(
      [configExport, dictExport, employeeExport].map(({ id }) => id).sort(),
    );
  });

  const texts = [...new Set(hostileUpTo(100).map((text) => text.trim()))];
  test("The dictionaries", async () => {
    for (const [i, text] of texts.entries()) {
      const body = {
        dictType: `hostile_${i}`,
        dictName: text,
        dictLabel: text,
        dictValue: text,
        remark: text,
      };
      expect((await platform.ask("POST", dictCreate.path, { json: body })).status).toBe(200);
    }
    const rows = textCells(
      await bytesOf(await save(dictExport)),
      (column) => ![5, 11].includes(column),
    );
    for (const [i, text] of texts.entries()) {
      const row = rows.find((one) => one[2] === `hostile_${i}`);
      expect([row?.[1], row?.[3], row?.[4], row?.[10]]).toEqual(Array(4).fill(lines(text)));
    }
  });

  test("The settings", async () => {
    for (const [i, text] of texts.entries()) {
      const body = {
        configKey: `hostile.${i}`,
        configName: text,
        configValue: text,
        remark: text,
      };
      expect((await platform.ask("POST", configCreate.path, { json: body })).status).toBe(200);
    }
    const rows = textCells(await bytesOf(await save(configExport)), (column) => column !== 7);
    for (const [i, text] of texts.entries()) {
      const row = rows.find((one) => one[2] === `hostile.${i}`);
      expect([row?.[1], row?.[3], row?.[6]]).toEqual(Array(3).fill(lines(text)));
    }
  });

  test("Titles that the caller gives", async () => {
    const titles = [...new Set(hostileUpTo(50).map((text) => text.trim()))];
    const found: string[] = [];
    for (let at = 0; at < titles.length; at += 60) {
      const answer = await save(employeeExport, exportPath("员工"), {
        keyword: "没有这个人",
        columns: titles.slice(at, at + 60).map((title) => ({ field: "remark", title })),
      });
      expect(answer.status).toBe(200);
      found.push(...(textCells(await bytesOf(answer))[0] ?? []));
    }
    expect(found).toEqual(titles.map(lines));
  });
});

const exportPath = (name: string): string =>
  employeeExport.path.replace("{a}", "employed").replace("{b}", encodeURIComponent(name));

test("A workbook's download has one header that names an attachment, whatever its name is", async () => {
  const names = hostileUpTo(80).map((text) => `${text.trim()}.xlsx`);
  const wrong = names.filter((name) => {
    const [, plain = "", real = ""] =
      /^attachment; filename="([\w.\- ]*)\.xlsx"; filename\*=UTF-8''([\w.~%!-]*)$/.exec(
        contentDisposition(name),
      ) ?? [];
    return decodeURIComponent(real) !== name || plain.length === 0;
  });
  expect(wrong).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(60);
  const { headers } = await save(configExport);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

describe("What the console writes", () => {
  /** A list with a column of all texts. */
  async function exported(): Promise<Blob> {
    const api = createExportApi();
    await api.begin({ sheet: "=1+1", columns: ["=1+1", "<b>x</b>"] });
    await api.add(HOSTILE.map((text) => [text, text]));
    return (await api.finish()) as Blob;
  }

  test("A list has each text in a cell of type text, under titles that are texts as well", async () => {
    expect(textCells(await bytesOf(await exported()))).toEqual([
      ["=1+1", "<b>x</b>"],
      ...HOSTILE.map((text) => [lines(text), lines(text)]),
    ]);
  });

  test("The import reads the same texts from the workbook of a list", async () => {
    const cells = await ourCells(await exported());
    const wrong = HOSTILE.filter((text, i) => cells.get(`=1+1!A${i + 2}`) !== `text:${text}`);
    expect(wrong).toEqual([]);
  });

  test("The import reads the same texts from a .csv file", async () => {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const rows = [["甲", "乙"], ...HOSTILE.map((text) => ["x", text])];
    const file = new Blob([rows.map((row) => row.map(quoted).join(",")).join("\r\n")]);
    const found = [...(await ourCells(file)).values()].filter((_, i) => i % 2 === 1);
    expect(found).toEqual(["乙", ...HOSTILE].map((text) => `text:${text}`));
  });

  const CONTEXT = {
    supplierId: "1",
    ownFields: hostileUpTo(32)
      .slice(0, 30)
      .map((label, i) => ({
        key: `f${i}`,
        label,
        type: "text" as const,
        dictType: null,
        required: false,
      })),
    departments: HOSTILE.map((name, i) => ({ id: String(i), name })),
    dictionaries: {
      gender: HOSTILE.map((label, i) => ({ value: String(i), label })),
      employee_status: [],
      certificate_type: [],
    },
  };

  test("The template of an import has the names of departments, dictionaries and own fields as texts", async () => {
    const bytes = await bytesOf((await importInMemory().api.template(CONTEXT)) as Blob);
    const [titles = []] = textCells(bytes);
    expect(titles).toEqual(
      expect.arrayContaining(CONTEXT.ownFields.map(({ label }) => lines(label))),
    );
    const choices = read(bytes).Sheets["选项"] ?? {};
    const shown = Object.entries(choices).flatMap(([at, cell]) =>
      at.startsWith("!") ? [] : [lines(String((cell as { v: unknown }).v))],
    );
    expect(shown).toEqual(expect.arrayContaining(HOSTILE.map(lines)));
    // The rules of drop-downs are the only formulas, and no text is in them.
    const xml = unzip(bytes).get("xl/worksheets/sheet1.xml")?.toString() ?? "";
    const rules = [...xml.matchAll(/<formula1>(.*?)<\/formula1>/g)].map(([, rule]) => rule);
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) expect(rule).toMatch(/^选项!\$[A-Z]+\$1:\$[A-Z]+\$\d+$/);
  });

  test("The report of an import has the cells as they were, wrong ones too", async () => {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const head = ["姓名", "手机号", "备注", "=1+1"];
    // No number is right, so that each row is in the report.
    const rows = HOSTILE.map((text, i) => [`人${i}`, text, text, text]);
    const file = new Blob([[head, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n")]);
    const api = importInMemory().api;
    await api.open(file, "员工.csv");
    await api.preview({ headerRow: 1 });
    await api.load({ headerRow: 1 }, quiet);
    await api.check(
      {
        mapping: ["name", "phone", "remark", null],
        mode: "insert",
        context: { ...CONTEXT, ownFields: [] },
      },
      () => Promise.resolve({ idNumbers: [], employeeNos: [] }),
      quiet,
    );
    const found = textCells(await bytesOf((await api.report(quiet)) as Blob));
    expect(found[0]).toEqual(["行号", "问题", ...head]);
    const wrong = rows.filter(
      (row, i) =>
        !found.some(
          (one) => one[0] === String(i + 2) && row.every((cell, at) => one[at + 2] === lines(cell)),
        ),
    );
    expect(wrong).toEqual([]);
  });
});

test("All files that people save are workbooks: nothing writes a .csv file", () => {
  const root = fileURLToPath(new URL("../../src", import.meta.url));
  const found = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!\.test|\.harness)\.tsx?$/.test(name))
    .filter((name) => readFileSync(join(root, name), "utf8").includes("text/csv"));
  expect(found).toEqual([]);
});
