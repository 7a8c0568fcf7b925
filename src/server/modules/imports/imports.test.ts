import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gzipSync } from "node:zlib";
import { covers } from "../../covers.harness.ts";
import {
  ask,
  createJob,
  FIELDS,
  idNumberOf,
  keyOf,
  pack,
  people,
  person,
  type Row,
  type Sender,
  sendChunk,
  toChunk,
} from "./chunks.harness.ts";
import {
  IMPORT_LIMITS,
  type ImportContext,
  type ImportJob,
  type ImportMarks,
  type ImportRefusal,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { markOf } from "../../../shared/domain/number-marks.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";

const {
  importCancel,
  importChunk,
  importContext,
  importCreate,
  importGet,
  importInvitations,
  importList,
  importRefusals,
  importTaken,
} = restCalls;
const ALL = [
  importCreate,
  importChunk,
  importCancel,
  importGet,
  importList,
  importRefusals,
  importInvitations,
  importTaken,
  importContext,
];

let host: TestPlatform;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  host = await startTestPlatform();
  for (const name of ["admin", "lina", "guest"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
  await host.platform.database.pool.query(
    `INSERT INTO company_fields (company_id, key, label, type, dict_type, required, sort) VALUES
      (2, 'grade', '等级', 'number', NULL, true, 1), (2, 'school', '学历', 'dict', 'education', false, 2)`,
  );
}, 60_000);
afterAll(() => host.close());
// Close open jobs, so that a failed test does not use up the company's limit.
beforeEach(() =>
  host.platform.database.pool.query(
    "UPDATE import_jobs SET state = 'cancelled' WHERE state = 'open'",
  ),
);

const as = (name = "admin", supplierId = "1"): Sender => ({
  platform: host,
  token: tokens[name] ?? "",
  supplierId,
});
let serial = 0;
/** A key that no other test uses. */
const newKey = (): string => keyOf((serial += 1));
let used = 0;
/** People that no other test uses. */
const fresh = (count: number): Row[] => people(count, (used += 1000) + 10_000);

const job = async (rows: number, more: Record<string, unknown> = {}, sender = as()) => {
  const made = await createJob(sender, newKey(), rows, more);
  expect(made.text).toContain('"操作成功"');
  return made.data;
};
const count = async (where: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await host.platform.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${where}`,
    values,
  );
  return rows[0]?.n ?? -1;
};
const bearing = (rows: readonly Row[]): Promise<number> =>
  count("employees WHERE company_id = 1 AND id_number = ANY($1)", [
    rows.map((row) => row["idNumber"]),
  ]);
const refusalsOf = async (id: string): Promise<ImportRefusal[]> =>
  (await ask<{ records: ImportRefusal[] }>(as(), importRefusals, { id }, undefined, "?limit=1000"))
    .data.records;

describe("jobs", () => {
  it(covers([importCreate, importGet, importList], "success"), async () => {
    const key = newKey();
    const first = await createJob(as(), key, 3, { isInvite: true });
    expect(first.data).toMatchObject({
      key,
      fileName: "员工.xlsx",
      mode: "insert",
      isInvite: true,
      state: "open",
      rows: 3,
      chunksDone: 0,
      createdBy: { name: "管理员" },
      endTime: null,
    });
    const again = await createJob(as(), key, 3, { isInvite: true });
    expect(again.data).toEqual(first.data);
    const got = await ask<ImportJob>(as(), importGet, { id: first.data.id });
    expect(got.data).toEqual(first.data);
    const list = await ask<{ records: ImportJob[]; total: number }>(as(), importList);
    expect(list.data.records[0]).toEqual(first.data);
    expect(list.data.total).toBe(await count("import_jobs WHERE company_id = 1"));
    await ask(as(), importCancel, { id: first.data.id });
  });

  it(covers(importCreate, "invalid"), async () => {
    const wrong = async (more: Record<string, unknown>) => {
      const { status, fields } = await createJob(as(), newKey(), 1, more);
      return [status, Object.keys(fields)];
    };
    expect(await wrong({ key: "x" })).toEqual([400, ["key"]]);
    expect(await wrong({ fields: ["phone"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ mode: "update", fields: ["name"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ fields: ["name", "custom.grade"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ fields: ["name", "name"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ rows: IMPORT_LIMITS.rows + 1 })).toEqual([400, ["rows"]]);
    const key = newKey();
    const made = await createJob(as(), key, 3);
    expect((await createJob(as(), key, 4)).code).toBe("import.other-shape");
    await ask(as(), importCancel, { id: made.data.id });
  });

  it(
    covers(importCreate, "invalid", "no more jobs than a company may have at a time"),
    async () => {
      const made: string[] = [];
      for (let i = 0; i < IMPORT_LIMITS.openJobs; i += 1) made.push((await job(1)).id);
      expect((await createJob(as(), newKey(), 1)).code).toBe("import.too-many-jobs");
      // Jobs of another company and abandoned jobs do not count.
      const other = await createJob(as("admin", "2"), newKey(), 1);
      expect(other.status).toBe(200);
      await ask(as("admin", "2"), importCancel, { id: other.data.id });
      await host.platform.database.pool.query(
        "UPDATE import_jobs SET active_at = active_at - interval '25 hours' WHERE id = $1",
        [made[0]],
      );
      const next = await createJob(as(), newKey(), 1);
      expect(next.status).toBe(200);
      for (const id of [...made, next.data.id]) await ask(as(), importCancel, { id });
    },
  );

  it(covers(importCancel, "success"), async () => {
    const rows = fresh(4);
    const key = newKey();
    const made = (await createJob(as(), key, 4, { chunks: 2 })).data;
    await sendChunk(as(), made.id, 0, toChunk(rows.slice(0, 2), FIELDS));
    const cancelled = await ask<ImportJob>(as(), importCancel, { id: made.id });
    expect(cancelled.data).toMatchObject({ state: "cancelled", created: 2, chunksDone: 1 });
    expect((await ask<ImportJob>(as(), importCancel, { id: made.id })).data).toEqual(
      cancelled.data,
    );
    const second = toChunk(rows.slice(2), FIELDS, 4);
    expect((await sendChunk(as(), made.id, 1, second)).code).toBe("import.closed");
    // A stored chunk is still answered.
    expect(
      (await sendChunk(as(), made.id, 0, toChunk(rows.slice(0, 2), FIELDS))).data.created,
    ).toBe(2);
    expect(await bearing(rows)).toBe(2);
    // Importing the same file again continues the job.
    const again = await createJob(as(), key, 4, { chunks: 2 });
    expect(again.data).toMatchObject({ id: made.id, state: "open", created: 2, endTime: null });
    expect((await sendChunk(as(), made.id, 1, second)).data.job).toMatchObject({
      state: "done",
      created: 4,
    });
    expect(await bearing(rows)).toBe(4);
  });

  it(covers([importCancel, importGet, importRefusals, importInvitations], "invalid"), async () => {
    const id = "9".repeat(65);
    for (const call of [importCancel, importGet, importRefusals, importInvitations]) {
      const { status, fields } = await ask(as(), call, { id });
      expect([call.id, status, Object.keys(fields)]).toEqual([call.id, 400, ["id"]]);
    }
  });
  it(covers([importList, importRefusals, importInvitations], "invalid", "a page"), async () => {
    for (const call of [importList, importRefusals, importInvitations]) {
      const { status, fields } = await ask(as(), call, { id: "1" }, undefined, "?limit=0");
      expect([status, Object.keys(fields)]).toEqual([400, ["limit"]]);
    }
  });
});

describe("permissions", () => {
  it(
    covers(
      [
        importCreate,
        importChunk,
        importCancel,
        importGet,
        importList,
        importRefusals,
        importInvitations,
        importTaken,
        importContext,
      ],
      "refused",
    ),
    async () => {
      for (const call of ALL) {
        const params = { id: "1", index: 0 };
        expect([call.id, (await ask(as("lina"), call, params)).status]).toEqual([call.id, 403]);
        expect([call.id, (await ask(as("guest"), call, params)).status]).toEqual([call.id, 403]);
        expect([call.id, (await ask(as("nobody"), call, params)).status]).toEqual([call.id, 401]);
      }
    },
  );

  it(
    covers([importChunk, importCancel, importGet, importRefusals, importInvitations], "foreign"),
    async () => {
      const made = await job(1);
      for (const call of [importCancel, importGet, importRefusals, importInvitations]) {
        const answer = await ask(as("admin", "2"), call, { id: made.id });
        expect([call.id, answer.code]).toEqual([call.id, "request.not-found"]);
      }
      const chunk = toChunk(fresh(1), FIELDS);
      expect((await sendChunk(as("admin", "2"), made.id, 0, chunk)).code).toBe("request.not-found");
      expect(await ask(as(), importGet, { id: made.id })).toMatchObject({
        data: { state: "open", chunksDone: 0 },
      });
      await ask(as(), importCancel, { id: made.id });
    },
  );

  it(covers([importCreate, importList, importTaken, importContext], "foreign"), async () => {
    const rows = fresh(1);
    const key = newKey();
    const made = (await createJob(as(), key, 1)).data;
    await sendChunk(as(), made.id, 0, toChunk(rows, FIELDS));
    // Keys are separate per company.
    const other = await createJob(as("admin", "2"), key, 1);
    expect(other.data).toMatchObject({ state: "open", created: 0 });
    expect(other.data.id).not.toBe(made.id);
    const list = await ask<{ records: ImportJob[] }>(as("admin", "2"), importList);
    expect(list.data.records.map(({ id }) => id)).not.toContain(made.id);
    const numbers = { idNumbers: [rows[0]?.["idNumber"]] };
    expect((await ask(as("admin", "2"), importTaken, {}, numbers)).data).toEqual({
      idNumbers: [],
      employeeNos: [],
    });
    const context = await ask<ImportContext>(as(), importContext);
    expect(context.data.ownFields.map(({ key: name }) => name)).not.toContain("grade");
    await ask(as("admin", "2"), importCancel, { id: other.data.id });
  });
});

describe("chunks", () => {
  it(
    covers(
      [importChunk, importRefusals],
      "success",
      "what may not be is told by row and field, the rest is in",
    ),
    async () => {
      const rows = fresh(8);
      const bad: Row[] = [
        { ...rows[0], phone: "12" },
        { ...rows[1], name: "" },
        { ...rows[2], idNumber: "340104196001010019" },
        { ...rows[3], hireDate: "2024-02-30", email: "x" },
        { ...rows[4], employeeNo: rows[5]?.["employeeNo"] ?? "" },
        { ...rows[5] },
        { ...rows[6], name: "  李四  " },
        { ...rows[7], remark: "x".repeat(501) },
      ];
      const made = await job(8);
      const { data } = await sendChunk(as(), made.id, 0, toChunk(bad, FIELDS, 10));
      expect(data).toMatchObject({ index: 0, created: 2, updated: 0, refused: 6 });
      const told = await refusalsOf(made.id);
      expect(told.map(({ row, field }) => [row, field])).toEqual([
        [10, "phone"],
        [11, "name"],
        [12, "idNumber"],
        [13, "hireDate"],
        [13, "email"],
        [15, "employeeNo"],
        [17, "remark"],
      ]);
      expect(told[5]?.message).toBe("与第14行重复");
      expect(data.refusals).toEqual(told);
      expect(data.job).toMatchObject({ state: "done", created: 2, refused: 6, chunksDone: 1 });
      const { rows: in_ } = await host.platform.database.pool.query(
        "SELECT name, gender, birthday::text, company_id FROM employees WHERE id_number = $1",
        [rows[6]?.["idNumber"]],
      );
      const born = rows[6]?.["idNumber"]?.slice(6, 14) ?? "";
      expect(in_).toEqual([
        {
          name: "李四",
          gender: Number(rows[6]?.["idNumber"]?.[16]) % 2 === 1 ? "1" : "2",
          birthday: `${born.slice(0, 4)}-${born.slice(4, 6)}-${born.slice(6)}`,
          company_id: "1",
        },
      ]);
    },
  );

  it("the database refuses taken numbers, whichever request took them", async () => {
    const rows = fresh(4);
    const [a, b, c, d] = rows as [Row, Row, Row, Row];
    const first = await job(1);
    await sendChunk(as(), first.id, 0, toChunk([a], FIELDS));
    const second = await job(4);
    const mixed = [a, { ...b, employeeNo: a["employeeNo"] ?? "" }, c, d];
    const { data } = await sendChunk(as(), second.id, 0, toChunk(mixed, FIELDS));
    expect(data.created).toBe(2);
    expect(
      (await refusalsOf(second.id)).map(({ row, field, message }) => [row, field, message]),
    ).toEqual([
      [2, "idNumber", "已有在职员工使用"],
      [2, "employeeNo", "已有在职员工使用"],
      [3, "employeeNo", "已有在职员工使用"],
    ]);
    expect(await bearing(rows)).toBe(3);
  });

  it("a refused row does not reserve its numbers against later rows", async () => {
    const [a, b, c] = fresh(3) as [Row, Row, Row];
    await sendChunk(as(), (await job(1)).id, 0, toChunk([a], FIELDS));
    const no = b["employeeNo"] ?? "";
    const given = [{ ...a, employeeNo: no }, b, { ...c, employeeNo: no }];
    for (const mode of ["dry-run", "insert"]) {
      const made = await job(3, { mode });
      const { data } = await sendChunk(as(), made.id, 0, toChunk(given, FIELDS));
      expect(data).toMatchObject({ created: 1, refused: 2 });
      expect(data.refusals.map(({ row, field, message }) => [row, field, message])).toEqual([
        [2, "idNumber", "已有在职员工使用"],
        [4, "employeeNo", "与第3行重复"],
      ]);
    }
  });

  it("a chunk is stored once, however often and by however many senders it is sent", async () => {
    const rows = fresh(300);
    const made = await job(300);
    const packed = pack(toChunk(rows, FIELDS));
    const answers = await Promise.all([0, 1, 2, 3].map(() => sendChunk(as(), made.id, 0, packed)));
    for (const answer of answers) expect(answer.data).toEqual(answers[0]?.data);
    expect(answers[0]?.data).toMatchObject({ created: 300, job: { created: 300, chunksDone: 1 } });
    expect((await sendChunk(as(), made.id, 0, packed)).data).toEqual(answers[0]?.data);
    expect(await bearing(rows)).toBe(300);
    expect(
      await count("audit_records WHERE entity = 'import-chunk' AND entity_id = $1", [
        `${made.id}/0`,
      ]),
    ).toBe(1);
  });

  it("two simultaneous imports of the same people store each person once and answer for each row", async () => {
    const rows = fresh(400);
    const [x, y] = [await job(400), await job(400)];
    const back = rows.toReversed();
    const [one, two] = await Promise.all([
      sendChunk(as(), x.id, 0, toChunk(rows, FIELDS)),
      sendChunk(as(), y.id, 0, toChunk(back, FIELDS)),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.data.created + two.data.created).toBe(400);
    expect(one.data.refused + two.data.refused).toBe(400);
    expect(await bearing(rows)).toBe(400);
  });

  it("a dry run changes nothing, reports what an import would do, and can be repeated", async () => {
    const rows = fresh(3);
    const key = newKey();
    const before = await count("employees");
    const run = async () => {
      const made = (await createJob(as(), key, 3, { mode: "dry-run", isInvite: true })).data;
      expect(made).toMatchObject({ state: "open", created: 0, refused: 0 });
      const bad = [...rows.slice(0, 2), { ...rows[2], phone: "1" }];
      return [made.id, (await sendChunk(as(), made.id, 0, toChunk(bad, FIELDS))).data] as const;
    };
    const [id, data] = await run();
    expect(data).toMatchObject({ created: 2, refused: 1, job: { state: "done" } });
    expect(await count("employees")).toBe(before);
    expect(await count("import_invitations WHERE job_id = $1", [id])).toBe(0);
    // Meanwhile another import creates one of the people.
    await sendChunk(as(), (await job(1)).id, 0, toChunk(rows.slice(0, 1), FIELDS));
    const [same, next] = await run();
    expect([same, next.created, next.refused]).toEqual([id, 1, 2]);
    expect((await refusalsOf(id)).map(({ row, field }) => [row, field])).toEqual([
      [2, "idNumber"],
      [2, "employeeNo"],
      [4, "phone"],
    ]);
  });

  it("update changes the mapped fields of employed staff and creates the others", async () => {
    const rows = fresh(4);
    const [a, b, c, d] = rows as [Row, Row, Row, Row];
    await sendChunk(as(), (await job(3)).id, 0, toChunk([a, b, c], FIELDS));
    const fields = ["idNumber", "name", "phone", "position", "employeeNo"];
    const made = await job(4, { mode: "update", fields });
    const given = [
      { ...a, phone: "13700000000", position: "" },
      { ...b, name: "" },
      { ...c, employeeNo: a["employeeNo"] ?? "" },
      d,
    ];
    const { data } = await sendChunk(as(), made.id, 0, toChunk(given, fields));
    expect(data).toMatchObject({ created: 1, updated: 2, refused: 1 });
    // An earlier row has this number.
    expect(data.refusals).toMatchObject([{ row: 4, field: "employeeNo" }]);
    const read = async (row: Row) =>
      (
        await host.platform.database.pool.query<Record<string, string>>(
          "SELECT name, phone, position, remark, department, employee_no FROM employees WHERE id_number = $1",
          [row["idNumber"]],
        )
      ).rows;
    // Empty cells and unmapped fields change nothing.
    expect(await read(a)).toMatchObject([
      {
        name: a["name"],
        phone: "13700000000",
        position: a["position"],
        department: a["department"],
      },
    ]);
    expect(await read(b)).toMatchObject([{ name: b["name"], phone: b["phone"] }]);
    expect(await read(c)).toMatchObject([{ employee_no: c["employeeNo"] }]);
    expect(await read(d)).toMatchObject([{ name: d["name"], department: null }]);
    const { rows: records } = await host.platform.database.pool.query<{
      before: unknown;
      after: unknown;
    }>("SELECT before, after FROM audit_records WHERE entity_id = $1", [`${made.id}/0`]);
    expect(records).toHaveLength(1);
    expect(records[0]?.before).toMatchObject({
      changed: [[expect.any(String), { phone: a["phone"] }]],
    });
  });

  it("rows are checked by the company's own fields, departments and dictionaries", async () => {
    const { pool } = host.platform.database;
    const { rows: made } = await pool.query<{ id: string }>(
      "INSERT INTO departments (company_id, name) VALUES (2, '质检'), (1, '别家') RETURNING id",
    );
    const [own, foreign] = made.map(({ id }) => id) as [string, string];
    const fields = ["name", "departmentId", "certificateType", "custom.grade", "custom.school"];
    const one = await job(5, { fields }, as("admin", "2"));
    const good = {
      name: "甲",
      departmentId: own,
      certificateType: "passport",
      "custom.grade": "3.5",
      "custom.school": "4",
    };
    const rows = [
      good,
      { ...good, departmentId: foreign },
      { ...good, "custom.grade": "" },
      { ...good, "custom.grade": "三" },
      { ...good, certificateType: "x", "custom.school": "99" },
    ];
    const { data } = await sendChunk(as("admin", "2"), one.id, 0, toChunk(rows, fields));
    expect(data).toMatchObject({ created: 1, refused: 4 });
    expect(data.refusals.map(({ row, field, message }) => `${row} ${field} ${message}`)).toEqual([
      "3 departmentId 没有这个部门",
      "4 custom.grade 必填",
      "5 custom.grade 应为数字",
      "6 certificateType 字典中没有这个值",
      "6 custom.school 字典中没有这个值",
    ]);
    const { rows: in_ } = await pool.query(
      "SELECT department, department_id::text AS d, custom FROM employees WHERE company_id = 2 AND name = '甲'",
    );
    expect(in_).toEqual([{ department: "质检", d: own, custom: { grade: 3.5, school: "4" } }]);
  });

  it(covers(importInvitations, "success"), async () => {
    const rows = fresh(3);
    const made = await job(3, { isInvite: true });
    await sendChunk(
      as(),
      made.id,
      0,
      toChunk([...rows.slice(0, 2), { ...rows[2], phone: "1" }], FIELDS),
    );
    const { data } = await ask<{
      total: number;
      records: { row: number; name: string; link: string }[];
    }>(as(), importInvitations, { id: made.id });
    expect(data.total).toBe(2);
    expect(data.records.map(({ row, name }) => [row, name])).toEqual([
      [2, rows[0]?.["name"]],
      [3, rows[1]?.["name"]],
    ]);
    const opened = await fetch(`${host.origin}${data.records[0]?.link}`, {
      headers: { accept: "application/json" },
    });
    expect(await opened.json()).toMatchObject({
      code: 0,
      data: { department: rows[0]?.["department"] },
    });
  });

  it(covers(importChunk, "invalid"), async () => {
    const made = await job(2);
    const rows = fresh(2);
    const good = toChunk(rows, FIELDS);
    const wrong = async (chunk: unknown, index = 0) => {
      const { status, fields } = await sendChunk(as(), made.id, index, chunk);
      return [status, ...Object.keys(fields)];
    };
    expect(await wrong({ ...good, v: 2 })).toEqual([400, "v"]);
    expect(await wrong(good, 1)).toEqual([400, "index"]);
    expect(await wrong({ ...good, rows: [3, 2] })).toEqual([400, "rows"]);
    expect(await wrong(toChunk([...rows, person(5)], FIELDS))).toEqual([400, "rows"]);
    expect(await wrong(toChunk(rows, ["name", "gender"]))).toEqual([400, "columns.1.field"]);
    const [first] = good.columns;
    expect(await wrong({ ...good, columns: [{ ...first, idx: [0] }] })).toEqual([
      400,
      "columns.0.idx",
    ]);
    expect(await wrong({ ...good, columns: [{ ...first, idx: [0, 9] }] })).toEqual([
      400,
      "columns.0.idx",
    ]);
    expect(await wrong(new Uint8Array([1, 2, 3]))).toEqual([400, "body"]);
    expect(await wrong(new Uint8Array(gzipSync("{")))).toEqual([400, "body"]);
    const plain = await ask(as(), importChunk, { id: made.id, index: 0 }, good);
    expect([plain.status, Object.keys(plain.fields)]).toEqual([400, ["content-type"]]);
    expect(await ask(as(), importGet, { id: made.id })).toMatchObject({ data: { chunksDone: 0 } });
    expect(await bearing(rows)).toBe(0);
    await ask(as(), importCancel, { id: made.id });
  });

  it(covers(importChunk, "invalid", "a bomb is not unpacked"), async () => {
    const made = await job(1);
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(60_000_000, 32)));
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    const answer = await sendChunk(as(), made.id, 0, bomb);
    expect([answer.status, answer.code]).toEqual([413, "request.too-large"]);
    expect(answer.text).toContain("解压后过大");
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    const large = new Uint8Array(IMPORT_LIMITS.chunkBytes + 1);
    expect((await sendChunk(as(), made.id, 0, large)).code).toBe("request.too-large");
    await ask(as(), importCancel, { id: made.id });
  });

  it("a chunk above the general body limit is accepted", async () => {
    // Random text, which compresses badly.
    const noise = () => Array.from({ length: 150 }, () => Math.random().toString(36)).join("");
    const rows = Array.from({ length: 1500 }, (_, i) => ({ name: `${i}`, remark: noise() }));
    const packed = pack(toChunk(rows, ["name", "remark"]));
    expect(packed.length).toBeGreaterThan(1024 * 1024);
    const made = await job(1500, { fields: ["name", "remark"] });
    const answer = await sendChunk(as(), made.id, 0, packed);
    expect(answer.data).toMatchObject({ created: 0, refused: 1500 });
    expect(answer.data.refusals).toHaveLength(100);
    expect(await count("import_refusals WHERE job_id = $1", [made.id])).toBe(1500);
  });
});

describe("what mapping and checking ask", () => {
  it(covers(importContext, "success"), async () => {
    const { pool } = host.platform.database;
    const { rows } = await pool.query<{ id: string }>(
      "INSERT INTO departments (company_id, name) VALUES (2, '总部') RETURNING id",
    );
    await pool.query(
      "INSERT INTO departments (company_id, parent_id, name) VALUES (2, $1, '一组')",
      [rows[0]?.id],
    );
    const { data } = await ask<ImportContext>(as("admin", "2"), importContext);
    expect(data.supplierId).toBe("2");
    expect(data.departments.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["总部", "总部/一组"]),
    );
    expect(data.ownFields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "grade", type: "number", required: true }),
        expect.objectContaining({ key: "school", type: "dict", dictType: "education" }),
      ]),
    );
    expect(data.dictionaries["gender"]).toEqual(
      expect.arrayContaining([{ value: "1", label: "男" }]),
    );
    expect(data.dictionaries["education"]?.length).toBeGreaterThan(3);
  });

  it(covers(importTaken, "success"), async () => {
    const rows = fresh(2);
    await sendChunk(as(), (await job(2)).id, 0, toChunk(rows, FIELDS));
    const [a] = rows;
    const body = {
      idNumbers: [a?.["idNumber"], idNumberOf(999_999)],
      employeeNos: [rows[1]?.["employeeNo"], "不存在"],
    };
    expect((await ask(as(), importTaken, {}, body)).data).toEqual({
      idNumbers: [a?.["idNumber"]],
      employeeNos: [rows[1]?.["employeeNo"]],
    });
  });

  it("marks cover the company's employed staff, starting after a given employee", async () => {
    const rows = fresh(3);
    await sendChunk(as(), (await job(3)).id, 0, toChunk(rows, FIELDS));
    const { rows: known } = await host.platform.database.pool.query<Record<string, string>>(
      "SELECT id, id_number, employee_no FROM employees WHERE company_id = 1 AND dimission_at IS NULL ORDER BY id",
    );
    const marks = async (sender: Sender, after: string) =>
      (await ask<{ marks: ImportMarks }>(sender, importTaken, {}, { marksAfter: after })).data
        .marks;
    const of = (list: typeof known, field: string) =>
      list.flatMap((row) => (row[field] === null ? [] : markOf(row[field] ?? "")));
    expect(await marks(as(), "0")).toEqual({
      idNumbers: of(known, "id_number"),
      employeeNos: of(known, "employee_no"),
      next: null,
      employed: known.length,
    });
    const last = known.slice(-1);
    expect(await marks(as(), known.at(-2)?.["id"] ?? "")).toMatchObject({
      idNumbers: of(last, "id_number"),
    });
    const foreign = await marks(as("admin", "2"), "0");
    expect(foreign.idNumbers).not.toEqual(expect.arrayContaining(of(last, "id_number")));
  });

  it(covers(importTaken, "invalid"), async () => {
    const many = Array.from({ length: IMPORT_LIMITS.taken + 1 }, (_, i) => String(i));
    const wrong = await ask(as(), importTaken, {}, { marksAfter: "1 OR true" });
    expect([wrong.status, Object.keys(wrong.fields)]).toEqual([400, ["marksAfter"]]);
    const answer = await ask(as(), importTaken, {}, { idNumbers: many });
    expect([answer.status, Object.keys(answer.fields)]).toEqual([400, ["idNumbers"]]);
  });
});

it("the metrics count stored rows", async () => {
  const read = async () =>
    Number(
      /^import_rows_total (\d+)$/m.exec(await (await fetch(`${host.origin}/metrics`)).text())?.[1],
    );
  const before = await read();
  const made = await job(3);
  await sendChunk(as(), made.id, 0, toChunk(fresh(3), FIELDS));
  await sendChunk(as(), made.id, 0, toChunk(fresh(3), FIELDS));
  expect((await read()) - before).toBe(3);
});
