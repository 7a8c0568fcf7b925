import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import {
  ask,
  createJob,
  FIELDS,
  idNumberOf,
  type Sender,
  sendChunk,
  toChunk,
} from "./chunks.harness.ts";
import { startImports, type ImportsWorld } from "./imports.harness.ts";
import {
  IMPORT_LIMITS,
  type ImportContext,
  type ImportJob,
  type ImportMarks,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";
import { markOf } from "../../../shared/domain/number-marks.ts";

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

let world: ImportsWorld;
beforeAll(async () => {
  world = await startImports();
}, 60_000);
afterAll(() => world.host.close());
beforeEach(() => world.closeJobs());

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

describe("jobs", () => {
  it(covers([importCreate, importGet, importList], "success"), async () => {
    const key = world.newKey();
    const first = await createJob(world.as(), key, 3, { isInvite: true });
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
    const again = await createJob(world.as(), key, 3, { isInvite: true });
    expect(again.data).toEqual(first.data);
    const got = await ask<ImportJob>(world.as(), importGet, { id: first.data.id });
    expect(got.data).toEqual(first.data);
    const list = await ask<{ records: ImportJob[]; total: number }>(world.as(), importList);
    expect(list.data.records[0]).toEqual(first.data);
    expect(list.data.total).toBe(await world.count("import_jobs WHERE company_id = 1"));
    await ask(world.as(), importCancel, { id: first.data.id });
  });

  it(covers(importCreate, "invalid"), async () => {
    const wrong = async (more: Record<string, unknown>) => {
      const { status, fields } = await createJob(world.as(), world.newKey(), 1, more);
      return [status, Object.keys(fields)];
    };
    expect(await wrong({ key: "x" })).toEqual([400, ["key"]]);
    expect(await wrong({ fields: ["phone"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ mode: "update", fields: ["name"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ fields: ["name", "custom.grade"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ fields: ["name", "name"] })).toEqual([400, ["fields"]]);
    expect(await wrong({ rows: IMPORT_LIMITS.rows + 1 })).toEqual([400, ["rows"]]);
    const key = world.newKey();
    const made = await createJob(world.as(), key, 3);
    expect((await createJob(world.as(), key, 4)).code).toBe("import.other-shape");
    await ask(world.as(), importCancel, { id: made.data.id });
  });

  it(
    covers(importCreate, "invalid", "no more jobs than a company may have at a time"),
    async () => {
      const made: string[] = [];
      for (let i = 0; i < IMPORT_LIMITS.openJobs; i += 1) made.push((await world.job(1)).id);
      expect((await createJob(world.as(), world.newKey(), 1)).code).toBe("import.too-many-jobs");
      // Jobs of another company and abandoned jobs do not count.
      const other = await createJob(world.as("admin", "2"), world.newKey(), 1);
      expect(other.status).toBe(200);
      await ask(world.as("admin", "2"), importCancel, { id: other.data.id });
      await world.host.platform.database.pool.query(
        "UPDATE import_jobs SET active_at = active_at - interval '25 hours' WHERE id = $1",
        [made[0]],
      );
      const next = await createJob(world.as(), world.newKey(), 1);
      expect(next.status).toBe(200);
      for (const id of [...made, next.data.id]) await ask(world.as(), importCancel, { id });
    },
  );

  it(covers(importCancel, "success"), async () => {
    const rows = world.fresh(4);
    const key = world.newKey();
    const made = (await createJob(world.as(), key, 4, { chunks: 2 })).data;
    await sendChunk(world.as(), made.id, 0, toChunk(rows.slice(0, 2), FIELDS));
    const cancelled = await ask<ImportJob>(world.as(), importCancel, { id: made.id });
    expect(cancelled.data).toMatchObject({ state: "cancelled", created: 2, chunksDone: 1 });
    expect((await ask<ImportJob>(world.as(), importCancel, { id: made.id })).data).toEqual(
      cancelled.data,
    );
    const second = toChunk(rows.slice(2), FIELDS, 4);
    expect((await sendChunk(world.as(), made.id, 1, second)).code).toBe("import.closed");
    // A stored chunk is still answered.
    expect(
      (await sendChunk(world.as(), made.id, 0, toChunk(rows.slice(0, 2), FIELDS))).data.created,
    ).toBe(2);
    expect(await world.bearing(rows)).toBe(2);
    // Importing the same file again continues the job.
    const again = await createJob(world.as(), key, 4, { chunks: 2 });
    expect(again.data).toMatchObject({ id: made.id, state: "open", created: 2, endTime: null });
    expect((await sendChunk(world.as(), made.id, 1, second)).data.job).toMatchObject({
      state: "done",
      created: 4,
    });
    expect(await world.bearing(rows)).toBe(4);
  });

  it(covers([importCancel, importGet, importRefusals, importInvitations], "invalid"), async () => {
    const id = "9".repeat(65);
    for (const call of [importCancel, importGet, importRefusals, importInvitations]) {
      const { status, fields } = await ask(world.as(), call, { id });
      expect([call.id, status, Object.keys(fields)]).toEqual([call.id, 400, ["id"]]);
    }
  });
  it(covers([importList, importRefusals, importInvitations], "invalid", "a page"), async () => {
    for (const call of [importList, importRefusals, importInvitations]) {
      const { status, fields } = await ask(world.as(), call, { id: "1" }, undefined, "?limit=0");
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
        expect([call.id, (await ask(world.as("lina"), call, params)).status]).toEqual([
          call.id,
          403,
        ]);
        expect([call.id, (await ask(world.as("guest"), call, params)).status]).toEqual([
          call.id,
          403,
        ]);
        expect([call.id, (await ask(world.as("nobody"), call, params)).status]).toEqual([
          call.id,
          401,
        ]);
      }
    },
  );

  it(
    covers([importChunk, importCancel, importGet, importRefusals, importInvitations], "foreign"),
    async () => {
      const made = await world.job(1);
      for (const call of [importCancel, importGet, importRefusals, importInvitations]) {
        const answer = await ask(world.as("admin", "2"), call, { id: made.id });
        expect([call.id, answer.code]).toEqual([call.id, "request.not-found"]);
      }
      const chunk = toChunk(world.fresh(1), FIELDS);
      expect((await sendChunk(world.as("admin", "2"), made.id, 0, chunk)).code).toBe(
        "request.not-found",
      );
      expect(await ask(world.as(), importGet, { id: made.id })).toMatchObject({
        data: { state: "open", chunksDone: 0 },
      });
      await ask(world.as(), importCancel, { id: made.id });
    },
  );

  it(covers([importCreate, importList, importTaken, importContext], "foreign"), async () => {
    const rows = world.fresh(1);
    const key = world.newKey();
    const made = (await createJob(world.as(), key, 1)).data;
    await sendChunk(world.as(), made.id, 0, toChunk(rows, FIELDS));
    // Keys are separate per company.
    const other = await createJob(world.as("admin", "2"), key, 1);
    expect(other.data).toMatchObject({ state: "open", created: 0 });
    expect(other.data.id).not.toBe(made.id);
    const list = await ask<{ records: ImportJob[] }>(world.as("admin", "2"), importList);
    expect(list.data.records.map(({ id }) => id)).not.toContain(made.id);
    const numbers = { idNumbers: [rows[0]?.["idNumber"]] };
    expect((await ask(world.as("admin", "2"), importTaken, {}, numbers)).data).toEqual({
      idNumbers: [],
      employeeNos: [],
    });
    const context = await ask<ImportContext>(world.as(), importContext);
    expect(context.data.ownFields.map(({ key: name }) => name)).not.toContain("grade");
    await ask(world.as("admin", "2"), importCancel, { id: other.data.id });
  });
});

describe("what mapping and checking ask", () => {
  it(covers(importContext, "success"), async () => {
    const { pool } = world.host.platform.database;
    const { rows } = await pool.query<{ id: string }>(
      "INSERT INTO departments (company_id, name) VALUES (2, '总部') RETURNING id",
    );
    await pool.query(
      "INSERT INTO departments (company_id, parent_id, name) VALUES (2, $1, '一组')",
      [rows[0]?.id],
    );
    const { data } = await ask<ImportContext>(world.as("admin", "2"), importContext);
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
    const rows = world.fresh(2);
    await sendChunk(world.as(), (await world.job(2)).id, 0, toChunk(rows, FIELDS));
    const [a] = rows;
    const body = {
      idNumbers: [a?.["idNumber"], idNumberOf(999_999)],
      employeeNos: [rows[1]?.["employeeNo"], "不存在"],
    };
    expect((await ask(world.as(), importTaken, {}, body)).data).toEqual({
      idNumbers: [a?.["idNumber"]],
      employeeNos: [rows[1]?.["employeeNo"]],
    });
  });

  it("marks cover the company's employed staff, starting after a given employee", async () => {
    const rows = world.fresh(3);
    await sendChunk(world.as(), (await world.job(3)).id, 0, toChunk(rows, FIELDS));
    const { rows: known } = await world.host.platform.database.pool.query<Record<string, string>>(
      "SELECT id, id_number, employee_no FROM employees WHERE company_id = 1 AND dimission_at IS NULL ORDER BY id",
    );
    const marks = async (sender: Sender, after: string) =>
      (await ask<{ marks: ImportMarks }>(sender, importTaken, {}, { marksAfter: after })).data
        .marks;
    const marksIn = (list: typeof known, field: string) =>
      list.flatMap((row) => (row[field] === null ? [] : markOf(row[field] ?? "")));
    expect(await marks(world.as(), "0")).toEqual({
      idNumbers: marksIn(known, "id_number"),
      employeeNos: marksIn(known, "employee_no"),
      next: null,
      employed: known.length,
    });
    const last = known.slice(-1);
    expect(await marks(world.as(), known.at(-2)?.["id"] ?? "")).toMatchObject({
      idNumbers: marksIn(last, "id_number"),
    });
    const foreign = await marks(world.as("admin", "2"), "0");
    expect(foreign.idNumbers).not.toEqual(expect.arrayContaining(marksIn(last, "id_number")));
  });

  it(covers(importTaken, "invalid"), async () => {
    const many = Array.from({ length: IMPORT_LIMITS.taken + 1 }, (_, i) => String(i));
    const wrong = await ask(world.as(), importTaken, {}, { marksAfter: "1 OR true" });
    expect([wrong.status, Object.keys(wrong.fields)]).toEqual([400, ["marksAfter"]]);
    const answer = await ask(world.as(), importTaken, {}, { idNumbers: many });
    expect([answer.status, Object.keys(answer.fields)]).toEqual([400, ["idNumbers"]]);
  });
});

it("the metrics count stored rows", async () => {
  const read = async () =>
    Number(
      /^import_rows_total (\d+)$/m.exec(
        await (await fetch(`${world.host.origin}/metrics`)).text(),
      )?.[1],
    );
  const before = await read();
  const made = await world.job(3);
  await sendChunk(world.as(), made.id, 0, toChunk(world.fresh(3), FIELDS));
  await sendChunk(world.as(), made.id, 0, toChunk(world.fresh(3), FIELDS));
  expect((await read()) - before).toBe(3);
});
