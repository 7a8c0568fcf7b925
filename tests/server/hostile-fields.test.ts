/**
 * Hostile texts (tests/support/hostile.ts) through every free text of every call that keeps it (tests/support/free-texts.ts): a text is
 * read back to the letter, by the rule of its place, or the call refuses it and names the field. None is kept changed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { keyOf, pack, toChunk } from "../../src/server/modules/imports/chunks.harness.ts";
import { shownTextsOf } from "../support/free-texts.ts";
import { HOSTILE_CASES, type HostileCase, UNFIT_CASES } from "../support/hostile.ts";
import { pathOf } from "./cast.ts";
import { type CallInput, OWN_FIELD, type Row, type World, WRITERS } from "./kept-texts.ts";
import { expected, fieldOf, keptAt, readAs, type Send, tryTexts, withText } from "./try-texts.ts";

const CALLS = new Map<string, RestCall>(Object.values(restCalls).map((call) => [call.id, call]));
const callOf = (id: string): RestCall => {
  const call = CALLS.get(id);
  if (call === undefined) throw new Error(`there is no call ${id}`);
  return call;
};

/** Longer than every text that a call keeps. */
const LONG_CASE: HostileCase = { name: "far too long", text: "<b>".repeat(15_000) };
const CASES: readonly HostileCase[] = [...HOSTILE_CASES, ...UNFIT_CASES, LONG_CASE];

const codes = new Map<string, string>();
const dataDir = mkdtempSync(join(tmpdir(), "hostile-"));
let host: TestPlatform;
const tokens: Record<string, string> = {};
const login = async (): Promise<void> => {
  for (const name of ["admin", "lina", "zhangwei"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
};
beforeAll(async () => {
  host = await startTestPlatform({
    env: { DATA_DIR: dataDir },
    sms: {
      send: (mobile, code) => Promise.resolve(void codes.set(mobile, code)),
      invite: () => Promise.resolve(),
    },
  });
  await login();
  await host.platform.database.pool.query(
    `INSERT INTO company_fields (company_id, key, label, type, required, sort)
     VALUES (2, '${OWN_FIELD}', '自有', 'text', false, 9)`,
  );
}, 60_000);
afterAll(async () => {
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const send: Send = (call, input, { as = "admin", in: company = "1" } = {}) => {
  const { params = {}, query = {}, body } = input;
  return host.ask(call.method, pathOf(call, { params, query }), {
    ...(call.auth === "bearer" ? { token: tokens[as] ?? "", supplierId: company } : {}),
    ...(call.method === "GET" || call.method === "DELETE" ? {} : { json: body ?? {} }),
  });
};
const world: World = {
  async ask(id, input = {}, by = {}) {
    const { status, body } = await send(callOf(id), input, by);
    if (status !== 200) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
    return body.data;
  },
  async sql(text, values = []) {
    const { rows } = await host.platform.database.pool.query<Row>(text, [...values]);
    return rows;
  },
};

describe("Each hostile text is kept to the letter or refused at its field", () => {
  test.each(Object.keys(WRITERS))(
    "%s",
    async (id) => {
      const { wrong, kept } = await tryTexts(callOf(id), WRITERS[id]!(world), CASES, send);
      expect(wrong).toEqual([]);
      // The name of a department has no slash.
      expect(kept).toBeGreaterThanOrEqual(50);
    },
    120_000,
  );
});

test("A row of an import is kept as the text is read, or refused at its field", async () => {
  const fields = ["name", "position", "certificateNo", "remark"] as const;
  const cases = CASES.filter(({ text }) => text.length < 1000);
  const rows = cases.map(({ text }, i) => ({
    name: `导入${i}`,
    position: text,
    certificateNo: text,
    remark: text,
  }));
  const job = (await world.ask(
    "imports.create",
    {
      body: {
        key: keyOf(77),
        fileName: "x.csv",
        mode: "insert",
        rows: rows.length,
        chunks: 1,
        fields,
      },
    },
    { in: "2" },
  )) as Row;
  const call = callOf("imports.chunk");
  const answer = await fetch(
    host.origin + pathOf(call, { params: { id: String(job["id"]), index: 0 } }),
    {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens["admin"]}`,
        "supplier-id": "2",
        "content-type": "application/gzip",
      },
      body: pack(toChunk(rows, fields)),
    },
  );
  expect(answer.status).toBe(200);
  const refusals = (
    (await world.ask(
      "imports.refusals",
      { params: { id: String(job["id"]) }, query: { limit: "1000" } },
      { in: "2" },
    )) as { readonly records: readonly { readonly row: number; readonly field: string | null }[] }
  ).records;
  const found = (
    (await world.ask(
      "employees.query",
      { body: { keyword: "导入", limit: 1000 } },
      { in: "2" },
    )) as { readonly records: readonly Row[] }
  ).records;
  const wrong: string[] = [];
  for (const [i, { name, text }] of cases.entries()) {
    const wanted = fields.slice(1).map((field) => readAs(field, text));
    const row = found.find((one) => one["name"] === `导入${i}`);
    if (wanted.includes(null)) {
      const refused = refusals.filter((one) => one.row === i + 2).map(({ field }) => field);
      const first = fields[wanted.indexOf(null) + 1];
      if (row !== undefined || !refused.includes(first ?? "")) wrong.push(`${name}: not refused`);
    } else if (fields.slice(1).some((field, at) => row?.[field] !== wanted[at])) {
      wrong.push(`${name}: ${JSON.stringify([row?.["position"], row?.["remark"]])}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(60);
});

/** Each needs an SMS and the hash of a password, so every eighth case is tried. */
test("A registration keeps the names, and refuses what the database cannot keep", async () => {
  const call = callOf("registration.create");
  const places = shownTextsOf(call);
  const cases = [...HOSTILE_CASES.filter((_, i) => i % 8 === 0), ...UNFIT_CASES];
  const wrong: string[] = [];
  for (const [n, { name, text }] of cases.entries()) {
    const mobile = `137${String(n).padStart(8, "0")}`;
    host.clock.advance(24 * 60 * 60_000);
    await send(callOf("sms.send"), { body: { mobile } });
    const base: CallInput = {
      body: {
        supplierName: `企业${n}`,
        contact: "甲",
        mobile,
        smsCode: codes.get(mobile),
        username: `hostile${n}`,
        password: "Secret2026",
      },
    };
    const fits = places.filter(({ schema }) => schema.safeParse(text).success);
    if (fits.length < places.length) {
      const all = places.reduce((at, { place }) => withText(at, place, text), base);
      const { status, body } = await send(call, all);
      const named = Object.keys((body.details?.["fields"] ?? {}) as object);
      const missing = places.filter(
        (one) => !fits.includes(one) && !named.includes(fieldOf(one.place)),
      );
      if (status !== 400 || missing.length > 0) {
        wrong.push(`${name}: ${status}, ${missing.map(({ place }) => place)} not named`);
      }
    }
    if (fits.length === 0) continue;
    const input = fits.reduce((at, { place }) => withText(at, place, text), base);
    const { status, body } = await send(call, input);
    const [row] = await world.sql(
      `SELECT a.company_name AS "supplierName", a.contact, a.system_name AS "systemName", c.name, e.name AS employee
       FROM supplier_applies a JOIN companies c ON c.id = a.company_id JOIN employees e ON e.company_id = c.id
       WHERE a.mobile = $1`,
      [mobile],
    );
    if (status !== 200) wrong.push(`${name}: ${status} ${JSON.stringify(body)}`);
    for (const one of fits) {
      const { place } = one;
      if (keptAt(row, place) !== expected(call, one, text))
        wrong.push(`${name}: ${place} ${JSON.stringify(row)}`);
    }
  }
  await login();
  expect(wrong).toEqual([]);
}, 60_000);
