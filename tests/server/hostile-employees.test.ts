/** Employees with hostile texts (tests/support/hostile.ts): they are kept, found and exported as texts (docs/server.md#texts-of-people). */
import { beforeAll, describe, expect, test } from "vitest";
import { askingPlatform } from "../../src/server/asking.harness.ts";
import { trimText, unfitSign, withLineFeeds } from "../../src/shared/domain/text-marks.ts";
import { HOSTILE, hostileUpTo } from "../support/hostile.ts";
import { lines, textCells } from "../support/text-cells.ts";

const SUPPLIER = "/scm-supplier/api/sec";
const { ask, data, host, tokens } = askingPlatform(["admin"]);

type Json = Record<string, unknown>;
const records = async (path: string): Promise<Json[]> => {
  const { records: rows } = (await data("GET", `${path}?limit=1000`)) as { records: Json[] };
  return rows;
};

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
      const { id } = (await data("POST", "/system/dept", { parentId: null, name })) as Json;
      created.push({ ...rest, departmentId: id });
    }
    await data("POST", `${SUPPLIER}/employees`, created);
  }, 60_000);

  test("are refused where they have a sign that belongs in no text", async () => {
    const refused = HOSTILE.filter((text) => unfitSign(text, false) !== null);
    expect(refused.length).toBeGreaterThan(1);
    for (const position of refused) {
      const answer = await ask("POST", `${SUPPLIER}/employees`, {
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
      const found = (await data("GET", `${SUPPLIER}/employees/list?${query}`)) as {
        records: Json[];
      };
      if (!found.records.some((row) => row["position"] === position)) lost.push(position);
    }
    expect(lost).toEqual([]);
  });

  test("are texts in the export, with the prefix that keeps a formula a text", async () => {
    const answer = await fetch(
      `${host.origin}${SUPPLIER}/getExcelByJson2/employed/${encodeURIComponent("=1+1")}`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${tokens["admin"]}`,
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
